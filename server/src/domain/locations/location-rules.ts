import { addressProblems, normaliseAddress } from "../addresses/address-rules.ts";
import { addProblem, type Problems } from "../errors/errors.ts";
import { isTimeZone } from "../time/wall-clock.ts";
import { NewLocation, type KnownLocation } from "./location.ts";
import { problemsOf } from "../validation/validation.ts";

/**
 * Validates one place of an import: the location to store, or all of its problems by dotted path.
 * Nothing is guessed: a place without coordinates or time zone could neither be found nor visited.
 */
export function readLocation(entry: unknown): { location: KnownLocation } | { problems: Problems } {
  const problems = problemsOf(NewLocation, entry);
  if (Object.keys(problems).length > 0) return { problems };
  const given = entry as NewLocation;
  const address = normaliseAddress(given.address);
  // A place is no recipient: it has a name of its own instead of a recipient's.
  const addressed = { ...given.address, company: given.address.company ?? "-" };
  for (const [field, sentences] of Object.entries(addressProblems(addressed)))
    for (const sentence of sentences) addProblem(problems, `address.${field}`, sentence);
  if (!isTimeZone(given.time_zone))
    addProblem(problems, "time_zone", "is not an IANA time zone, such as America/Toronto.");
  if (given.latitude === 0 && given.longitude === 0)
    addProblem(problems, "latitude", "and longitude are both 0, which is in the sea.");
  given.hours?.forEach(({ opens, closes }, index) => {
    if (opens === "24:00") addProblem(problems, `hours.${index}.opens`, "must be before 24:00.");
    if (opens === closes)
      addProblem(problems, `hours.${index}.closes`, "is when it opens; all day is 00:00 to 24:00.");
  });
  if (Object.keys(problems).length > 0) return { problems };
  const { phone, hours, services, accepts, active, ...rest } = given;
  return {
    location: {
      ...rest,
      address,
      phone: phone ?? null,
      hours: hours ?? [],
      services: services ?? [],
      accepts: accepts ?? [],
      active: active ?? true,
    },
  };
}
