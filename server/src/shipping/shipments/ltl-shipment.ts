import type { AccountContext, Context } from "../../context.ts";
import { isDeepStrictEqual } from "node:util";
import { NewAddress, type Address } from "../../domain/addresses/address.ts";
import { normaliseAddress } from "../../domain/addresses/address-rules.ts";
import type { Problems } from "../../domain/errors/errors.ts";
import {
  freightProblems,
  normaliseUnit,
  unitOfPackage,
} from "../../domain/shipments/freight-rules.ts";
import { readDelivery, readPickup } from "../../domain/shipments/freight-stops.ts";
import type { FreightDelivery, FreightPickup } from "../../domain/goods/freight.ts";
import { normaliseItem } from "../../domain/shipments/shipment-rules.ts";
import { isValid } from "../../domain/validation/validation.ts";
import type { NewLtlShipment } from "./schemas.ts";
import type { ShipmentRow } from "./store.ts";

/** The parts of turning an entry of a request into a row that only LTL shipments have (decision 5). */

/** The account's own address ships freight from a dock, unless the entry states its location type. */
export function withFreightDefaults(ctx: Context, entry: NewLtlShipment): NewLtlShipment {
  const home = ctx.account.default_from_address as NewAddress | null;
  if (entry.from_address || !home) return entry;
  const { pickup } = entry;
  const isReadable = pickup == null || (typeof pickup === "object" && !Array.isArray(pickup));
  const location_type = pickup?.location_type ?? "business_with_dock";
  return {
    ...entry,
    from_address: home,
    pickup: isReadable ? { ...pickup, location_type } : pickup,
  };
}

export function freightRulesOf(
  ctx: AccountContext,
  entry: NewLtlShipment,
  purpose: "ship" | "quote",
): Problems {
  return freightProblems(entry, { purpose, now: ctx.clock.now() });
}

/** The columns that a carrier prices or prints, from an entry that has no problems. */
export function freightDataOf(ctx: Context, entry: NewLtlShipment, from: NewAddress) {
  const { to_address: to } = entry;
  const units = entry.handling_units?.length
    ? entry.handling_units.map(normaliseUnit)
    : (entry.packages ?? []).map(unitOfPackage);
  const pickup = readPickup(entry.pickup, { from, units, now: ctx.clock.now() });
  const delivery = readDelivery(entry.delivery, { to, units });
  const from_address = addressAt(pickup, from);
  return {
    from_address,
    to_address: addressAt(delivery, to),
    return_address: from_address,
    is_return: false,
    packages: [],
    handling_units: units,
    pickup,
    delivery,
    items: (entry.items ?? []).map((item) => normaliseItem(item, ctx.account.currency)),
    add_ons: [],
    signature_confirmation: null,
    label_format: null,
    label_size: null,
    insured_value_cents: null,
  };
}

/** The stop's location type, given or derived, is written to its address as well. */
function addressAt({ location_type }: FreightDelivery, address: NewAddress) {
  return { ...normaliseAddress(address), is_residential: location_type === "residential" };
}

/**
 * A stored LTL shipment in the form of a request. Fields that were derived are derived anew from changed
 * ones: a replaced address gets its own location type, with its own contact.
 */
export function asLtlEntry(
  row: ShipmentRow,
  changed: { from_address?: unknown; to_address?: unknown },
): NewLtlShipment {
  return {
    type: "ltl",
    from_address: row.from_address as NewAddress,
    to_address: row.to_address as NewAddress,
    handling_units: row.handling_units,
    pickup: askedAt(row.pickup!, isReplaced(row.from_address, changed.from_address)),
    delivery: askedAt(row.delivery!, isReplaced(row.to_address, changed.to_address)),
    items: row.items,
    service: row.service,
    contents_type: row.contents_type as NewLtlShipment["contents_type"],
    incoterm: row.incoterm as NewLtlShipment["incoterm"],
  };
}

/** Whether another address than the stored one is sent; one that was read and is sent back is no other. */
function isReplaced(stored: Address, sent: unknown): boolean {
  if (sent === undefined) return false;
  if (!isValid(NewAddress, sent)) return true;
  const { is_residential, ...address } = sent as NewAddress;
  // Left out, it is decided anew by the location type.
  return !isDeepStrictEqual({ ...normaliseAddress(address), is_residential }, stored);
}

function askedAt(stop: FreightPickup | FreightDelivery, isElsewhere: boolean) {
  const { location_type, contact, ...rest } = stop;
  return isElsewhere ? rest : { ...rest, location_type, contact };
}
