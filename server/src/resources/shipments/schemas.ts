import { Type, type Static } from "typebox";
import { Address, NewAddress } from "../../domain/address.ts";
import { Metadata, Tags } from "../../domain/merchant-data.ts";
import { FreightDelivery, FreightPickup, HandlingUnit } from "../../domain/freight.ts";
import {
  maxUnits,
  NewFreightDelivery,
  NewFreightPickup,
  NewHandlingUnit,
} from "../../domain/new-freight.ts";
import { Item, NewItem, NewPackage, Package } from "../../domain/parcel.ts";
import { addOnCodes, MoneyBreakdown } from "../../domain/rate.ts";
import { Maybe, Moment, Money, Nullable, OneOf } from "../../domain/schema.ts";
import { shipmentStatuses, shipmentTypes, trackingStatuses } from "../../domain/shipment-status.ts";
import { contentsTypes, incoterms } from "../../domain/shipment-words.ts";

/** What shipments look like going in and coming out (spec 2.2, decisions 5 and 6). */

const signatures = ["signature", "adult_signature"] as const;

const sharedShipData = {
  from_address: Maybe(NewAddress),
  items: Maybe(Type.Array(NewItem, { maxItems: 500 })),
  service: Maybe(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "A service's code, or cheapest, fastest, cheapest_tracked.",
    }),
  ),
  contents_type: Maybe(OneOf(contentsTypes)),
  incoterm: Maybe(OneOf(incoterms)),
};

const shipData = {
  ...sharedShipData,
  return_address: Maybe(NewAddress),
  is_return: Maybe(Type.Boolean()),
  add_ons: Maybe(Type.Array(OneOf(addOnCodes), { uniqueItems: true })),
  signature_confirmation: Maybe(OneOf(signatures)),
  insured_value: Maybe(Money({ minimum: 0, maximum: 1_000_000 })),
};

const merchantData = {
  reference: Maybe(Type.String({ maxLength: 50 })),
  metadata: Maybe(Metadata),
  tags: Maybe(Tags),
  order_id: Maybe(
    Type.String({
      maxLength: 100,
      description: "The order that it fulfils; nothing is taken over.",
    }),
  ),
};

const Packages = Type.Array(NewPackage, { minItems: 1, maxItems: 50 });

/** One entry of `POST /shipments`. */
export const NewShipment = Type.Object(
  {
    type: Maybe(OneOf(["courier"])),
    to_address: NewAddress,
    packages: Packages,
    ...shipData,
    ...merchantData,
  },
  { $id: "NewShipment" },
);
export type NewShipment = Static<typeof NewShipment>;

const freightData = {
  ...sharedShipData,
  handling_units: Maybe(
    Type.Array(NewHandlingUnit, {
      minItems: 1,
      maxItems: maxUnits,
      description: `At most ${maxUnits} units in all, counted by quantity.`,
    }),
  ),
  packages: Maybe(
    Type.Array(NewPackage, {
      minItems: 1,
      maxItems: maxUnits,
      description: "In place of handling_units: each becomes one.",
    }),
  ),
  pickup: Maybe(NewFreightPickup),
  delivery: Maybe(NewFreightDelivery),
};

/** One entry of `POST /shipments` with `type: ltl`. */
export const NewLtlShipment = Type.Object(
  { type: OneOf(["ltl"]), to_address: NewAddress, ...freightData, ...merchantData },
  { $id: "NewLtlShipment" },
);
export type NewLtlShipment = Static<typeof NewLtlShipment>;

/** An entry of either type. */
export type ShipmentEntry = NewShipment | NewLtlShipment;

const on_hold = Type.Optional(
  Type.Boolean({ description: "Rules hold shipments; false lets it be bought again." }),
);

/** The body of `PUT /shipments/{id}`: what is absent stays as it is; addresses are replaced whole. */
export const ShipmentChanges = Type.Object(
  {
    to_address: Type.Optional(NewAddress),
    packages: Type.Optional(Packages),
    ...shipData,
    ...merchantData,
    on_hold,
  },
  { $id: "ShipmentChanges" },
);
export type ShipmentChanges = Static<typeof ShipmentChanges>;

