import type { Package } from "../../domain/goods/parcel.ts";
import { fromCents, toCents } from "../../domain/values/money.ts";
import type { AddOnCode, ShipmentForCarrier } from "../carrier.ts";
import { coveredCents } from "../protocol/covered-value.ts";
import { isDomestic } from "./parties.ts";

/** Extras in USPS's codes. No I/O. */

/** Insurance has another code above five hundred dollars. */
const insuranceCents = 50_000;

/** In the order of their codes. */
export function extraServices(
  add_ons: readonly AddOnCode[],
  { packages, to_address }: Pick<ShipmentForCarrier, "packages" | "to_address">,
): number[] {
  const isAtHome = isDomestic(to_address);
  const codes: number[] = [];
  // Signatures are confirmed at home only.
  if (isAtHome && add_ons.includes("signature")) codes.push(921);
  if (isAtHome && add_ons.includes("adult_signature")) codes.push(922);
  const value = insuredValue(add_ons, packages[0]!);
  if (value !== null) codes.push(toCents(value) > insuranceCents ? 931 : 930);
  return codes;
}

/** In dollars; null where nothing is insured: USPS takes a value in no other currency. */
export function insuredValue(add_ons: readonly AddOnCode[], parcel: Package): number | null {
  if (!add_ons.includes("protection")) return null;
  if (parcel.declared_value && parcel.currency !== "USD") return null;
  return fromCents(coveredCents(parcel));
}
