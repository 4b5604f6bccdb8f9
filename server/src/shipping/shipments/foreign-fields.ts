import { isDeepStrictEqual } from "node:util";
import { normaliseAddress } from "../../domain/addresses/address-rules.ts";
import { NewAddress } from "../../domain/addresses/address.ts";
import { addProblem, type Problems } from "../../domain/errors/errors.ts";
import { isValid } from "../../domain/validation/validation.ts";
import { courierOnlyFields, ltlOnlyFields, type ShipmentEntry } from "./schemas.ts";

/**
 * Fields that only the other type has are refused and not ignored: the client means something by them. Copies of
 * answers pass, which have them empty (decision 6).
 */
export function addForeignFields(problems: Problems, shipment: ShipmentEntry): void {
  const isLtl = shipment.type === "ltl";
  for (const field of isLtl ? courierOnlyFields : ltlOnlyFields) {
    const value = (shipment as Record<string, unknown>)[field];
    if (isEmpty(value) || (field === "return_address" && isSender(shipment, value))) continue;
    addProblem(problems, field, `is for ${isLtl ? "courier" : "LTL"} shipments only.`);
  }
}

function isEmpty(value: unknown): boolean {
  return value == null || value === false || (Array.isArray(value) && value.length === 0);
}

/** An answer shows freight's sender as its return address, too. */
function isSender({ from_address: from }: ShipmentEntry, address: unknown): boolean {
  const [sender, other] = [from, address].map(comparable);
  return sender != null && isDeepStrictEqual(sender, other);
}

/** Without `is_residential`, which an answer derives from where freight is picked up; null for what is no address. */
function comparable(address: unknown) {
  if (!isValid(NewAddress, address)) return null;
  return { ...normaliseAddress(address as NewAddress), is_residential: null };
}
