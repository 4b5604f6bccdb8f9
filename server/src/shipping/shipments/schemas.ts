import { Type, type Static } from "typebox";
import { Address, NewAddress } from "../../domain/addresses/address.ts";
import { Metadata, Tags } from "../../domain/shipments/merchant-data.ts";
import { FreightDelivery, FreightPickup, HandlingUnit } from "../../domain/goods/freight.ts";
import {
  maxUnits,
  NewFreightDelivery,
  NewFreightPickup,
  NewHandlingUnit,
} from "../../domain/goods/new-freight.ts";
import { Item, NewItem, NewPackage, Package } from "../../domain/goods/parcel.ts";
import { AddOnCode, MoneyBreakdown, Rate } from "../../domain/pricing/rate.ts";
import {
  Logged,
  Maybe,
  Moment,
  Money,
  Nullable,
  OneOf,
  Opaque,
} from "../../domain/values/schema.ts";
import { maxPackages } from "../../domain/shipments/shipment-rules.ts";
import { AnyError } from "../../domain/error-answers/error-schemas.ts";
import { bulkResponses } from "../../http/bulk-responses.ts";
import {
  RefundStatus,
  ShipmentType,
  ShipmentStatus,
  TrackingStatus,
} from "../../domain/shipments/shipment-status.ts";
import {
  ContentsType,
  Incoterm,
  LabelFormat,
  LabelSize,
  SignatureConfirmation,
} from "../../domain/shipments/shipment-enums.ts";

/** The request and response schemas of shipments (spec 2.2, decisions 5 and 6). */

const sharedShipData = {
  from_address: Maybe(NewAddress),
  items: Maybe(Type.Array(NewItem, { maxItems: 500 })),
  service: Maybe(
    Logged(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "A service's code, or cheapest, fastest, cheapest_tracked.",
      }),
      "known",
    ),
  ),
  contents_type: Maybe(ContentsType),
  incoterm: Maybe(Incoterm),
};