/** The same for an LTL shipment, whose units and stops are replaced whole, too. */
export const LtlShipmentChanges = Type.Object(
  { to_address: Type.Optional(NewAddress), ...freightData, ...merchantData, on_hold },
  { $id: "LtlShipmentChanges" },
);
export type LtlShipmentChanges = Static<typeof LtlShipmentChanges>;

/** What a carrier prices or prints, and whether it may be bought at all: none can change once a label exists. */
export const shipDataFields = [
  "to_address",
  "on_hold",
  ...Object.keys({ ...shipData, ...freightData }),
];

/** What only parcels have, and what only freight has: the other type's shipment refuses it by name. */
export const courierOnlyFields = Object.keys(shipData).filter((field) => !(field in freightData));
export const ltlOnlyFields = ["handling_units", "pickup", "delivery"];

const CarrierName = Type.Object({ code: Type.String(), name: Type.String() });

export const Document = Type.Object(
  {
    type: OneOf(["label", "commercial_invoice", "bol", "pallet_label"]),
    format: OneOf(["pdf", "zpl", "png"]),
    url: Type.String({ format: "uri", description: "Works without a token for 30 minutes." }),
  },
  { $id: "Document" },
);

const Refund = Type.Object({
  status: OneOf(["pending", "approved", "rejected"]),
  amount: Money(),
  requested_at: Moment(),
  resolved_at: Nullable(Moment()),
  reason: Nullable(Type.String()),
});

const text = Nullable(Type.String());

export const Shipment = Type.Object(
  {
    id: Type.String({ examples: ["shp_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    type: OneOf(shipmentTypes),
    status: OneOf(shipmentStatuses),
    tracking_status: Nullable(OneOf(trackingStatuses)),
    ship_code: Type.String({ description: "Short code for people, printed on the label." }),
    from_address: Address,
    to_address: Address,
    return_address: Address,
    is_return: Type.Boolean(),
    packages: Type.Array(Package),
    items: Type.Array(Item),
    handling_units: Type.Array(HandlingUnit),
    pickup: Nullable(FreightPickup),
    delivery: Nullable(FreightDelivery),
    service: text,
    carrier: Nullable(CarrierName),
    service_name: text,
    add_ons: Type.Array(Type.String()),
    selected_rate: Nullable(Type.Object({}, { additionalProperties: true })),
    label_url: text,
    label_format: text,
    documents: Type.Array(Document),
    tracking_code: text,
    tracking_url: text,
    confirmation_number: text,
    bol_number: text,
    pro_number: text,
    order_id: text,
    batch_id: text,
    pickup_id: text,
    reference: text,
    metadata: Type.Record(Type.String(), Type.Unknown()),
    tags: Type.Array(Type.String()),
    contents_type: text,
    incoterm: text,
    signature_confirmation: text,
    insured_value: Nullable(Money()),
    cost: Nullable(MoneyBreakdown),
    refund: Nullable(Refund),
    messages: Type.Array(Type.Object({}, { additionalProperties: true })),
    last_error: Nullable(Type.Object({}, { additionalProperties: true })),
    on_hold: Type.Boolean({
      description: "Set by a rule; not bought while it is. `PUT` with `on_hold: false` lifts it.",
    }),
    created_at: Moment(),
    updated_at: Moment(),
    purchased_at: Nullable(Moment()),
    voided_at: Nullable(Moment()),
    delivered_at: Nullable(Moment()),
  },
  { $id: "Shipment" },
);

export const ShipmentRowCreated = Type.Object(
  { index: Type.Integer(), status: OneOf(["created"]), data: Shipment },
  { $id: "ShipmentRowCreated" },
);

export const ShipmentRowError = Type.Object(
  {
    index: Type.Integer(),
    status: OneOf(["error"]),
    reference: text,
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  { $id: "ShipmentRowError" },
);

export const BulkMeta = Type.Object({
  total: Type.Integer(),
  created: Type.Integer(),
  failed: Type.Integer(),
});
