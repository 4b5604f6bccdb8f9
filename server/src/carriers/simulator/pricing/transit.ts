import type { Route } from "./route.ts";
import type { LaneTariff } from "./tariff.ts";

/** Business days on the way: by distance within the service's bounds, and one more to a remote place. */
export function transitDays(
  { days: { fastest, slowest, km_a_day } }: Pick<LaneTariff, "days">,
  route: Pick<Route, "km" | "remote">,
): number {
  const byDistance = fastest - 1 + Math.ceil(Math.max(route.km, 1) / km_a_day);
  return Math.min(byDistance, slowest) + (route.remote ? 1 : 0);
}

/** The day `days` business days after a ship date: nothing moves on Saturdays and Sundays. */
export function deliveryDate(shipDate: string, days: number): string {
  const day = new Date(`${shipDate}T00:00:00Z`);
  let left = days;
  while (left > 0 || isWeekend(day)) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (!isWeekend(day)) left -= 1;
  }
  return day.toISOString().slice(0, 10);
}

function isWeekend(day: Date): boolean {
  return day.getUTCDay() === 0 || day.getUTCDay() === 6;
}
