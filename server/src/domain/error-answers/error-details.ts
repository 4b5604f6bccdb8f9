import { Type, type TSchema } from "typebox";
import type { ErrorCode } from "../errors/errors.ts";
import { AddOnCode, ExcludedService, ExclusionReason } from "../pricing/rate.ts";
import { Currency, Logged, Money, Nullable, Opaque } from "../values/schema.ts";
import { Scope } from "../accounts/scopes.ts";
import { ShipmentStatus, ShipmentType } from "../shipments/shipment-status.ts";

interface ErrorDetails {
  schema: TSchema;
  example: Record<string, unknown>;
}

type DetailsByCode = Partial<Record<ErrorCode, ErrorDetails>>;

const shipment_id = "shp_01k6x3v2m4f8r9t0a1b2c3d4e5";
const text = Type.String();
/** For the log: codes of carriers and services, and what carriers and we call things. */
const known = Logged(Type.String(), "known");
const ours = Logged(Type.String());
const texts = Type.Array(Type.String());
const maybe = Type.Optional;

/** Of a purchase that `POST /labels` began: the draft that stays. */
const ofDraft = { shipment_id: maybe(text) };
/** Of several shipments: why each cannot be taken. */
const statuses = maybe(
  Type.Object(
    {},
    {
      additionalProperties: ShipmentStatus,
      $id: "StatusByShipment",
      description: "A shipment's id → its status.",
    },
  ),
);
const excluded_services = maybe(Type.Array(Opaque(ExcludedService)));

const ofRequests: DetailsByCode = {
  validation_failed: {
    schema: Type.Object(
      {},
      {
        additionalProperties: texts,
        $id: "FieldProblems",
        description: "Dotted path of each failing field → sentences.",
      },
    ),
    example: { "packages.0.weight": ["must be greater than 0."] },
  },
  too_many_rows: {
    schema: Type.Object({ max: Type.Integer(), rows: maybe(Type.Integer()) }),
    example: { max: 500, rows: 501 },
  },
  version_gone: {
    schema: Type.Object({ current: Type.String({ description: "The base address to use." }) }),
    example: { current: "/api/v5" },
  },
  payload_too_large: {
    schema: Type.Object({ max: maybe(Type.Integer({ description: "Values of a body." })) }),
    example: {},
  },
  replay_unavailable: {
    schema: Type.Object({ status: Type.Integer({ description: "Of the first response." }) }),
    example: { status: 201 },
  },
  criteria_too_slow: {
    schema: Type.Object({ limit_ms: Type.Integer() }),
    example: { limit_ms: 5000 },
  },
  unavailable: {
    schema: Type.Object({ ...ofDraft, retryable: maybe(Type.Boolean()) }),
    example: {},
  },
  scope_missing: {
    schema: Type.Object({
      required_scopes: Type.Array(Scope, { description: "Any one of them would do." }),
      token_scopes: texts,
    }),
    example: { required_scopes: ["shipments:write"], token_scopes: ["rates:read"] },
  },
  feature_disabled: {
    schema: Type.Object({ setting: ours }),
    example: { setting: "own_carrier_accounts" },
  },
  organization_required: {
    schema: Type.Object({
      organizations: Type.Array(Type.Object({ id: text, name: text }, { $id: "OwnOrganization" })),
    }),
    example: { organizations: [{ id: "org_01k6x3v2m4f8r9t0a1b2c3d4e5", name: "Maple Goods" }] },
  },
  strong_required: {
    schema: Type.Object({ strong_until: Nullable(text) }),
    example: { strong_until: null },
  },
  https_required: {
    schema: Type.Object({ public_url: text }),
    example: { public_url: "https://ship.example.com" },
  },
  idempotency_in_progress: { schema: Type.Object(ofDraft), example: {} },
  method_not_allowed: {
    schema: Type.Object({
      allow: maybe(Type.String({ description: "As the `Allow` header." })),
      import: maybe(Type.String({ description: "The call that creates them instead." })),
      setting: maybe(Type.String({ description: "Of the account, which allows this call." })),
    }),
    example: { allow: "GET, HEAD" },
  },
};

