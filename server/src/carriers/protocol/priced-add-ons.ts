import { CarrierError, type AddOnCode, type CarrierService } from "../carrier.ts";

/** Add-ons at carriers that price only what is asked for: each is a call of its own beside the plain one. */

/** Those that the service has; freight has none. */
export function addOnsIn(service: CarrierService): readonly AddOnCode[] {
  return "add_ons" in service ? service.add_ons : [];
}

/** Those of any of the services. */
export function pricedAddOns(services: readonly CarrierService[]): AddOnCode[] {
  return [...new Set(services.flatMap(addOnsIn))];
}

/** No prices where the carrier gives none: that costs the add-on, and not the rate. */
export async function orNoPrices<Price>(prices: Promise<Price[]>): Promise<Price[]> {
  try {
    return await prices;
  } catch (error) {
    if (error instanceof CarrierError) return [];
    throw error;
  }
}
