import type { AddOnCode, ShipmentForCarrier } from "../carrier.ts";
import { decimalOf } from "../protocol/amount.ts";
import { coveredCents } from "../protocol/covered-value.ts";
import { xml, type XmlOutput } from "../protocol/xml.ts";

/**
 * Canada Post's options: signature, proof of age with it, coverage of the declared value, and, abroad, what
 * happens to what cannot be delivered. That RASE (it returns at the sender's expense) is wanted is our assumption:
 * a shipment of ours does not say.
 */
export function options(
  { from_address, to_address, packages }: ShipmentForCarrier,
  addOns: readonly AddOnCode[],
): XmlOutput | null {
  const isAbroad = from_address.country_code !== to_address.country_code;
  const adult = addOns.includes("adult_signature");
  const covered = packages.reduce((sum, parcel) => sum + coveredCents(parcel), 0);
  const list = [
    adult || addOns.includes("signature") ? option("SO") : null,
    adult ? option("PA18") : null,
    addOns.includes("protection") ? option("COV", decimalOf(covered)) : null,
    isAbroad ? option("RASE") : null,
  ].filter((each) => each !== null);
  return list.length > 0 ? xml("options", list) : null;
}

function option(code: string, amount?: string): XmlOutput {
  return xml("option", [
    xml("option-code", code),
    amount === undefined ? null : xml("option-amount", amount),
  ]);
}
