import type { ColumnType, JSONColumnType, Kysely, Transaction } from "kysely";
import type { ConnectionBudgets } from "../domain/accounts/connection-budgets.ts";
import type { ConnectionStatus, UnheardPolicy } from "../domain/accounts/connection-status.ts";
import type { Role } from "../domain/accounts/roles.ts";
import type { Address } from "../domain/addresses/address.ts";
import type { KnownLocation } from "../domain/locations/location.ts";
import type { BatchStatus, ItemStatus } from "../domain/batches/batch-states.ts";
import type {
  DeliveryStatus,
  DeliveryTrigger,
  WebhookStatus,
} from "../domain/events/webhook-states.ts";
import type { ErrorBody } from "../domain/errors/errors.ts";
import type { OrderItem } from "../domain/orders/fulfilment.ts";
import type { OrderPackage } from "../domain/orders/order-rules.ts";
import type { OrderSource, OrderStatus } from "../domain/orders/order-status.ts";
import type { Target } from "../domain/criteria/fields.ts";
import type { Criteria } from "../domain/criteria/schema.ts";
import type {
  FreightCancellation,
  FreightDelivery,
  FreightPickup,
  HandlingUnit,
} from "../domain/goods/freight.ts";
import type { AddressUse } from "../domain/addresses/address-use.ts";
import type { Item, Package, PackageType, SizeUnit, WeightUnit } from "../domain/goods/parcel.ts";
import type { ManifestStatus } from "../domain/manifests/manifest-states.ts";
import type { PartStatus, PickupStatus } from "../domain/pickups/pickup-states.ts";
import type { ManufacturerAddress } from "../domain/products/mid-code.ts";
import type { Classification, HsCodeSource, ProductFields } from "../domain/products/product.ts";
import type { ProductStatus } from "../domain/products/product-states.ts";
import type { Verification } from "../domain/products/verification.ts";
import type { StatementStatus } from "../domain/billing/statement-states.ts";
import type { Action } from "../domain/rules/actions.ts";
import type { ShipmentAction } from "../domain/rules/order-actions.ts";
import type { RulePurchase, RuleRef, RuleEffects } from "../domain/rules/rule-effects.ts";
import type { Run } from "../domain/rules/run-rules.ts";
import type { Trigger } from "../domain/rules/triggers.ts";
import type { labelFormats, labelSizes } from "../domain/shipments/shipment-enums.ts";
import type { ShipmentStatus, TrackingStatus } from "../domain/shipments/shipment-status.ts";

/** The schema of `server/migrations/`, as Kysely knows it. One interface a table, in the same order. */

/** Set by the database when absent on insert. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** jsonb: read as the value, written as text made by `json()`. */
type Json<T> = JSONColumnType<T extends object | null ? T : never, string, string>;
type JsonDefaulted<T> = ColumnType<T, string | undefined, string>;

/** Prepares a value for a jsonb column: pg would turn a bare array into a PostgreSQL array. */
export function json(value: unknown): string {
  return JSON.stringify(value);
}

interface OrganizationsTable {
  id: string;
  name: string;
  owner_email: string;
  created_at: Defaulted<Date>;
}

interface UsersTable {
  id: string;
  /** Written by earlier releases; memberships took its place. */
  organization_id: string | null;
  email: string;
  password_hash: string | null;
  created_at: Defaulted<Date>;
  name: Defaulted<string>;
  locale: Defaulted<string>;
  totp_secret: string | null;
  totp_confirmed_at: Date | null;
  totp_step: Defaulted<number>;
  preferences: JsonDefaulted<Record<string, unknown>>;
  disabled_at: Date | null;
}

interface MembershipsTable {
  organization_id: string;
  user_id: string;
  role: Role;
  created_at: Defaulted<Date>;
}

interface OperatorsTable {
  id: string;
  email: string;
  name: Defaulted<string>;
  password_hash: string | null;
  totp_secret: string | null;
  totp_confirmed_at: Date | null;
  totp_step: Defaulted<number>;
  disabled_at: Date | null;
  created_at: Defaulted<Date>;
}

/** What a sign-in still lacks: a code of the second factor, or a second factor. */
export type SessionNeeds = "totp" | "totp_setup";

