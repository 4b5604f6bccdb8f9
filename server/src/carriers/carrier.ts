import type { TObject } from "typebox";
import type { Address } from "../domain/addresses/address.ts";
import type { Accessorial, Freight, FreightCancellation } from "../domain/goods/freight.ts";
import type { FreightLimits } from "../domain/limits/freight-limits.ts";
import type { Cents } from "../domain/values/money.ts";
import { OutsideError, type OutsideFailure } from "../domain/errors/outside-error.ts";
import type { Item, Package } from "../domain/goods/parcel.ts";
import type { AddOnCode, ExclusionReason } from "../domain/pricing/rate.ts";
import type { ServiceLimits } from "../domain/limits/service-limits.ts";
import type { BillableWeight } from "../domain/goods/units.ts";
import type { ConnectionBudgets } from "../domain/accounts/connection-budgets.ts";
import type {
  CarrierAddresses,
  CarrierLocations,
  CarrierManifests,
  ManifestFacts,
} from "./capabilities.ts";
import type { CarrierConnection } from "./connection.ts";
import type { CarrierPickups, PickupFacts } from "./pickups.ts";
import type { CarrierTracking, TrackingEventCodes } from "./tracking.ts";

export type {
  AddOnCode,
  CarrierConnection,
  ExclusionReason,
  Freight,
  FreightCancellation,
  OutsideFailure as CarrierFailure,
};

/**
 * What Waybill requires of a carrier adapter, and what it guarantees in return: the manual for
 * writing one. `contract.ts` beside it is the suite that each carrier must pass.
 *
 * A carrier only translates: domain request → its wire format → domain response. It keeps no state, opens
 * no transaction, knows no account's margin, and never retries: its caller decides that.
 * Every method takes an AbortSignal and must stop, sockets included, when it fires.
 *
 * Failures are thrown as `CarrierError`. The one question that matters is its `kind`:
 * did the carrier certainly do nothing (`refused`, `unreachable`), or might it have acted (`unknown`)?
 * Answer `unknown` whenever you cannot prove the contrary: money is safe then, only slower.
 */
export interface Carrier {
  readonly descriptor: CarrierDescriptor;

  /**
   * Prices for the requested services. Each service of `request.services` must be returned exactly
   * once: in `rates`, or in `unavailable` with the reason. One that is in neither is reported to the
   * client as `no_rate_for_lane`. Throws only when no service has a result.
   */
  quote(request: QuoteRequest, signal: AbortSignal): Promise<CarrierQuote>;

  /**
   * Buys one label under our `reference`. Must send the reference so that `lookUpLabel` can find the
   * label by it, unless the descriptor's `lookUp` is `none`. A label that was issued is returned, even one
   * that is more expensive than expected or whose file is unusable: it has to be voided. Where the file, or the
   * price, is told by a second call that fails, the purchase has not: `files: "pending"`, `cost: null`.
   */
  buyLabel(request: LabelRequest, signal: AbortSignal): Promise<CarrierLabel>;

  /**
   * The label bought under this reference, or null when the carrier shows none; the descriptor's `lookUp`
   * says what that proves. Called to resolve an unknown outcome. Must not buy, void or change anything.
   */
  lookUpLabel(sent: SentLabel, signal: AbortSignal): Promise<Sighting | null>;

  /**
   * The files of a label that was sold, in this format. Called where they were `pending` and for files
   * that were lost here; may be called again. Throws while there are none yet. A carrier that has no PNG sends
   * its PDF, here and with the purchase: Waybill draws the picture of it.
   */
  fetchFiles(label: LabelRef, format: LabelFormat, signal: AbortSignal): Promise<LabelFile[]>;

  /** What became of the refund of a label that was voided: `none` where the carrier does not say. */
  refundState(label: LabelRef, signal: AbortSignal): Promise<CarrierRefund>;