/** The shipment's status at the time of the call. */
const shipmentStatus = { status: ShipmentStatus };
const refusal = {
  carrier: Nullable(Logged(Type.String({ description: "The outside party's code." }), "known")),
  carrier_code: Logged(Type.String({ description: "The outside party's own code of the error." })),
  carrier_message: text,
  retryable: Type.Boolean({ description: "Whether the same may succeed soon." }),
};
const one = Type.Object(refusal, { $id: "OutsideRefusal" });
const carriers = maybe(
  Type.Array(one, { description: "Of a pickup or manifest: what was said at each call." }),
);
const maybeRefused = {
  reason: maybe(ours),
  carrier: maybe(known),
  carrier_code: maybe(ours),
  carrier_message: maybe(text),
};
const ofShipments: DetailsByCode = {
  already_labelled: {
    schema: Type.Object({
      shipment_id: text,
      ...shipmentStatus,
      service: Nullable(known),
      tracking_code: Nullable(ours),
      purchased_at: Nullable(text),
    }),
    example: {
      shipment_id,
      status: "purchased",
      service: "canada_post.expedited_parcel",
      tracking_code: "7000123456789012",
      purchased_at: "2026-10-05T14:03:22.120Z",
    },
  },
  purchase_pending: {
    schema: Type.Object({
      shipment_id: maybe(text),
      pickup_id: maybe(text),
      status: maybe(text),
    }),
    example: { shipment_id, status: "purchase_pending" },
  },
  on_hold: {
    schema: Type.Object({ shipment_id: text, ...shipmentStatus }),
    example: { shipment_id, status: "draft" },
  },
  not_ltl: {
    schema: Type.Object({ shipment_id: text, type: ShipmentType, ...shipmentStatus }),
    example: { shipment_id, type: "courier", status: "purchased" },
  },
  use_ltl_cancel: { schema: Type.Object(shipmentStatus), example: { status: "booked" } },
  not_voidable: {
    schema: Type.Object({ ...shipmentStatus, ...maybeRefused }),
    example: { status: "in_transit", reason: "already_moving" },
  },
  not_cancellable: {
    schema: Type.Object({ pickup_id: maybe(text), status: ours, ...maybeRefused, carriers }),
    example: { status: "booked", reason: "picked_up" },
  },
  not_labelled: {
    schema: Type.Object({ status: maybe(ShipmentStatus), shipment_ids: maybe(texts), statuses }),
    example: { status: "draft" },
  },
  label_not_ready: {
    schema: Type.Object({ shipment_id: text, label_status: text }),
    example: { shipment_id, label_status: "pending" },
  },
  not_courier: {
    schema: Type.Object({ shipment_ids: maybe(texts), statuses }),
    example: { shipment_ids: [shipment_id], statuses: { [shipment_id]: "draft" } },
  },
};

const ofPurchases: DetailsByCode = {
  insufficient_credits: {
    schema: Type.Object({
      required: Money(),
      available: Money(),
      currency: Currency(),
      ...ofDraft,
    }),
    example: { required: 18.44, available: 7.5, currency: "CAD" },
  },
  payment_failed: {
    schema: Type.Object({
      decline_code: Logged(Type.String({ description: "The card processor's." })),
    }),
    example: { decline_code: "insufficient_funds" },
  },
  rate_changed: {
    schema: Type.Object({
      service: maybe(known),
      expected_total: maybe(Money()),
      total: maybe(Nullable(Money({ description: "What it costs now; null when not known." }))),
      currency: maybe(Currency()),
      rate_id: maybe(text),
      carrier: maybe(known),
      max_total: maybe(Money({ description: "What a rule allows it to cost." })),
      ...ofDraft,
    }),
    example: {
      service: "canada_post.expedited_parcel",
      expected_total: 18.44,
      total: 19.02,
      currency: "CAD",
    },
  },
  rejected_by_rule: {
    schema: Type.Object({ rule_id: text, rule_name: text, ...ofDraft }),
    example: { rule_id: "rul_01k6x3v2m4f8r9t0a1b2c3d4e5", rule_name: "No glass" },
  },
  unserviceable: {
    schema: Type.Object({
      service: maybe(known),
      reason: maybe(ExclusionReason),
      retryable: maybe(Type.Boolean()),
      rate_id: maybe(text),
      max_total: maybe(Money({ description: "What a rule allows it to cost." })),
      add_on: maybe(AddOnCode),
      offered_add_ons: maybe(Type.Array(AddOnCode)),
      excluded_services,
      ...ofDraft,
    }),
    example: { service: "usps.priority", reason: "origin_not_supported", retryable: false },
  },
};