const shipData = {
  ...sharedShipData,
  return_address: Maybe(NewAddress),
  is_return: Maybe(Type.Boolean(), { default: false }),
  add_ons: Maybe(Type.Array(AddOnCode, { uniqueItems: true })),
  signature_confirmation: Maybe(SignatureConfirmation),
  label_format: Maybe(LabelFormat, {
    description: "For its purchase, which may name another; pdf when neither names one.",
  }),
  label_size: Maybe(LabelSize, {
    description: "For its purchase, which may name another; 4x6 when neither names one.",
  }),
  insured_value: Maybe(
    Money({
      minimum: 0,
      maximum: 1_000_000,
      description:
        "In the account's currency: what protection covers in place of the packages' declared values.",
    }),
  ),
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

const Packages = Type.Array(NewPackage, { minItems: 1, maxItems: maxPackages });

/** One entry of `POST /shipments`. */
export const NewShipment = Type.Object(
  {
    type: Maybe(OneOf(["courier"]), { default: "courier" }),
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

/**
 * For the document: an entry of either type. Without a discriminator: that would make `type` required, which
 * parcels may leave out.
 */
export const AnyNewShipment = Type.Unsafe<unknown>({
  $id: "ShipmentEntry",
  anyOf: [NewShipment, NewLtlShipment],
});

/** An entry of either type. */
export type ShipmentEntry = NewShipment | NewLtlShipment;

const on_hold = Type.Optional(
  Type.Boolean({ description: "Rules hold shipments; false lets it be bought again." }),
);

/** The body of `PUT /shipments/{id}`: what is absent stays as it is; addresses are replaced as a whole. */
export const ShipmentChanges = Type.Object(
  {
    to_address: Type.Optional(NewAddress),
    packages: Type.Optional(Packages),
    ...shipData,
    // Without the default of a new shipment: what a change leaves out stays as it is.
    is_return: Maybe(Type.Boolean()),
    ...merchantData,
    on_hold,
  },
  { $id: "ShipmentChanges" },
);
export type ShipmentChanges = Static<typeof ShipmentChanges>;

/** The same for an LTL shipment, whose units and stops are replaced as a whole, too. */
export const LtlShipmentChanges = Type.Object(
  { to_address: Type.Optional(NewAddress), ...freightData, ...merchantData, on_hold },
  { $id: "LtlShipmentChanges" },
);
export type LtlShipmentChanges = Static<typeof LtlShipmentChanges>;

/**
 * Fields that a carrier prices or prints, or that decide whether it may be bought: fixed once a label exists.
 */
export const shipDataFields = [
  "to_address",
  "on_hold",
  ...Object.keys({ ...shipData, ...freightData }),
];

/** Fields that only parcels or only freight has: the other type's shipment refuses them by name. */
export const courierOnlyFields = Object.keys(shipData).filter((field) => !(field in freightData));
export const ltlOnlyFields = ["handling_units", "pickup", "delivery"];

/** The body of voiding a label, and of cancelling a booking. */
export const Cancelling = Type.Object(
  { reason: Maybe(Type.String({ maxLength: 200 })) },
  { $id: "CancelRequest" },
);

const CarrierName = Type.Object(
  { code: Type.String(), name: Type.String() },
  { $id: "CarrierName" },
);

/** `pending`: the carrier has the label's file later; `shipment.label_ready` tells when it is there. */
export const LabelStatus = OneOf(["ready", "pending"], {
  $id: "LabelStatus",
  description:
    "`pending`: the label is bought, and its carrier has the file later; then there is a `shipment.label_ready` event. Null without a label.",
});
export type LabelStatus = Static<typeof LabelStatus>;

export const Document = Type.Object(
  {
    type: OneOf(["label", "commercial_invoice", "bol", "pallet_label", "waybill", "receipt"], {
      $id: "DocumentType",
    }),
    format: LabelFormat,
    url: Type.String({ format: "uri", description: "Works without a token for 30 minutes." }),
  },
  { $id: "Document" },
);

const Refund = Type.Object(
  {
    status: RefundStatus,
    amount: Money(),
    requested_at: Moment(),
    resolved_at: Nullable(Moment()),
    reason: Nullable(Type.String()),
  },
  { $id: "Refund" },
);

const text = Nullable(Type.String());
const knownCode = Nullable(Logged(Type.String(), "known"));
const ourText = Nullable(Logged(Type.String()));

const ShipmentMessage = Type.Object(
  {
    code: OneOf(
      ["rule_applied", "rule_failed", "label_bought_by_rule", "label_not_bought_by_rule"],
      { $id: "ShipmentMessageCode" },
    ),
    text: Type.String({ description: "A sentence for people." }),
    rule_id: Type.String(),
    run_id: Type.String({ description: "The run of the rule: see `GET /rules/{rule_id}/runs`." }),
    created_at: Moment(),
  },
  { $id: "ShipmentMessage", description: "What a rule did to the shipment." },
);

const ShipmentError = Type.Object(
  {
    code: Type.String({ examples: ["carrier_error"] }),
    message: Type.String({ description: "In the carrier's words." }),
    carrier: Type.Optional(Logged(Type.String({ description: "The carrier's code." }), "known")),
    carrier_code: Logged(Type.String({ description: "The carrier's own code of the error." })),
  },
  { $id: "ShipmentError", description: "Why the last purchase or void was not done." },
);

export const Shipment = Type.Object(
  {
    id: Type.String({ examples: ["shp_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    type: ShipmentType,
    status: ShipmentStatus,
    tracking_status: Nullable(TrackingStatus),
    ship_code: Logged(Type.String({ description: "Short code for people, printed on the label." })),
    from_address: Address,
    to_address: Address,
    return_address: Address,
    is_return: Type.Boolean(),
    packages: Type.Array(Package),
    items: Type.Array(Item),
    handling_units: Type.Array(HandlingUnit),
    pickup: Nullable(FreightPickup),
    delivery: Nullable(FreightDelivery),
    service: knownCode,
    carrier: Nullable(CarrierName),
    service_name: text,
    add_ons: Type.Array(Type.Unsafe<string>(AddOnCode)),
    selected_rate: Nullable(Opaque(Type.Unsafe<object>(Rate))),
    label_url: text,
    label_status: Nullable(LabelStatus),
    label_format: Nullable(LabelFormat),
    label_size: Nullable(LabelSize),
    documents: Type.Array(Document),
    tracking_code: ourText,
    tracking_url: text,
    confirmation_number: ourText,
    bol_number: ourText,
    pro_number: ourText,
    order_id: text,
    batch_id: text,
    pickup_id: text,
    reference: text,
    metadata: Type.Record(Type.String(), Type.Unknown()),
    tags: Type.Array(Type.String()),
    contents_type: Nullable(Type.Unsafe<string>(ContentsType)),
    incoterm: Nullable(Type.Unsafe<string>(Incoterm)),
    signature_confirmation: Nullable(Type.Unsafe<string>(SignatureConfirmation)),
    insured_value: Nullable(Money()),
    cost: Nullable(MoneyBreakdown),
    refund: Nullable(Refund),
    messages: Type.Array(Opaque(Type.Unsafe<object>(ShipmentMessage))),
    last_error: Nullable(Opaque(Type.Unsafe<object>(ShipmentError))),
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
  { index: Type.Integer(), status: OneOf(["error"]), reference: text, error: AnyError },
  { $id: "ShipmentRowError" },
);

/** The responses of `POST /shipments` to one entry, and to several. */
export const shipmentsCreated = bulkResponses("Shipment", {
  one: Shipment,
  created: ShipmentRowCreated,
  error: ShipmentRowError,
});
