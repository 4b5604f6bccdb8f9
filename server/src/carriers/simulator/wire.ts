import { Type, type Static } from "typebox";
import { Address as DomainAddress } from "../../domain/addresses/address.ts";
import { withoutDocumentKeys } from "../../domain/validation/validation.ts";
import { Item, packageTypes } from "../../domain/goods/parcel.ts";
import { Nullable, OneOf } from "../../domain/values/schema.ts";

/**
 * The wire format between a client and the simulated carriers: one JSON dialect for all five, in
 * grams, centimetres and cents. The simulator validates requests by it, the adapter responses.
 */

// A schema with an `$id` may occur only once in another, and a consignment has several addresses.
export const WireAddress = Type.Unsafe<DomainAddress>(withoutDocumentKeys(DomainAddress) as object);

export const Cents = Type.Integer({ minimum: 0, maximum: 10_000_000_000 });
export const Currency = Type.String({ pattern: "^[A-Z]{3}$" });
export const Day = Type.String({ format: "date" });
export const Code = Type.String({ minLength: 1, maxLength: 100 });

const Centimetres = Nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }));

export const WirePackage = Type.Object({
  weight_grams: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  length_cm: Centimetres,
  width_cm: Centimetres,
  height_cm: Centimetres,
  package_type: OneOf(packageTypes),
  contents: Nullable(Type.String()),
  declared_value: Nullable(Type.Object({ amount_cents: Cents, currency: Currency })),
});
export type WirePackage = Static<typeof WirePackage>;

const consignment = {
  ship_date: Day,
  sender: WireAddress,
  recipient: WireAddress,
  packages: Type.Array(WirePackage, { minItems: 1, maxItems: 50 }),
};

export const WireQuoteRequest = Type.Object({
  ...consignment,
  currency: Currency,
  service_codes: Type.Array(Code, { minItems: 1, maxItems: 100 }),
});
export type WireQuoteRequest = Static<typeof WireQuoteRequest>;

export const extraCodes = [
  "protection",
  "signature",
  "adult_signature",
  "saturday_delivery",
] as const;
export type ExtraCode = (typeof extraCodes)[number];

export const WireRate = Type.Object({
  service_code: Code,
  zone: Type.String({ maxLength: 100 }),
  currency: Currency,
  base_cents: Cents,
  surcharges: Type.Array(Type.Object({ code: Code, name: Code, amount_cents: Cents })),
  extras: Type.Array(Type.Object({ code: OneOf(extraCodes), amount_cents: Cents })),
  transit_days: Type.Integer({ minimum: 0, maximum: 365 }),
  delivery_date: Day,
  billable_weight: Type.Object({
    value: Type.Number({ minimum: 0 }),
    unit: OneOf(["kg", "lbs"]),
    basis: OneOf(["actual", "volumetric"]),
  }),
});
export type WireRate = Static<typeof WireRate>;

/** Why a carrier does not offer one of its services for a consignment, in its own codes. */
export const refusalCodes = [
  "service_unknown",
  "lane_not_served",
  "weight_exceeded",
  "accessorial_not_offered",
] as const;
export const WireUnavailable = Type.Object({
  service_code: Code,
  code: OneOf(refusalCodes),
  message: Type.String({ maxLength: 500 }),
});
export type WireUnavailable = Static<typeof WireUnavailable>;

/** The rates are validated one by one, so that one bad rate costs one service and not the response. */
export const WireQuoteResponse = Type.Object({
  data: Type.Object({
    rates: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
    unavailable: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
  }),
});

/** Anything that the client wants to find again in the list. The simulator does not interpret it. */
export const WireReferences = Type.Object({
  account_id: Code,
  shipment_id: Code,
  shipment_digest: Code,
  idempotency_key: Nullable(Type.String({ maxLength: 255 })),
});
export type WireReferences = Static<typeof WireReferences>;

export const WireLabelRequest = Type.Object({
  ...consignment,
  reference: Type.String({ minLength: 1, maxLength: 100 }),
  references: Type.Optional(WireReferences),
  service_code: Code,
  /** As it is printed on the label. */
  service_name: Type.String({ minLength: 1, maxLength: 100 }),
  extras: Type.Array(OneOf(extraCodes), { maxItems: extraCodes.length }),
  expected_cost: Type.Object({ amount_cents: Cents, currency: Currency }),
  return_to: WireAddress,
  is_return: Type.Boolean(),
  ship_code: Type.String({ maxLength: 100 }),
  customer_reference: Nullable(Type.String({ maxLength: 100 })),
  contents_type: Nullable(Type.String({ maxLength: 100 })),
  incoterm: Nullable(Type.String({ maxLength: 10 })),
  customs_lines: Type.Array(Item, { maxItems: 1_000 }),
  label: Type.Object({ format: OneOf(["pdf", "zpl", "png"]), size: OneOf(["4x6", "letter"]) }),
  /** What a carrier's own format has beside: kept, to be shown again. */
  kept: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 500 }))),
});
export type WireLabelRequest = Static<typeof WireLabelRequest>;

export const WireLabel = Type.Object({
  label_id: Code,
  reference: Type.String(),
  tracking_code: Code,
  package_tracking_codes: Type.Array(Code, { minItems: 1, maxItems: 50 }),
  /** Null where the carrier does not say what it charges. */
  amount_cents: Nullable(Cents),
  currency: Currency,
  voided: Type.Boolean(),
  refund: OneOf(["none", "pending", "approved", "rejected"]),
  /**
   * The file, in base64; null while there is none yet. Its form is not validated here: a carrier that sent a
   * label without one has issued it.
   */
  label: Nullable(Type.Object({ format: OneOf(["pdf", "zpl", "png"]), content: Type.String() })),
});
export type WireLabel = Static<typeof WireLabel>;

