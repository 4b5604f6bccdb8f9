import type { Entry, Journal } from "./journal.ts";
import type { Itineraries } from "./itineraries/itineraries.ts";
import { startOf, type LabelFacts, type LabelState } from "./label-facts.ts";
import { priceService } from "./pricing/price.ts";
import type { CarrierTariff } from "./pricing/tariff.ts";
import type { WireTracking } from "./wire.ts";

/** The scans until now of one of a label's packages. Its itinerary follows from the journal alone. */
export async function trackPackage(
  state: LabelState,
  tracking_code: string,
  {
    tariff,
    journal,
    itineraries,
  }: { tariff: CarrierTariff; journal: Journal; itineraries: Itineraries },
): Promise<WireTracking> {
  const entry = (await journal.readOne(state.sequence)) as Entry & LabelFacts;
  const { currency, request, service_code } = entry;
  const { sender, recipient, extras, ship_date } = request;
  const priced = priceService(tariff, service_code, { ...request, currency });
  return itineraries.tell({
    ...startOf(state),
    carrier: tariff.carrier,
    tracking_code,
    sender,
    recipient,
    ship_date,
    is_signed_for: extras.includes("signature") || extras.includes("adult_signature"),
    estimated_delivery_date: "rate" in priced ? priced.rate.delivery_date : null,
  });
}