export interface SessionsTable {
  token_hash: Buffer;
  id: string;
  user_id: string | null;
  operator_id: string | null;
  needs: SessionNeeds | null;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
  strong_until: Date | null;
  ip: string;
  user_agent: string;
}

export interface InvitationsTable {
  id: string;
  organization_id: string;
  email: string;
  role: Role;
  token_hash: Buffer;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
}

interface OneTimeLinksTable {
  token_hash: Buffer;
  user_id: string | null;
  operator_id: string | null;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

interface RecoveryCodesTable {
  person_id: string;
  code_hash: Buffer;
  used_at: Date | null;
}

export interface DeviceLoginsTable {
  device_hash: Buffer;
  user_code_hash: Buffer;
  client: string;
  created_at: Date;
  expires_at: Date;
  polled_at: Date | null;
  user_id: string | null;
  organization_id: string | null;
  environment: Environment | null;
  scopes: string[] | null;
  name: string | null;
}

interface OperatorTokensTable {
  token_hash: Buffer;
  name: string;
  created_at: Defaulted<Date>;
}

interface ProcessesTable {
  id: string;
  role: string;
  started_at: Defaulted<Date>;
  heartbeat_at: Defaulted<Date>;
}

export type Environment = "live" | "test";

export interface AccountsTable {
  account_id: string;
  organization_id: string;
  environment: Environment;
  currency: Defaulted<string>;
  time_zone: Defaulted<string>;
  default_from_address: Json<Address | null>;
  settings: JsonDefaulted<Record<string, unknown>>;
  suspended_at: Date | null;
  created_at: Defaulted<Date>;
  has_statements: Defaulted<boolean>;
}

export interface AddressesTable {
  account_id: string;
  id: string;
  label: string;
  address: Json<Address>;
  uses: AddressUse[];
  /** Those of its uses that it is the account's default of. */
  default_for: AddressUse[];
  created_at: Date;
  updated_at: Date;
}

export interface CombinedDocumentsTable {
  account_id: string;
  id: string;
  file_key: string;
  bytes: number;
  sha256: string;
  shipment_ids: string[];
  created_at: Date;
}

export interface PackagePresetsTable {
  account_id: string;
  id: string;
  name: string;
  length: number | null;
  width: number | null;
  height: number | null;
  size_unit: SizeUnit | null;
  weight: number | null;
  weight_unit: WeightUnit | null;
  package_type: PackageType;
  created_at: Date;
  updated_at: Date;
}

export interface TokensTable {
  account_id: string;
  id: string;
  name: string;
  scopes: string[];
  token_hash: Buffer;
  last_four: string;
  created_by: string;
  created_at: Defaulted<Date>;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

interface IdempotencyKeysTable {
  account_id: string;
  key: string;
  fingerprint: Buffer;
  holder_id: string | null;
  created_at: Defaulted<Date>;
  /** The resource that its request made or began; the attempts that name the key are linked to it by that. */
  subject_id: string | null;
  status: number | null;
  content_type: string | null;
  location: string | null;
  /** Null for a claim, and for a response that is sealed, or was and is no longer stored. */
  body: Buffer | null;
  sealed_body: string | null;
  /** Of the response as it was first stored. */
  digest: Buffer | null;
}

interface AuditLogTable {
  account_id: string;
  id: string;
  actor: string;
  request_id: string | null;
  action: string;
  subject_id: string;
  details: JsonDefaulted<Record<string, unknown>>;
  created_at: Defaulted<Date>;
}

/** A file that belongs to a shipment; `file_key` is its name in the files provider. */
export interface StoredDocument {
  type: "label" | "commercial_invoice" | "bol" | "pallet_label" | "waybill" | "receipt";
  format: "pdf" | "zpl" | "png";
  file_key: string;
  /** The carrier sent it, as it does every label; the others are drawn here. */
  by_carrier?: true;
  /** Of the written file; absent where none was written, and in rows from before migration 0028. */
  bytes?: number;
  /** In hexadecimal digits; absent likewise. */
  sha256?: string;
}

type LabelFormat = (typeof labelFormats)[number];
type LabelSize = (typeof labelSizes)[number];

export interface ShipmentsTable {
  account_id: string;
  id: string;
  type: "courier" | "ltl";
  status: ShipmentStatus;
  tracking_status: TrackingStatus | null;
  ship_code: string;
  revision: Defaulted<number>;
  from_address: Json<Address>;
  to_address: Json<Address>;
  return_address: Json<Address>;
  is_return: Defaulted<boolean>;
  packages: Json<Package[]>;
  items: JsonDefaulted<Item[]>;
  handling_units: JsonDefaulted<HandlingUnit[]>;
  pickup: ColumnType<FreightPickup | null, string | null | undefined, string | null>;
  delivery: ColumnType<FreightDelivery | null, string | null | undefined, string | null>;
  service: string | null;
  carrier: string | null;
  service_name: string | null;
  add_ons: Defaulted<string[]>;
  selected_rate: ColumnType<object | null, string | null | undefined, string | null>;
  /** The requested format until there is a label, then the label's. */
  label_format: LabelFormat | null;
  label_size: LabelSize | null;
  documents: JsonDefaulted<StoredDocument[]>;
  tracking_code: string | null;
  confirmation_number: string | null;
  bol_number: string | null;
  pro_number: string | null;
  order_id: string | null;
  /** Of the order that it is linked to. */
  order_number: string | null;
  batch_id: string | null;
  pickup_id: string | null;
  reference: string | null;
  metadata: JsonDefaulted<Record<string, unknown>>;
  tags: Defaulted<string[]>;
  contents_type: string | null;
  incoterm: string | null;
  signature_confirmation: string | null;
  insured_value_cents: number | null;
  purchase_reference: string | null;
  carrier_label_id: string | null;
  cost_subtotal_cents: number | null;
  cost_tax_cents: number | null;
  cost_total_cents: number | null;
  cost_currency: string | null;
  /** The carrier's charge; null until it is purchased, and for labels from before it was stored. */
  carrier_cost_cents: number | null;
  /** The connection that it was bought on. */
  connection_id: string | null;
  /** The carrier did not say what it charges: the cost is what it had quoted. */
  cost_unconfirmed: Defaulted<boolean>;
  carrier_data: ColumnType<
    Record<string, unknown> | null,
    string | null | undefined,
    string | null
  >;
  /** Of a booking that was cancelled. */
  cancellation: ColumnType<FreightCancellation | null, string | null | undefined, string | null>;
  refund_status: "pending" | "approved" | "rejected" | null;
  refund_cents: number | null;
  refund_requested_at: Date | null;
  refund_resolved_at: Date | null;
  refund_reason: string | null;
  refund_check_at: Date | null;
  messages: JsonDefaulted<object[]>;
  last_error: ColumnType<object | null, string | null | undefined, string | null>;
  on_hold: Defaulted<boolean>;
  rule_terms: ColumnType<RuleEffects | null, string | null | undefined, string | null>;
  created_at: Date;
  updated_at: Date;
  purchased_at: Date | null;
  voided_at: Date | null;
  delivered_at: Date | null;
}

interface ShipmentQuotesTable {
  account_id: string;
  shipment_id: string;
  revision: number;
  rates: Json<object[]>;
  quoted_at: Date;
  expires_at: Date;
}

interface QuotesTable {
  account_id: string;
  id: string;
  digest: string;
  rates: Json<object[]>;
  expires_at: Date;
}

export type AttemptStatus = "sent" | "unknown" | "settled" | "refused" | "absent" | "review";

interface AttemptsTable {
  account_id: string;
  id: string;
  kind: string;
  subject_id: string;
  reference: string;
  party: string;
  status: AttemptStatus;
  fence: Defaulted<number>;
  holder_id: string | null;
  input: Json<object>;
  idempotency_key: string | null;
  failure: ColumnType<object | null, string | null | undefined, string | null>;
  unwanted: Defaulted<boolean>;
  look_count: Defaulted<number>;
  /** How often reversing its effect failed. */
  undo_count: Defaulted<number>;
  look_at: Date | null;
  unheard_since: Defaulted<Date | null>;
  /** By the clock of the process that sent it. */
  sent_at: Date;
  /** By the database's clock, which all queries for it use. */
  begun_at: Defaulted<Date>;
  resolved_at: Date | null;
  decision: ColumnType<object | null, string | null | undefined, string | null>;
  /** Null in rows from before migration 0040. */
  actor: Defaulted<string | null>;
  request_id: Defaulted<string | null>;
}

interface PaymentMethodsTable {
  account_id: string;
  id: string;
  brand: string;
  last4: string;
  is_default: Defaulted<boolean>;
  /** The owner of the card at the processor. */
  processor_customer: string | null;
  created_at: Defaulted<Date>;
}

interface BalancesTable {
  account_id: string;
  currency: string;
  balance_cents: Defaulted<number>;
  held_cents: Defaulted<number>;
  /** Below this balance the account is told of it; null: never. */
  low_balance_cents: Defaulted<number | null>;
  /** Below this balance the account's card is charged; null: never. */
  recharge_below_cents: Defaulted<number | null>;
  updated_at: Defaulted<Date>;
  /** How many transactions the account's chain has, and the hash of the last one. */
  chain_length: Defaulted<number>;
  chain_hash: Defaulted<Buffer>;
}

interface AutoRechargesTable {
  account_id: string;
  due_at: Date | null;
  transaction_id: string | null;
  failure_count: Defaulted<number>;
}

interface HoldsTable {
  account_id: string;
  id: string;
  amount_cents: number;
  status: "held" | "captured" | "released";
  created_at: Defaulted<Date>;
  resolved_at: Date | null;
}

export type TransactionType = "top_up" | "label" | "ltl" | "refund" | "adjustment" | "fee";

export interface LedgerTransactionsTable {
  account_id: string;
  id: string;
  type: TransactionType;
  amount_cents: number;
  subtotal_cents: number;
  tax_cents: number;
  currency: string;
  balance_after_cents: number;
  description: string;
  shipment_id: string | null;
  details: JsonDefaulted<Record<string, unknown>>;
  created_at: Date;
  /** Its position in the account's chain, from 1 on without a gap, and the hash of all its columns. */
  sequence: number;
  hash: Buffer;
}

export type Book =
  | "credits"
  | "cash"
  | "postage_revenue"
  | "tax_payable"
  | "carrier_costs"
  | "carrier_payable"
  | "adjustments"
  | "losses";

interface LedgerEntriesTable {
  account_id: string;
  transaction_id: string;
  line: number;
  book: Book;
  amount_cents: number;
  currency: string;
}

interface EventsTable {
  account_id: string;
  id: string;
  type: string;
  subject_id: string;
  data: Json<object>;
  created_at: Defaulted<Date>;
  /** Null in rows from before migration 0040. */
  actor: string | null;
  request_id: string | null;
  /** The order in which events of one subject happened; those recorded together have one. Null in rows from before 0041. */
  made: Defaulted<number | null>;
  /** In the account's feed. */
  position: number;
  /** Among the events of its subject, from 1. */
  sequence: number;
}

/** A view: events, those that wait for their position among them. */
type RecordedEventsView = Omit<EventsTable, "made" | "position" | "sequence"> & {
  position: number | null;
  sequence: number | null;
};

/** Events that were recorded together and wait for their position. */
interface EventOutboxTable {
  account_id: string;
  /** The order in which events of one subject happened. */
  made: Defaulted<number>;
  created_at: Defaulted<Date>;
  event_count: number;
  events: Json<object[]>;
}

interface EventFeedsTable {
  account_id: string;
  last_position: Defaulted<number>;
  pruned_position: Defaulted<number>;
}

interface EventSubjectsTable {
  account_id: string;
  subject_id: string;
  /** Of its events that are pruned. Releases before migration 0067 wrote it when they placed an event. */
  last_sequence: number;
}

export interface WebhooksTable {
  account_id: string;
  id: string;
  url: string;
  description: string | null;
  types: string[];
  status: WebhookStatus;
  disabled_reason: string | null;
  since_position: number;
  max_in_flight: Defaulted<number>;
  due_at: Date | null;
  holder_id: string | null;
  fence: Defaulted<number>;
  failing_since: Date | null;
  failure_count: Defaulted<number>;
  is_failing_told: Defaulted<boolean>;
  last_success_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface WebhookSecretsTable {
  account_id: string;
  webhook_id: string;
  id: string;
  sealed: string;
  created_at: Date;
  expires_at: Date | null;
}

export interface DeliveriesTable {
  account_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  trigger: DeliveryTrigger;
  status: DeliveryStatus;
  /** The event of a test, which stands in no feed. */
  sample: Json<object | null>;
  attempt_count: Defaulted<number>;
  /** Of them those before its present schedule. */
  attempts_before: Defaulted<number>;
  due_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  last_ms: number | null;
  ended_at: Date | null;
  created_at: Defaulted<Date>;
}

export interface DeliveryAttemptsTable {
  account_id: string;
  at: Date;
  delivery_id: string;
  number: number;
  ms: number;
  status: number | null;
  error: string | null;
  response_excerpt: string | null;
}

export interface RequestLogTable {
  account_id: string;
  at: Date;
  id: string;
  request_id: string;
  method: string;
  route: string;
  path: string;
  status: number;
  ms: number;
  actor: string;
  idempotency_key: string | null;
  is_replay: boolean;
  error_code: string | null;
  ip: string | null;
  /** The one shipment, order or batch that a read was about; those of other calls are in `request_subjects`. */
  subject_id: string | null;
}

export interface RequestBodiesTable {
  account_id: string;
  at: Date;
  id: string;
  request_body: string | null;
  response_body: string | null;
}

interface RequestSubjectsTable {
  account_id: string;
  at: Date;
  subject_id: string;
  request_log_id: string;
}

export interface CarrierCallsTable {
  account_id: string;
  at: Date;
  id: string;
  request_id: string | null;
  attempt_id: string | null;
  shipment_id: string | null;
  carrier: string;
  operation: string;
  ms: number;
  outcome: string;
  request_body: string | null;
  response_body: string | null;
}

interface RequestLogGapsTable {
  process_id: string;
  at: Date;
  line_count: number | null;
}

export interface PickupsTable {
  account_id: string;
  id: string;
  status: PickupStatus;
  shipment_ids: string[];
  date: string;
  ready_time: string;
  close_time: string;
  address: Json<Address>;
  contact: Json<{ name: string | null; phone: string | null; email: string | null }>;
  instructions: string | null;
  currency: string;
  created_at: Date;
  updated_at: Date;
  cancelled_at: Date | null;
}

export interface PickupPartsTable {
  account_id: string;
  pickup_id: string;
  carrier: string;
  status: PartStatus;
  shipment_ids: string[];
  package_count: number;
  weight_grams: number;
  reference: string | null;
  carrier_pickup_id: string | null;
  confirmation_number: string | null;
  fee_cents: Defaulted<number>;
  tax_cents: Defaulted<number>;
  carrier_fee_cents: Defaulted<number>;
  error: ColumnType<object | null, string | null | undefined, string | null>;
  cancel_at: Date | null;
  connection_id: string | null;
  carrier_data: ColumnType<
    Record<string, unknown> | null,
    string | null | undefined,
    string | null
  >;
  /** Other pickups have the same number: it is cancelled with the last of them. */
  shared: Defaulted<boolean>;
}

export interface ManifestsTable {
  account_id: string;
  id: string;
  carrier: string;
  status: ManifestStatus;
  created_at: Date;
  updated_at: Date;
}

/** A file of a manifest, as its carrier sent it. */
export interface StoredManifestFile {
  format: "pdf" | "zpl" | "png";
  file_key: string;
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface ManifestPartsTable {
  account_id: string;
  manifest_id: string;
  part: number;
  status: ManifestStatus;
  shipment_ids: string[];
  connection_id: string | null;
  from_address: Json<Address>;
  ship_date: string;
  reference: string | null;
  carrier_manifest_id: string | null;
  carrier_data: ColumnType<
    Record<string, unknown> | null,
    string | null | undefined,
    string | null
  >;
  documents: JsonDefaulted<StoredManifestFile[]>;
  error: ColumnType<object | null, string | null | undefined, string | null>;
}

interface ManifestShipmentsTable {
  account_id: string;
  shipment_id: string;
  manifest_id: string;
  part: number;
}

/** Labels whose carriers have their files later. */
interface PendingFilesTable {
  account_id: string;
  shipment_id: string;
  carrier: string;
  environment: Environment;
  since: Date;
  check_at: Date | null;
  is_reviewed: Defaulted<boolean>;
}

export interface TrackersTable {
  account_id: string;
  id: string;
  shipment_id: string;
  carrier: string;
  tracking_code: string;
  status: TrackingStatus;
  status_detail: string | null;
  estimated_delivery_date: string | null;
  delivered_at: Date | null;
  signed_by: string | null;
  created_at: Date;
  changed_at: Defaulted<Date>;
  failure_count: Defaulted<number>;
  look_at: Date | null;
}

export interface TrackingEventsTable {
  account_id: string;
  tracker_id: string;
  occurred_at: Date;
  carrier_code: string;
  city: string;
  description: string;
  status: TrackingStatus;
  province_code: string | null;
  country_code: string | null;
}

interface RestoresTable {
  id: string;
  taken_at: Date;
  restored_at: Defaulted<Date>;
  reconciled_at: Date | null;
  cause: Defaulted<RestoreCause>;
}

/**
 * Why data after `taken_at` may be missing: restored from a backup; committed and lost (a failover, a
 * recovery or a snapshot); a promotion that may have lost some; a copy in the database's place; or stated by
 * an operator.
 */
export type RestoreCause = "backup" | "lost_commits" | "promotion" | "copied" | "operator";

/** The one row by which a database that was set back is detected (`continuity.ts`). */
interface DatabaseContinuityTable {
  is_only: Defaulted<boolean>;
  installation_id: string;
  system_identifier: string | null;
  database_oid: number;
  timeline: string | null;
  is_synchronous: boolean;
  counter: number;
  counted_at: Date;
}

export interface LocationsTable {
  id: string;
  environment: Environment;
  carrier: string;
  external_id: string;
  name: string;
  type: KnownLocation["type"];
  address: Json<Address>;
  country_code: string;
  province_code: string | null;
  latitude: number;
  longitude: number;
  time_zone: string;
  phone: string | null;
  hours: JsonDefaulted<KnownLocation["hours"]>;
  services: Defaulted<KnownLocation["services"]>;
  accepts: Defaulted<KnownLocation["accepts"]>;
  active: Defaulted<boolean>;
  updated_at: Date;
}

export interface CarrierConnectionsTable {
  account_id: string;
  id: string;
  carrier: string;
  environment: Environment;
  name: string;
  plain_values: Json<Record<string, string>>;
  sealed_secrets: string;
  secret_hint: string | null;
  status: ConnectionStatus;
  is_default: boolean;
  unheard_policy: UnheardPolicy;
  budgets: ColumnType<ConnectionBudgets | null, string | null, string | null>;
  last_test: ColumnType<
    { at: string; ok: boolean; code: string } | null,
    string | null | undefined,
    string | null
  >;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface ExchangeRatesTable {
  id: string;
  base: string;
  quote: string;
  /** numeric: read as text. */
  rate: ColumnType<string, number | string, number | string>;
  valid_from: ColumnType<Date, string, string>;
  source: "manual" | "bank_of_canada" | "csv";
  created_at: Date;
  updated_at: Date;
}

interface LocationCataloguesTable {
  environment: Environment;
  version: number;
}

export interface BatchesTable {
  account_id: string;
  id: string;
  name: string;
  status: Defaulted<BatchStatus>;
  shipment_ids: string[];
  service: string | null;
  label_format: LabelFormat | null;
  label_size: LabelSize | null;
  success_count: Defaulted<number>;
  error_count: Defaulted<number>;
  total_cost_cents: Defaulted<number>;
  created_at: Date;
  process_started_at: Date | null;
  processed_at: Date | null;
  combined_file_key: Defaulted<string | null>;
  combined_bytes: Defaulted<number | null>;
  combined_sha256: Defaulted<string | null>;
  /** From when on its labels are to be combined; null when they are, or need not be. */
  combine_at: Defaulted<Date | null>;
  combine_holder_id: Defaulted<string | null>;
  /** Of the request that began its processing. */
  actor: Defaulted<string | null>;
  request_id: Defaulted<string | null>;
}

export interface BatchItemsTable {
  account_id: string;
  batch_id: string;
  shipment_id: string;
  place: number;
  status: Defaulted<ItemStatus>;
  holder_id: string | null;
  attempt_id: string | null;
  not_before: Date | null;
  tries: Defaulted<number>;
  cost_cents: number | null;
  error: ColumnType<object | null, string | null | undefined, string | null>;
}

/** The buyer. */
interface StoredCustomer {
  name: string | null;
  company: string | null;
  email: string | null;
  phone: string | null;
  external_id: string | null;
}

export interface OrdersTable {
  account_id: string;
  id: string;
  order_number: string;
  source: OrderSource;
  status: OrderStatus;
  customer: ColumnType<StoredCustomer | null, string | null | undefined, string | null>;
  to_address: Json<Address>;
  from_address: ColumnType<Address | null, string | null | undefined, string | null>;
  items: JsonDefaulted<OrderItem[]>;
  packages: JsonDefaulted<OrderPackage[]>;
  requested_service: string | null;
  subtotal_cents: number | null;
  shipping_cents: number | null;
  discount_cents: number | null;
  tax_cents: number | null;
  total_cents: number | null;
  currency: string;
  notes: string | null;
  tags: Defaulted<string[]>;
  placed_at: Date;
  metadata: JsonDefaulted<Record<string, unknown>>;
  /** Actions of rules for the shipments that are made from it. */
  shipment_actions: JsonDefaulted<ShipmentAction[]>;
  created_at: Date;
  updated_at: Date;
}

export interface FiltersTable {
  account_id: string;
  id: string;
  name: string;
  target: Target;
  criteria: Json<Criteria>;
  created_at: Date;
  updated_at: Date;
}

export interface ProductsTable {
  account_id: string;
  sku: string;
  /** Sorts in the order of arrival; never shown. */
  id: string;
  title: string;
  description: string | null;
  customs_description: string | null;
  hs_code: string | null;
  hs_code_source: HsCodeSource | null;
  hs_confidence: number | null;
  manufacturer: string | null;
  manufacturer_address: ColumnType<
    ManufacturerAddress | null,
    string | null | undefined,
    string | null
  >;
  country_of_origin: string | null;
  value_cents: number | null;
  currency: string | null;
  weight: number | null;
  weight_unit: WeightUnit | null;
  image_url: string | null;
  store: string | null;
  external_id: string | null;
  status: ProductStatus;
  status_reason: string | null;
  cusma: ColumnType<Verification | null, string | null | undefined, string | null>;
  classification: ColumnType<Classification | null, string | null | undefined, string | null>;
  approved_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface ImportsTable {
  account_id: string;
  id: string;
  /** `csv` when it was detected from the header. */
  format: string;
  status: "processing" | "completed" | "completed_with_errors";
  row_count: number;
  processed_count: number;
  created_count: number;
  updated_count: number;
  error_count: number;
  holder_id: string | null;
  taken_at: Date | null;
  created_at: Date;
  completed_at: Date | null;
  /** Null in rows from before migration 0040. */
  actor: string | null;
  request_id: string | null;
}

export interface ImportRowsTable {
  account_id: string;
  import_id: string;
  row: number;
  line: number | null;
  sku: string | null;
  status: "waiting" | "created" | "updated" | "error";
  fields: ColumnType<Partial<ProductFields> | null, string | null, string | null>;
  error: ColumnType<ErrorBody | null, string | null, string | null>;
}

interface DeniedPartiesTable {
  place: number;
  name: string;
  source: string;
}

interface DeniedPartyListsTable {
  is_current: boolean;
  version: number;
}

interface HsCodesTable {
  code: string;
  wording: string;
}

interface HsTablesTable {
  is_current: boolean;
  version: number;
}

export interface StatementsTable {
  account_id: string;
  id: string;
  number: string;
  time_zone: string;
  ends_at: Date;
  currency: string;
  status: StatementStatus;
  after_sequence: number;
  through_sequence: number;
  opening_cents: number;
  closing_cents: number;
  top_ups_cents: Defaulted<number>;
  labels_cents: Defaulted<number>;
  ltl_cents: Defaulted<number>;
  refunds_cents: Defaulted<number>;
  adjustments_cents: Defaulted<number>;
  fees_cents: Defaulted<number>;
  taxes_cents: Defaulted<number>;
  pdf_key: string | null;
  pdf_bytes: Defaulted<number | null>;
  pdf_sha256: Defaulted<string | null>;
  csv_key: string | null;
  csv_bytes: Defaulted<number | null>;
  csv_sha256: Defaulted<string | null>;
  due_at: Date | null;
  holder_id: string | null;
  created_at: Date;
}

export interface RulesTable {
  account_id: string;
  id: string;
  name: string;
  enabled: boolean;
  priority: number;
  trigger: Trigger;
  filter_id: string | null;
  criteria: ColumnType<Criteria | null, string | null, string | null>;
  actions: Json<Action[]>;
  stop_processing: boolean;
  created_at: Date;
  updated_at: Date;
}

interface RuleSetsTable {
  account_id: string;
  version: string;
}

interface RuleRunCountsTable {
  account_id: string;
  rule_id: string;
  part: number;
  run_count: number;
  last_run_at: Date;
}

export interface RuleRunsTable extends Run {
  account_id: string;
  id: string;
  subject_type: "order" | "shipment";
  subject_id: string;
  purchase: ColumnType<RulePurchase | null, string | null | undefined, string | null>;
  created_at: Date;
  /** Null in rows from before migration 0049. */
  request_id: string | null;
}

export interface RulePurchasesTable extends RuleRef {
  account_id: string;
  shipment_id: string;
  run_id: string;
  max_total_cents: number;
  status: Defaulted<"waiting" | "claimed" | "pending">;
  holder_id: string | null;
  attempt_id: string | null;
  not_before: Date;
  tries: Defaulted<number>;
  /** Null in rows from before migration 0040. */
  actor: string | null;
  request_id: string | null;
}

export interface Tables {
  organizations: OrganizationsTable;
  users: UsersTable;
  memberships: MembershipsTable;
  operators: OperatorsTable;
  sessions: SessionsTable;
  invitations: InvitationsTable;
  one_time_links: OneTimeLinksTable;
  recovery_codes: RecoveryCodesTable;
  device_logins: DeviceLoginsTable;
  operator_tokens: OperatorTokensTable;
  processes: ProcessesTable;
  accounts: AccountsTable;
  tokens: TokensTable;
  idempotency_keys: IdempotencyKeysTable;
  audit_log: AuditLogTable;
  shipments: ShipmentsTable;
  shipment_quotes: ShipmentQuotesTable;
  quotes: QuotesTable;
  attempts: AttemptsTable;
  payment_methods: PaymentMethodsTable;
  balances: BalancesTable;
  auto_recharges: AutoRechargesTable;
  holds: HoldsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  events: EventsTable;
  event_feeds: EventFeedsTable;
  event_outbox: EventOutboxTable;
  recorded_events: RecordedEventsView;
  event_subjects: EventSubjectsTable;
  webhooks: WebhooksTable;
  webhook_secrets: WebhookSecretsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  request_log: RequestLogTable;
  request_bodies: RequestBodiesTable;
  request_subjects: RequestSubjectsTable;
  carrier_calls: CarrierCallsTable;
  request_log_gaps: RequestLogGapsTable;
  pickups: PickupsTable;
  pickup_parts: PickupPartsTable;
  manifests: ManifestsTable;
  manifest_parts: ManifestPartsTable;
  manifest_shipments: ManifestShipmentsTable;
  pending_files: PendingFilesTable;
  restores: RestoresTable;
  database_continuity: DatabaseContinuityTable;
  locations: LocationsTable;
  location_catalogues: LocationCataloguesTable;
  batches: BatchesTable;
  batch_items: BatchItemsTable;
  orders: OrdersTable;
  filters: FiltersTable;
  statements: StatementsTable;
  rules: RulesTable;
  rule_sets: RuleSetsTable;
  rule_run_counts: RuleRunCountsTable;
  rule_runs: RuleRunsTable;
  rule_purchases: RulePurchasesTable;
  trackers: TrackersTable;
  tracking_events: TrackingEventsTable;
  products: ProductsTable;
  imports: ImportsTable;
  import_rows: ImportRowsTable;
  denied_parties: DeniedPartiesTable;
  denied_party_lists: DeniedPartyListsTable;
  hs_codes: HsCodesTable;
  hs_tables: HsTablesTable;
  addresses: AddressesTable;
  package_presets: PackagePresetsTable;
  combined_documents: CombinedDocumentsTable;
  exchange_rates: ExchangeRatesTable;
  carrier_connections: CarrierConnectionsTable;
}

/** The handle on the database, which a transaction is not. Every statement commits by itself. */
export interface Database extends Kysely<Tables> {
  readonly isTransaction: false;
}
/** A transaction. Functions that write take one, always first. */
export type Tx = Transaction<Tables>;