export const WireLabelResponse = Type.Object({ data: WireLabel });
export const WireLabelsResponse = Type.Object({ data: Type.Array(WireLabel, { maxItems: 1 }) });

/** The query of each list. */
export const SinceMoment = Type.Object({
  since: Type.String({ format: "date-time" }),
  cursor: Type.Optional(Type.String({ pattern: "^\\d{1,15}$" })),
});

export const WireListedLabel = Type.Object({
  label_id: Code,
  reference: Type.String(),
  references: Nullable(WireReferences),
  tracking_code: Code,
  service_code: Code,
  extras: Type.Array(OneOf(extraCodes)),
  label_format: OneOf(["pdf", "zpl", "png"]),
  amount_cents: Cents,
  currency: Currency,
  voided: Type.Boolean(),
  refund: OneOf(["none", "pending", "approved", "rejected"]),
  bought_at: Type.String({ format: "date-time" }),
});
export type WireListedLabel = Static<typeof WireListedLabel>;

export const WireListResponse = Type.Object({
  data: Type.Array(WireListedLabel, { maxItems: 100 }),
  next_cursor: Nullable(Type.Integer({ minimum: 1 })),
});

export const WireVoidRequest = Type.Object({ reference: Code, tracking_code: Code });
export const WireVoidResponse = Type.Object({
  data: Type.Object({ refund: OneOf(["pending", "approved"]) }),
});

export const TimeOfDay = Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$" });
/** A scan: the carrier's own code and text, in the local time of the place. */
export const WireTrackingEvent = Type.Object({
  code: Code,
  text: Type.String({ maxLength: 500 }),
  local_time: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$" }),
  utc_offset: Type.String({ pattern: "^[+-]\\d{2}:\\d{2}$" }),
  city: Nullable(Type.String({ maxLength: 100 })),
  province: Nullable(Type.String({ maxLength: 100 })),
  country: Nullable(Type.String({ pattern: "^[A-Z]{2}$" })),
});
export type WireTrackingEvent = Static<typeof WireTrackingEvent>;

export const WireTracking = Type.Object({
  tracking_code: Code,
  estimated_delivery_date: Nullable(Day),
  signed_by: Nullable(Type.String({ maxLength: 100 })),
  /** Of freight, once it has one. */
  pro_number: Type.Optional(Nullable(Code)),
  /** Newest first. */
  events: Type.Array(WireTrackingEvent, { maxItems: 500 }),
});
export type WireTracking = Static<typeof WireTracking>;

/** None for a code that the carrier does not know. */
export const WireTrackingResponse = Type.Object({
  data: Type.Array(WireTracking, { maxItems: 1 }),
});

/** Metadata, which the processor does not interpret. */
export const WirePurpose = Type.Object({
  account_id: Code,
  transaction_id: Code,
  idempotency_key: Nullable(Type.String({ maxLength: 255 })),
});
export type WirePurpose = Static<typeof WirePurpose>;

export const WireChargeRequest = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 100 }),
  amount_cents: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  currency: Currency,
  payment_method: Code,
  purpose: Type.Optional(WirePurpose),
});
export type WireChargeRequest = Static<typeof WireChargeRequest>;

export const WireCharge = Type.Object({
  charge_id: Code,
  reference: Type.String(),
  amount_cents: Cents,
  currency: Currency,
  payment_method: Code,
  refunded_cents: Cents,
  /** The amount that the cardholder's bank took back. */
  disputed_cents: Cents,
});
export type WireCharge = Static<typeof WireCharge>;

export const WireListedCharge = Type.Object({
  ...WireCharge.properties,
  purpose: Nullable(WirePurpose),
  charged_at: Type.String({ format: "date-time" }),
});
export type WireListedCharge = Static<typeof WireListedCharge>;

export const WireRefundRequest = Type.Object({
  reference: Type.String({ minLength: 1, maxLength: 100 }),
  charge_reference: Type.String({ minLength: 1, maxLength: 100 }),
  amount_cents: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
});
export type WireRefundRequest = Static<typeof WireRefundRequest>;

export const WireRefund = Type.Object({
  refund_id: Code,
  reference: Type.String(),
  charge_id: Code,
  amount_cents: Cents,
  currency: Currency,
});
export type WireRefund = Static<typeof WireRefund>;

/** A refund or dispute of a charge, whichever side opened it: `reference` is its own. */
export const WireListedReversal = Type.Object({
  kind: OneOf(["refund", "dispute"]),
  reversal_id: Code,
  reference: Type.String(),
  amount_cents: Cents,
  reversed_at: Type.String({ format: "date-time" }),
  charge: WireListedCharge,
});
export type WireListedReversal = Static<typeof WireListedReversal>;

/** Every response of 400 and above. */
export const WireFailure = Type.Object({
  error: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 100 }),
    message: Type.String({ maxLength: 2_000 }),
    decline_code: Type.Optional(Type.String({ maxLength: 100 })),
    /** With `price_changed`: the label's current cost. */
    actual_cost: Type.Optional(Type.Object({ amount_cents: Cents, currency: Currency })),
  }),
});

/** Who calls, as `<environment>_<account>`, where the credential is a connection's. */
export const callerHeader = "x-simulated-caller";

export const WireAccountResponse = Type.Object({ data: Type.Object({ caller: Type.String() }) });
