import type { AccountContext } from "../../context.ts";
import type { NewAddress } from "../../domain/addresses/address.ts";
import type { Problems } from "../../domain/errors/errors.ts";
import { fromCents } from "../../domain/values/money.ts";
import { asLtlEntry } from "./ltl-shipment.ts";
import { rulesOf } from "./new-shipment.ts";
import type { LtlShipmentChanges, NewShipment, ShipmentChanges, ShipmentEntry } from "./schemas.ts";
import type { ShipmentRow } from "./store.ts";

/** Stored shipments as requests would state them, to be changed or validated again. */

export type Changes = ShipmentChanges & LtlShipmentChanges;

/** The current rules that a stored shipment breaks: it may have been created under others. */
export function problemsOfStored(ctx: AccountContext, row: ShipmentRow): Problems {
  return rulesOf(ctx, mergedEntry(row, {}));
}

/** The stored shipment, changed, in the form of a request: merging and validation handle one form only. */
export function mergedEntry(row: ShipmentRow, changes: Changes): ShipmentEntry {
  if (row.type === "courier") return { ...asCourierEntry(row), ...changes, type: "courier" };
  // Either form of the units replaces the other.
  const units = changes.packages?.length ? { handling_units: null } : {};
  return { ...asLtlEntry(row, changes), ...units, ...changes, type: "ltl" };
}

function asCourierEntry(row: ShipmentRow): NewShipment {
  return {
    from_address: row.from_address as NewAddress,
    to_address: row.to_address as NewAddress,
    return_address: row.return_address as NewAddress,
    is_return: row.is_return,
    packages: row.packages,
    items: row.items,
    service: row.service,
    add_ons: row.add_ons as NewShipment["add_ons"],
    contents_type: row.contents_type as NewShipment["contents_type"],
    incoterm: row.incoterm as NewShipment["incoterm"],
    signature_confirmation: row.signature_confirmation as NewShipment["signature_confirmation"],
    label_format: row.label_format,
    label_size: row.label_size,
    insured_value: row.insured_value_cents === null ? null : fromCents(row.insured_value_cents),
  };
}