  /**
   * Every label of this installation, bought or voided since that moment, a page at a time, oldest
   * first. For `waybill reconcile`: a database that was set back finds its missing labels here. A
   * label without Waybill's references belongs to another system and is left out. Must not change
   * anything; never called where the descriptor says `listsLabels: false`.
   */
  listLabels(request: ListRequest, signal: AbortSignal): Promise<LabelPage>;

  /**
   * Voids a label. Voiding one that is void already succeeds again: the adapter knows the carrier's codes for
   * that. Refuses one that was scanned. Never called where the descriptor's `voids` is not `api`.
   */
  voidLabel(label: LabelRef, signal: AbortSignal): Promise<CarrierVoid>;

  /**
   * Everything known of one package in transit, or null when the carrier knows nothing of it yet. Polled
   * repeatedly: the same scan must be returned with the same moment, code and place, which identify it;
   * the order does not matter. Must not change anything.
   */
  track(request: TrackRequest, signal: AbortSignal): Promise<CarrierTracking | null>;

  /**
   * One harmless call that shows whether the carrier accepts the credentials. Throws nothing that the carrier
   * does: it says so in its result. Absent where there is no such call.
   */
  testConnection?(connection: CarrierConnection, signal: AbortSignal): Promise<ConnectionTest>;

  /** Pickups of parcels at the sender's door, where the descriptor has `pickups`: see `pickups.ts`. */
  readonly pickups?: CarrierPickups;
  readonly addresses?: CarrierAddresses;
  readonly locations?: CarrierLocations;
  readonly manifests?: CarrierManifests;
}

/** `code` is `ok`, `credentials_invalid`, or another of the carrier's; `message` says it without any secret. */
export interface ConnectionTest {
  ok: boolean;
  code: string;
  message: string;
}

/** The facts about a carrier that need no call. */
export interface CarrierDescriptor {
  /**
   * What it carries: parcels, or freight on pallets (LTL). A freight carrier has the same methods: its
   * quote prices `shipment.freight`, buying a label books the truck, voiding it cancels the booking,
   * and the booking's numbers are returned in `CarrierLabel.booking` instead of a label's file.
   */
  mode: "courier" | "ltl";
  /** Snake case, as in `carrier.code` and before the dot of every service code. */
  code: string;
  name: string;
  /** Standard Carrier Alpha Code, where the carrier has one. */
  scac: string | null;
  /** How a label is looked up whose purchase had an unknown outcome, and what not finding it proves. */
  lookUp: LookUp;
  /** How a label that was bought is undone, and until when. */
  voids: VoidFacts;
  /**
   * When it is certain what a label costs: the purchase refuses what is more expensive than expected (`in_call`), the
   * adapter asks for the price just before (`by_rate_before`), or only what was sold says (`after`).
   */
  confirms_price: "in_call" | "by_rate_before" | "after";
  /** What the adapter was tested against: the simulator, the carrier's documents, recordings of its sandbox. */
  evidence: "simulated" | "documents" | "recorded";
  /** Whether what was bought has to be handed over by a manifest. */
  manifest: "required" | "optional" | "none";
  /** What a contract in production allows where the connection states nothing else. */
  budgets?: ConnectionBudgets;
  /** Absent where `manifest` is `none`. */
  manifests?: ManifestFacts;
  /** The fields of a connection; absent where the carrier needs none. */
  credentials?: { values: TObject; secrets: TObject };
  /**
   * Where it can be called on a connection only. Absent for one that a simulator plays, which needs none.
   */
  requires_connection?: readonly ("live" | "test")[];
  /**
   * Whether it can list the labels with all of their `references`. Where it cannot, the operator of a
   * restored database compares that carrier's labels by hand.
   */
  listsLabels: boolean;
  /** The timeout of a purchase or a void, after which its outcome counts as unknown. */
  purchaseTimeoutSeconds: number;
  /**
   * The only currency that it prices in and that it takes declared values in; absent for one that does both in
   * the account's. Its prices are converted (decision 26).
   */
  bills_in?: string;
  trackingUrl: (trackingCode: string) => string;
  /** The status that each of its scan codes means. */
  trackingEvents: TrackingEventCodes;
  services: readonly CarrierService[];
  /** What differs under a connection, where a call without one goes to the simulator. */
  connected?: CarrierDescriptor;
  /**
   * Absent where the carrier does no pickups; a service says by `pickup_supported` whether it is picked
   * up.
   */
  pickups?: PickupFacts;
}

