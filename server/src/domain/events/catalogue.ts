import { Type, type Static, type TObject, type TSchema } from "typebox";
import { Environment } from "../accounts/environment.ts";
import { BatchStatus } from "../batches/batch-states.ts";
import { OrderSource, OrderStatus } from "../orders/order-status.ts";
import { ManifestStatus } from "../manifests/manifest-states.ts";
import { PartStatus, PickupStatus } from "../pickups/pickup-states.ts";
import { ProductStatus } from "../products/product-states.ts";
import {
  RefundStatus,
  ShipmentStatus,
  ShipmentType,
  TrackingStatus,
} from "../shipments/shipment-status.ts";
import { Currency, Moment, Money, Nullable, OneOf } from "../values/schema.ts";

/**
 * The catalogue of events: of each type what it says and the schema of its `data`. It types every event that
 * is written, and is published as `GET /event-types`, in the OpenAPI document and in docs/events.md.
 *
 * `data` holds facts and ids, no name, address, telephone number or e-mail: it lies in other people's logs.
 * Fields are added within v5, never removed.
 */

const Id = (prefix: string, description?: string) =>
  Type.String({
    examples: [`${prefix}_01jz8n6t3ye5d9m2k4c7v0p1qa`],
    ...(description ? { description } : {}),
  });
const Code = (...examples: string[]) => Type.String({ examples });
const Count = (example = 1) => Type.Integer({ minimum: 0, examples: [example] });
const Amount = (example = 14.87) => Money({ examples: [example] });
const Carrier = Code("canada_post");

const shipment = {
  shipment_id: Id("shp"),
  order_id: Nullable(Id("ord")),
  shipment_type: ShipmentType,
  status: ShipmentStatus,
};
const moved = { ...shipment, previous_status: ShipmentStatus };
const label = {
  carrier: Nullable(Carrier),
  service: Nullable(Code("expedited_parcel")),
  tracking_code: Nullable(Code("7023210039414604")),
};
/** Money that moved: `total` is what the account paid or got back. */
const money = {
  total: Amount(),
  currency: Currency(),
  transaction_id: Id("txn"),
};
const batch = { batch_id: Id("bat"), status: BatchStatus };
const manifest = {
  manifest_id: Id("man"),
  status: ManifestStatus,
  carrier: Carrier,
  shipment_ids: Type.Array(Id("shp")),
};
const pickup = {
  pickup_id: Id("pku"),
  status: PickupStatus,
  previous_status: PickupStatus,
  date: Type.String({ format: "date", examples: ["2026-11-23"] }),
  shipment_ids: Type.Array(Id("shp")),
  carriers: Type.Array(
    Type.Object({
      carrier: Carrier,
      status: PartStatus,
      confirmation_number: Nullable(Code("PU20481")),
    }),
  ),
};
const order = {
  order_id: Id("ord"),
  order_number: Code("1001"),
  source: OrderSource,
  status: OrderStatus,
};
const token = {
  token_id: Id("tok"),
  environment: Environment,
  scopes: Type.Array(Code("shipments:read")),
  expires_at: Nullable(Moment()),
};
const webhook = { webhook_id: Id("whk") };

/** What a type's events say, in one sentence, and their data. */
function type<P extends Record<string, TSchema>>(summary: string, properties: P) {
  return { summary, data: Type.Object(properties, { additionalProperties: false }) };
}

