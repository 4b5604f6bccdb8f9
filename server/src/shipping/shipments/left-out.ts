import type { Context } from "../../context.ts";
import type { NewAddress } from "../../domain/addresses/address.ts";
import { withFreightDefaults } from "./ltl-shipment.ts";
import type { ShipmentEntry } from "./schemas.ts";

/** What a shipment gets where its entry leaves a field out. */

/** The account's ship-from address replaces an absent origin; returns go where parcels come from. */
export function withDefaults<E extends ShipmentEntry>(ctx: Context, shipment: E): E {
  if (shipment.type === "ltl") return withFreightDefaults(ctx, shipment) as E;
  const { return_address, from_address } = shipment;
  const origin =
    from_address ?? (ctx.account.default_from_address as NewAddress | null) ?? undefined;
  return { ...shipment, from_address: origin, return_address: return_address ?? origin };
}

/** What a new shipment leaves out is as the account prefers it. A change of a stored one fills nothing in. */
export function withPreferences<E extends ShipmentEntry>({ account }: Context, shipment: E): E {
  const { contents_type, incoterm, add_ons, label_format, label_size } = account.settings;
  const of_any = {
    contents_type: shipment.contents_type ?? contents_type,
    incoterm: shipment.incoterm ?? incoterm,
  };
  if (shipment.type === "ltl") return { ...shipment, ...of_any };
  return {
    ...shipment,
    ...of_any,
    add_ons: shipment.add_ons ?? add_ons,
    label_format: shipment.label_format ?? label_format,
    label_size: shipment.label_size ?? label_size,
  };
}
