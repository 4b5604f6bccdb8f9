import { toCents } from "../../domain/values/money.ts";
import {
  CarrierError,
  type AddOnCode,
  type CarrierService,
  type ShipmentForCarrier,
} from "../carrier.ts";

/** Add-ons at carriers that price only what is asked for: each is a call of its own beside the plain one. */

/** Those that the service has; freight has none. */
export function addOnsIn(service: CarrierService): readonly AddOnCode[] {
  return "add_ons" in service ? service.add_ons : [];
}

/** Those of any of the services that can have a price. Coverage is of a value: without one it has none. */
export function pricedAddOns(
  services: readonly CarrierService[],
  { packages }: ShipmentForCarrier,
): AddOnCode[] {
  const declared = packages.some(({ declared_value }) => toCents(declared_value ?? 0) > 0);
  const all = [...new Set(services.flatMap(addOnsIn))];
  return all.filter((code) => code !== "protection" || declared);
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