/** The facts that count for calls under this connection, and for calls without one. */
export function descriptorUnder(
  descriptor: CarrierDescriptor,
  connection_id: string | null | undefined,
): CarrierDescriptor {
  return connection_id ? (descriptor.connected ?? descriptor) : descriptor;
}

/**
 * How an unknown outcome is found out.
 *
 * - `proof`  what is not found after so many seconds was not bought: the money is free again.
 * - `hint`   a later lookup may still find it, such as where the carrier is asked by way of tracking: not
 *   finding it releases nothing, and an operator decides in the end.
 * - `none`   it cannot be looked up: an operator decides at once.
 */
export type LookUp =
  | { by: "key" | "reference"; absence: "proof"; after_seconds: number }
  | { by: "reference"; absence: "hint"; after_seconds: number }
  | { by: "none" };

/**
 * How a label is undone: by a call, until the end of its day, its manifest, its first scan or so many days
 * after its purchase; by never being scanned, which the carrier then does not bill; or not at all.
 */
export type VoidFacts =
  | { kind: "api"; until: "same_day" | "manifest" | "scan" | { days: number } }
  | { kind: "by_not_using"; unscanned_days: number }
  | { kind: "none" };

/** One service, with the limits that are known without calling the carrier: of parcels or of freight. */
export type CarrierService = ParcelService | FreightService;
type ParcelService = ServiceFacts & ServiceLimits;
/** Of a carrier whose mode is `ltl`; the others have none. */
export type FreightService = ServiceFacts & FreightLimits;

interface ServiceFacts {
  /** `<carrier>.<service>`, what clients send to buy (spec 2.5). */
  code: string;
  /** Permanent: clients store it (spec 2.6). Each carrier owns a block of a hundred. */
  postage_type_id: number;
  /** The carrier's own code of the service. */
  carrier_service_code: string;
  trackable: boolean;
  pickup_supported: boolean;
}

export function isFreightService(service: CarrierService): service is FreightService {
  return "max_units" in service;
}

/** The environment and the account's contract with the carrier that a call runs under. */
export interface CallContext {
  account_id: string;
  environment: "live" | "test";
  /** The contract to call under; null where the carrier needs none. */
  connection: CarrierConnection | null;
  /** What the call is about was bought on a connection that was deleted since: the guard refuses it. */
  is_connection_deleted?: boolean;
}

export interface ShipmentForCarrier {
  from_address: Address;
  to_address: Address;
  return_address: Address;
  is_return: boolean;
  packages: readonly Package[];
  items: readonly Item[];
  contents_type: string | null;
  incoterm: string | null;
  reference: string | null;
  ship_date: string;
  /** Of an LTL shipment, which then has no `packages`; absent for parcels. */
  freight?: Freight;
}

export interface QuoteRequest {
  context: CallContext;
  shipment: ShipmentForCarrier;
  services: readonly CarrierService[];
  /** The carrier's own (`bills_in`), else the account's; CAD when absent (decision 1). */
  currency?: string;
  /** True for `/rates/estimate`: postal codes and a weight are real, names and streets are not. */
  estimated: boolean;
}

export interface CarrierQuote {
  rates: CarrierRate[];
  unavailable: UnavailableService[];
}