const example = {
  carrier: "canada_post",
  carrier_code: "500",
  carrier_message: "Canada Post answered with status 500.",
  retryable: true,
};
const ofOutsideParties: DetailsByCode = {
  carrier_error: {
    schema: Type.Object({
      ...refusal,
      field: maybe(
        Type.String({ description: "The field that the carrier means, where it says so." }),
      ),
      service: maybe(known),
      excluded_services,
      pickup_id: maybe(text),
      manifest_id: maybe(text),
      carriers,
      ...ofDraft,
    }),
    example,
  },
  classifier_error: { schema: one, example: { ...example, carrier: "zonos" } },
  payment_provider_error: { schema: one, example: { ...example, carrier: null } },
};

const status = Type.Object({ status: ours });
/** The most that an account may have of something. */
const most = maybe(Type.Integer());
/** What stands in the way, by the resource: each use has some of these. */
const conflict = Type.Object({
  status: maybe(ours),
  status_reason: maybe(Nullable(text)),
  disabled_reason: maybe(Nullable(text)),
  state: maybe(ours),
  name: maybe(text),
  sku: maybe(text),
  order_id: maybe(text),
  order_number: maybe(text),
  source: maybe(Nullable(text)),
  carrier: maybe(known),
  shipment_ids: maybe(texts),
  statuses,
  manifest_ids: maybe(texts),
  open_attempts: maybe(Type.Integer()),
  pending_refunds: maybe(Type.Integer()),
  pending_files: maybe(Type.Integer()),
  open_pickups: maybe(Type.Integer()),
  max: most,
  addresses_max: most,
  connections_max: most,
  presets_max: most,
  secrets_max: most,
  tokens_max: most,
  webhooks_max: most,
  ...ofDraft,
});

const ofOtherResources: DetailsByCode = {
  conflict: { schema: conflict, example: { status: "cancelled" } },
  order_in_use: {
    schema: Type.Object({
      status: ours,
      shipments: Type.Array(
        Type.Object({ id: text, status: ShipmentStatus }, { $id: "LiveShipment" }),
      ),
    }),
    example: { status: "fulfilled", shipments: [{ id: shipment_id, status: "purchased" }] },
  },
  filter_in_use: {
    schema: Type.Object({ used_by_rules: Type.Integer(), rule_ids: texts }),
    example: { used_by_rules: 1, rule_ids: ["rul_01k6x3v2m4f8r9t0a1b2c3d4e5"] },
  },
  shipment_in_use: {
    schema: Type.Object({
      shipment_ids: maybe(texts),
      batch_ids: maybe(texts),
      batch_id: maybe(text),
      pickup_ids: maybe(texts),
    }),
    example: { shipment_ids: [shipment_id], batch_ids: ["bat_01k6x3v2m4f8r9t0a1b2c3d4e5"] },
  },
  batch_processing: { schema: status, example: { status: "processing" } },
  batch_not_open: { schema: status, example: { status: "completed" } },
  cursor_expired: {
    schema: Type.Object({ oldest_cursor: text }),
    example: { oldest_cursor: "20481" },
  },
  statement_not_ready: { schema: status, example: { status: "generating" } },
};

/**
 * The `details` of an error by its code, with an example (decision 2). A code that is not here has no
 * details, or different ones by use. Fields that are not always present are optional; clients ignore what
 * they do not know.
 */
export const errorDetails: DetailsByCode = {
  ...ofRequests,
  ...ofShipments,
  ...ofPurchases,
  ...ofOutsideParties,
  ...ofOtherResources,
};
