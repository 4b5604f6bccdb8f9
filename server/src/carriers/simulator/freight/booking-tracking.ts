import type { Entry } from "../journal.ts";
import type { Itineraries } from "../itineraries/itineraries.ts";
import type { WireTracking } from "../wire.ts";
import { startOf, type BookingFacts, type BookingState } from "./booking-facts.ts";
import { priceFreight } from "./rating/price-freight.ts";
import type { FreightTariff } from "../pricing/freight-tariff.ts";

/** The scans until now of booked freight. Its itinerary follows from the journal alone. */
export function trackBooking(
  { request, service_code, currency, pro_number }: Entry & BookingFacts,
  tracking_code: string,
  {
    tariff,
    itineraries,
    state,
  }: { tariff: FreightTariff; itineraries: Itineraries; state: BookingState },
): WireTracking {
  const { sender, recipient, pickup_date } = request;
  const priced = priceFreight(tariff, service_code, { ...request, currency });
  const start = startOf(state);
  const tracking = itineraries.tell({
    ...start,
    carrier: tariff.carrier,
    tracking_code,
    sender,
    recipient,
    ship_date: pickup_date,
    // Freight is always signed for, on the bill of lading.
    is_signed_for: true,
    estimated_delivery_date: "rate" in priced ? priced.rate.delivery_date : null,
  });
  const hasPro = tariff.pro_assigned_at === "booking" || itineraries.isScanned(start);
  return { ...tracking, pro_number: hasPro ? pro_number : null };
}