export interface CarrierRate {
  /** Waybill's service code. */
  service: string;
  currency: string;
  /**
   * Whether the prices are the account's own or the carrier's published ones; absent where the carrier does not say. A
   * published price is not sold where the account's own was asked for: see `protocol/price-basis.ts`.
   */
  price_basis?: "negotiated" | "published";
  /** The carrier's charge before tax is `base_cents` and all of `surcharges`, added up. */
  base_cents: Cents;
  /** A discount is a negative one. */
  surcharges: { code: string; name: string; amount_cents: Cents }[];
  /** The carrier's price for each extra that it offers on this lane. */
  add_ons: { code: AddOnCode; cost_cents: Cents; required: boolean }[];
  estimated_delivery_days: number | null;
  estimated_delivery_date: string | null;
  billable_weight: BillableWeight;
  zone: string | null;
  /** Of an LTL rate only. What each accessorial costs is part of `surcharges`, under its own code. */
  freight?: FreightTerms;
}

export interface FreightTerms {
  /** The carrier's own number of the quote, required for booking. */
  quote_number: string;
  accessorials: readonly Accessorial[];
}

/** Why a carrier does not offer a service for this shipment. */
export interface UnavailableService {
  service: string;
  reason: ExclusionReason;
  message: string;
}

export interface LabelRequest {
  context: CallContext;
  /** Waybill's, permanently unique: one reference, at most one label. */
  reference: string;
  /**
   * Which label it is, for a process that finds it and has no record of it: sent along, listed by
   * `listLabels`.
   */
  references: LabelReferences;
  shipment: ShipmentForCarrier;
  ship_code: string;
  service: CarrierService;
  add_ons: readonly AddOnCode[];
  label_format: LabelFormat;
  label_size: LabelSize;
  /**
   * The cost that the quote was based on: base, surcharges and the chosen add-ons' costs. A carrier that
   * has become more expensive must refuse with `price_changed`, not charge more, unless it confirms prices `after`.
   */
  expected_cost: CarrierCost;
  /** The freight quote that is booked. */
  quote_number?: string;
}

/** Each fits a reference field of 35 characters, except for the key, which a client chose. */
export interface LabelReferences {
  account_id: string;
  shipment_id: string;
  /** Of the shipment's data: see `shipmentDigest`. */
  shipment_digest: string;
  idempotency_key: string | null;
}

export type LabelFormat = "pdf" | "zpl" | "png";
export type LabelSize = "4x6" | "letter";

export interface CarrierLabel {
  /** The carrier's own id of the label, needed to void it. */
  carrier_label_id: string;
  /**
   * The first package's; `package_tracking_codes` has one for each, in order. Of a freight booking the
   * PRO number, and the confirmation number until there is one; its `package_tracking_codes` is empty.
   */
  tracking_code: string;
  package_tracking_codes: string[];
  /** Null where the carrier does not say what it charges: it is taken to be what was expected. */
  cost: CarrierCost | null;
  /**
   * Empty when the carrier sent no readable file, and for freight, whose documents Waybill draws itself.
   * `pending`: it has them later, and `fetchFiles` gets them.
   */
  files: LabelFile[] | "pending";
  carrier_data: CarrierData | null;
  /** Of a freight booking only. */
  booking?: FreightBooking;
}

export interface LabelFile {
  type: "label" | "waybill" | "commercial_invoice" | "receipt" | "bol" | "manifest";
  /** Of the package that it is for, counted from 0; null for all of them. */
  package_index: number | null;
  format: LabelFormat;
  bytes: Buffer;
}

/**
 * What the adapter needs to void, fetch or track a label or a pickup later, such as the carrier's links: JSON
 * of at most 4 KB, without secrets. Stored with the label, handed back as it was, and read by nothing else.
 */
export type CarrierData = Record<string, unknown>;

export interface FreightBooking {
  confirmation_number: string;
  bol_number: string;
  /** Some carriers assign it only when they pick up the freight. */
  pro_number: string | null;
}

/** A carrier's charge to the platform, before tax. */
export interface CarrierCost {
  amount_cents: Cents;
  currency: string;
}

