/** The local time of an IANA time zone at a moment: `2026-10-05T14:03:22`. */
export function wallClock(moment: Date, timeZone: string): string {
  // The Swedish locale writes dates as ISO does.
  return clockOf(timeZone).format(moment).replace(" ", "T");
}

/** The moment at which the zone's clocks show a local time (`2026-10-05T14:00`). */
export function momentOf(local: string, timeZone: string): Date {
  const asUtc = Date.parse(`${local}:00Z`);
  const offset = (at: number) => Date.parse(`${wallClock(new Date(at), timeZone)}Z`) - at;
  // Clocks may have been changed between the first guess and the moment that is meant.
  return new Date(asUtc - offset(asUtc - offset(asUtc)));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Constructing one is slow; there are as many as zones. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const day = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    const time = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
    clock = new Intl.DateTimeFormat("sv-SE", { timeZone, ...day, ...time, hourCycle: "h23" });
    clocks.set(timeZone, clock);
  }
  return clock;
}

const areaAndPlace = /^[A-Z][A-Za-z]*(\/[A-Z][A-Za-z0-9_+-]*){1,2}$/;

/**
 * Whether there is a time zone of that name: `UTC`, or an area and a place of the IANA database. Other texts that Node takes
 * are read differently by PostgreSQL: `+05:00` as five hours west of Greenwich, `IST` as Israel's time, `CET` without summer.
 */
export function isTimeZone(name: string): boolean {
  if (name === "UTC") return true;
  if (!areaAndPlace.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
