import { nextBusinessDay } from "../../../../domain/time/business-days.ts";
import type { Place } from "../../../../domain/time/time-zones.ts";

/** The day that freight arrives, so many business days of the destination after its pickup. */
export function arrivalDate(pickupDate: string, days: number, destination: Place): string {
  let day = pickupDate;
  for (let left = days; left > 0; left -= 1) day = nextBusinessDay(day, destination);
  return day;
}
