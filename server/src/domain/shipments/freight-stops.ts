import type { NewAddress } from "../addresses/address.ts";
import { nextBusinessDay } from "../time/business-days.ts";
import type {
  Accessorial,
  FreightDelivery,
  FreightPickup,
  HandlingUnit,
  LocationType,
} from "../goods/freight.ts";
import type { NewFreightDelivery, NewFreightPickup } from "../goods/new-freight.ts";
import { cleanText } from "../text/text.ts";
import { localMoment, type Place } from "../time/time-zones.ts";
import { toGrams } from "../goods/units.ts";

/**
 * The two stops of a truck as stored (decision 5): fields that the client left out are decided once,
 * when the shipment is created or changed, so that every carrier prices and picks up the same.
 */

export const defaultWindow = { ready_time: "09:00", close_time: "17:00" } as const;

/** The most that is unloaded from a truck by hand: 150 lb. */
const liftedByHandGrams = toGrams(150, "lbs");

type Units = readonly Pick<HandlingUnit, "weight" | "weight_unit" | "hazmat">[];

export function readPickup(
  given: NewFreightPickup | null | undefined,
  { from, units, now }: { from: NewAddress; units: Units; now: Date },
): FreightPickup {
  const place = placeOf(from);
  const date = given?.date ?? nextBusinessDay(localMoment(now, place).day, place);
  const isHazmat = units.some(({ hazmat }) => hazmat);
  const ofGoods: Accessorial[] = isHazmat ? ["hazmat"] : [];
  return { date, ...readStop("pickup", given, { address: from, units, ofGoods }) };
}

export function readDelivery(
  given: NewFreightDelivery | null | undefined,
  { to, units }: { to: NewAddress; units: Units },
): FreightDelivery {
  return readStop("delivery", given, { address: to, units, ofGoods: [] });
}

/** The location of a place, as far as its days and hours need it. */
export function placeOf({
  country_code,
  province_code,
}: Pick<NewAddress, "country_code" | "province_code">): Place {
  return {
    country_code: country_code.toUpperCase(),
    province_code: province_code?.toUpperCase() ?? null,
  };
}

function readStop(
  end: "pickup" | "delivery",
  given: NewFreightPickup | NewFreightDelivery | null | undefined,
  { address, units, ofGoods }: { address: NewAddress; units: Units; ofGoods: Accessorial[] },
): FreightDelivery {
  const asked = requestedOf(given);
  const location_type = given?.location_type ?? locationTypeOf(address);
  const appointment_required = given?.appointment_required ?? asked.includes(`appointment_${end}`);
  const ofPlace = asked.includes("hold_at_terminal")
    ? []
    : accessorialsOfPlace(end, location_type, units);
  const ofAppointment: Accessorial[] = appointment_required ? [`appointment_${end}`] : [];
  const implied = [...ofPlace, ...ofAppointment, ...ofGoods].filter(
    (code) => !asked.includes(code),
  );
  const { contact } = given ?? {};
  return {
    ready_time: given?.ready_time ?? defaultWindow.ready_time,
    close_time: given?.close_time ?? defaultWindow.close_time,
    location_type,
    contact: {
      name: clean(contact?.name) ?? clean(address.name) ?? clean(address.company),
      phone: clean(contact?.phone) ?? clean(address.phone),
      email: clean(contact?.email) ?? clean(address.email),
    },
    instructions: clean(given?.instructions),
    appointment_required,
    accessorials: [...asked, ...implied],
    implied_accessorials: implied,
  };
}

/** A stop that was read and is sent back names what was implied: that was not requested, and may no longer apply. */
function requestedOf(
  given: NewFreightPickup | NewFreightDelivery | null | undefined,
): Accessorial[] {
  const implied = given?.implied_accessorials ?? [];
  return (given?.accessorials ?? []).filter((code) => !implied.includes(code));
}

/** A company has a dock and a person none, unless the address states its type. */
function locationTypeOf({ is_residential, company }: NewAddress): LocationType {
  const isResidential = is_residential ?? clean(company) === null;
  return isResidential ? "residential" : "business_with_dock";
}

/** The accessorials that the place itself requires: they cannot be left out. */
function accessorialsOfPlace(
  end: "pickup" | "delivery",
  location: LocationType,
  units: Units,
): Accessorial[] {
  if (location === "business_with_dock") return [];
  if (location !== "business_without_dock" && location !== "residential")
    return [`limited_access_${end}`];
  const isHeavy = units.some((unit) => toGrams(unit.weight, unit.weight_unit) > liftedByHandGrams);
  return [
    ...(location === "residential" ? [`residential_${end}` as const] : []),
    ...(isHeavy ? [`liftgate_${end}` as const] : []),
  ];
}

function clean(text: string | null | undefined): string | null {
  return text == null ? null : cleanText(text);
}
