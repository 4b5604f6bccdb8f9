/** The moment at which a calendar day begins in a time zone, as the API takes it. */
export function startOfDay(day: string, timeZone: string | undefined): string {
  const asUtc = Date.parse(`${day}T00:00:00Z`);
  // The clock may change between the two guesses: the second one is of the right side.
  const near = asUtc - offsetAt(asUtc, timeZone);
  return new Date(asUtc - offsetAt(near, timeZone)).toISOString();
}

/** The last millisecond of a calendar day in a time zone. */
export function endOfDay(day: string, timeZone: string | undefined): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return new Date(Date.parse(startOfDay(next, timeZone)) - 1).toISOString();
}

/** How far the zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(moment);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "00";
  const shown = `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}Z`;
  return Date.parse(shown) - Math.floor(moment / 1000) * 1000;
}