/** A purchase that was sent, with what carriers need to narrow their search. */
export interface SentLabel {
  context: CallContext;
  reference: string;
  sent_at: Date;
  look_up: {
    ship_date: string;
    destination: { country: string; postal_code: string | null };
    /** How many packages, of freight how many handling units. */
    pieces: number;
    carrier_service_code: string;
  };
}

/** A label as a lookup finds it, which is less than its purchase would have told. */
export interface Sighting {
  carrier_label_id: string;
  tracking_code: string;
  /** Null where the lookup does not show them all. */
  package_tracking_codes: string[] | null;
  /** `unknown`: the lookup does not show voids. */
  state: "live" | "voided" | "unknown";
  cost: CarrierCost | null;
  /** `fetch`: `fetchFiles` gets them. `lost`: the carrier gives them out once, and no longer has them. */
  files: LabelFile[] | "fetch" | "lost";
  carrier_data: CarrierData | null;
  booking?: FreightBooking;
  /** Of a freight booking that was cancelled: the same as the cancellation returned. */
  cancellation?: FreightCancellation;
}

export interface ListRequest {
  environment: "live" | "test";
  since: Date;
  /** Of the previous page; null for the first. */
  cursor: string | null;
}

export interface LabelPage {
  labels: ListedLabel[];
  /** Null after the last page. */
  next_cursor: string | null;
}

/** A label as a list returns it: without its file, which `lookUpLabel` or `fetchFiles` has. */
export interface ListedLabel {
  reference: string;
  references: LabelReferences;
  carrier_label_id: string;
  tracking_code: string;
  carrier_service_code: string;
  add_ons: AddOnCode[];
  label_format: LabelFormat;
  cost: { amount_cents: Cents; currency: string };
  voided: boolean;
  refund: CarrierRefund;
  bought_at: Date;
}

export type CarrierRefund = "none" | "pending" | "approved" | "rejected";

/** A label that was sold. */
export interface LabelRef {
  context: CallContext;
  reference: string;
  carrier_label_id: string;
  tracking_code: string;
  carrier_data: CarrierData | null;
}

export interface CarrierVoid {
  refund: CarrierRefund;
  /** Of a cancelled freight booking only. */
  cancellation?: FreightCancellation;
}

export interface TrackRequest {
  context: CallContext;
  tracking_code: string;
  /** Of the label; null for a code that was not bought here. */
  carrier_data: CarrierData | null;
}

/** A carrier's failure: an outside party's, with the exclusion reason of a missing service. */
export class CarrierError extends OutsideError {
  readonly carrier: string;
  readonly carrier_code: string;
  /** Why a quote failed as a whole, for `excluded_services`. */
  readonly exclusion: ExclusionReason;
  /** With `price_changed`: the label's current cost, where the carrier states it. */
  readonly actual_cost: CarrierCost | null;
  /** Which field of ours the carrier means, such as `to_address.postal_code`, where it says so. */
  readonly field: string | null;
  /** When the carrier wants the next call, at most an hour from now. No request waits for it. */
  readonly retry_after_seconds: number | null;

  constructor(
    failure: {
      kind: OutsideFailure;
      carrier: string;
      carrier_code: string;
      message: string;
      exclusion?: ExclusionReason;
      actual_cost?: CarrierCost | null;
      retry_after_seconds?: number | null;
      field?: string | null;
    },
    cause?: unknown,
  ) {
    super({ ...failure, party: failure.carrier, party_code: failure.carrier_code }, cause);
    this.name = "CarrierError";
    this.carrier = failure.carrier;
    this.carrier_code = failure.carrier_code;
    this.exclusion = failure.exclusion ?? "carrier_error";
    this.actual_cost = failure.actual_cost ?? null;
    this.retry_after_seconds = failure.retry_after_seconds ?? null;
    this.field = failure.field ?? null;
  }
}