export const eventTypes = {
  "shipment.created": type("A shipment was created.", {
    ...shipment,
    batch_id: Nullable(Id("bat")),
  }),
  "shipment.purchased": type("A label was bought and paid.", { ...moved, ...label, ...money }),
  "shipment.label_ready": type(
    "The file of a bought label has come, which its carrier did not have at once.",
    { ...shipment, ...label },
  ),
  "shipment.purchase_failed": type("No label was issued; the held money is free again.", {
    ...moved,
    carrier: Nullable(Carrier),
    error: Type.Object({
      code: Code("carrier_error"),
      carrier_code: Code("refused"),
    }),
  }),
  "shipment.voided": type("A draft was cancelled or a label voided.", {
    ...moved,
    ...label,
    refund_status: Nullable(RefundStatus),
  }),
  "ltl.booked": type("A freight shipment was booked and paid.", {
    ...moved,
    ...label,
    ...money,
    confirmation_number: Nullable(Code("CNF-20481")),
    bol_number: Nullable(Code("BOL-20481")),
    pro_number: Nullable(Code("123456789")),
  }),
  "ltl.cancelled": type("A freight booking was cancelled; `refund` is the price less the fee.", {
    ...moved,
    ...label,
    carrier_confirmation: Code("CX-20481"),
    fee: Amount(25),
    refund: Amount(180.4),
    currency: Currency(),
  }),
  "refund.approved": type("The money for a voided label is in the balance again.", {
    ...shipment,
    ...label,
    ...money,
    refund_status: OneOf(["approved"] as const),
  }),
  "refund.rejected": type(
    "The carrier refused to refund a voided label, which is in force again.",
    {
      ...moved,
      ...label,
      refund_status: OneOf(["rejected"] as const),
    },
  ),
  "tracking.updated": type("A package has new scans, or its shipment moved with it.", {
    tracker_id: Id("trk"),
    shipment_id: Id("shp"),
    order_id: Nullable(Id("ord")),
    ...label,
    status: TrackingStatus,
    previous_status: TrackingStatus,
    estimated_delivery_date: Nullable(Type.String({ examples: ["2026-11-26"] })),
    delivered_at: Nullable(Moment()),
    shipment_status: ShipmentStatus,
  }),
  "batch.completed": type("Every shipment of a batch has its label or its error.", {
    ...batch,
    previous_status: BatchStatus,
    shipment_count: Count(50),
    success_count: Count(49),
    error_count: Count(1),
    total: Amount(612.5),
    currency: Currency(),
  }),
  "pickup.scheduled": type("Every carrier has answered, and at least one accepted.", pickup),
  "pickup.cancelled": type(
    "The pickup was cancelled with every carrier that had accepted it.",
    pickup,
  ),
  "pickup.failed": type("No carrier accepted the pickup.", pickup),
  "manifest.created": type(
    "Labels were handed over: every part of a manifest has an outcome, and at least one was made.",
    manifest,
  ),
  "manifest.failed": type(
    "No part of a manifest was made; its shipments are free again.",
    manifest,
  ),
  "order.created": type("An order was created.", order),
  "order.fulfilled": type("Every line of an order has a shipment with a label.", {
    ...order,
    previous_status: OrderStatus,
  }),
  "product.status_changed": type("A product has another status, its first one included.", {
    sku: Code("MUG-01"),
    status: ProductStatus,
    previous_status: Nullable(ProductStatus),
  }),
  "import.completed": type("Every row of an import was handled.", {
    import_id: Id("imp"),
    status: OneOf(["completed", "completed_with_errors"] as const, { $id: "EndedImportStatus" }),
    previous_status: OneOf(["processing"] as const),
    row_count: Count(120),
    created_count: Count(100),
    updated_count: Count(18),
    error_count: Count(2),
  }),
  "rule.failed": type(
    "An automation rule could not do what it says: once for all that one request created; ids are of the first.",
    {
      rule_id: Id("rul"),
      run_id: Id("run"),
      shipment_id: Nullable(Id("shp")),
      order_id: Nullable(Id("ord")),
      failure_count: Type.Integer({ minimum: 1, examples: [1] }),
      error: Type.Object({ code: Code("carrier_error") }),
    },
  ),
  "credits.topped_up": type("Money was added to the balance.", {
    ...money,
    balance: Amount(250),
  }),
  "credits.low_balance": type("The balance fell below the account's threshold.", {
    balance: Amount(18.2),
    threshold: Amount(50),
    currency: Currency(),
  }),
  "credits.recharge_failed": type(
    "The account's card was refused when it was to be charged by itself.",
    {
      total: Amount(200),
      currency: Currency(),
      reason: Code("generic_decline"),
      next_attempt_at: Nullable(Moment()),
    },
  ),
  "statement.ready": type("The statement of a month and its files are made.", {
    statement_id: Id("stm"),
    number: Code("2026-10"),
    status: OneOf(["ready"] as const),
    previous_status: OneOf(["generating"] as const),
    closing_balance: Amount(250),
    currency: Currency(),
  }),
  "review.needed": type(
    "Only the operator can determine the outcome of a call to a carrier or card processor.",
    {
      subject_id: Id("shp", "The shipment, pickup or top-up that it concerns."),
      kind: Code("label_purchase"),
      status: OneOf(["review"] as const),
    },
  ),
  "token.created": type("A token was created.", token),
  "token.revoked": type("A token was revoked.", token),
  "webhook.test": type("A sample that `POST /webhooks/{id}/test` asked for.", webhook),
  "webhook.failing": type("A webhook has had no success for 24 hours.", {
    ...webhook,
    failing_since: Moment(),
    failure_count: Count(12),
  }),
  "webhook.disabled": type("A webhook was disabled, because it kept failing or answered 410.", {
    ...webhook,
    reason: OneOf(["failing", "gone"] as const, { $id: "WebhookDisabledBecause" }),
  }),
  "feed.restored": type(
    "The platform was restored from a backup, or its database was set back: events after that moment are gone, and `cursor` jumped over their positions.",
    { from: Code("102"), to: Code("4294967398") },
  ),
} as const satisfies Record<string, { summary: string; data: TObject }>;

export type EventType = keyof typeof eventTypes;
export const EventType = OneOf(Object.keys(eventTypes) as EventType[], { $id: "EventType" });
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]["data"]>;

/** Types that no webhook gets by a wildcard, only by their own name: they concern who may do what. */
const named: readonly EventType[] = ["token.created", "token.revoked"];

/**
 * Whether a list of patterns (`*`, `shipment.*` or a type's name) selects a type. In the feed and the stream,
 * `*` selects all; a webhook gets `token.*` only where the pattern names `token`.
 */
export function selects(patterns: readonly string[], type: EventType): boolean {
  return patterns.some((pattern) => pattern === "*" || isNamedBy(pattern, type));
}

/** The types that a webhook with these patterns gets. */
export function typesFor(patterns: readonly string[]): EventType[] {
  return (Object.keys(eventTypes) as EventType[]).filter((type) =>
    named.includes(type)
      ? patterns.some((pattern) => isNamedBy(pattern, type))
      : selects(patterns, type),
  );
}

function isNamedBy(pattern: string, type: EventType): boolean {
  return pattern === type || pattern === `${type.split(".")[0]}.*`;
}

/** `*`, `shipment.*` for each family, and each type. */
export const typePatterns: readonly string[] = [
  "*",
  ...new Set(Object.keys(eventTypes).map((type) => `${type.split(".")[0]}.*`)),
  ...Object.keys(eventTypes),
];
