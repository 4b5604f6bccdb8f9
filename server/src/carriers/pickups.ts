import type { Address } from "../domain/addresses/address.ts";
import type { Cents } from "../domain/values/money.ts";
import type { PickupTimes } from "../domain/pickups/pickup-rules.ts";
import type { CallContext, CarrierCost, CarrierData, ListRequest, LookUp } from "./carrier.ts";

/**
 * What Waybill requires of a carrier that picks up parcels at the sender's door. As for labels: the
 * adapter only translates, never retries, and states of each failure whether the carrier certainly did
 * nothing.
 */
export interface CarrierPickups {
  /**
   * Schedules a pickup under Waybill's `reference`: one reference, at most one pickup. One that is more expensive
   * than expected is refused by the carrier with `price_changed`, or returned to be cancelled.
   */
  schedule(request: PickupRequest, signal: AbortSignal): Promise<CarrierPickup>;

  /**
   * The pickup scheduled under this reference, or null when the carrier shows none; `lookUp` says what that
   * proves. Must not change anything; never called where it is `none`.
   */
  lookUp(sent: SentPickup, signal: AbortSignal): Promise<FoundPickup | null>;

  /**
   * Every pickup of this installation, scheduled or cancelled since that moment, a page at a time,
   * oldest first. For `waybill reconcile`, as a carrier's `listLabels`: pickups without Waybill's
   * references are left out. Must not change anything; never called where the facts say `listsPickups:
   * false`.
   */
  list(request: ListRequest, signal: AbortSignal): Promise<PickupPage>;

  /** Cancels the pickup; its charge is refunded. Idempotent. Refuses when the driver is under way already. */
  cancel(request: PickupCancelRequest, signal: AbortSignal): Promise<void>;
}

/** The facts about a carrier's pickups that need no call. */
export interface PickupFacts extends PickupTimes {
  /** How a pickup is looked up whose request had an unknown outcome, and what not finding it proves. */
  lookUp: LookUp;
  /**
   * Whether `list` can list the pickups with all of their `references`; if not, the operator of a restored
   * database compares them by hand.
   */
  listsPickups: boolean;
  /**
   * The carrier's fee for one pickup, before tax, by the account's currency: 0 for none. It does no
   * pickups for accounts in other currencies, unless it has the fee in the currency that it bills in.
   */
  fee_cents: Readonly<Record<string, Cents>>;
}

/** Where and when the driver is to come, and what is picked up. */
interface PickupStop {
  address: Address;
  contact: PickupContact;
  /** `YYYY-MM-DD` and `HH:MM`, in local time. */
  date: string;
  ready_time: string;
  close_time: string;
  instructions: string | null;
  /** Of the labels of the parcels: the first package's of each shipment. */
  tracking_codes: readonly string[];
}

export interface PickupRequest extends PickupStop {
  context: CallContext;
  /** Waybill's, permanently unique: one reference, at most one pickup. */
  reference: string;
  /**
   * Which pickup it is, for a process that finds it and has no record of it: sent along, listed by
   * `list`.
   */
  references: PickupReferences;
  package_count: number;
  weight_grams: number;
  expected_fee: CarrierCost;
}

/** As for labels, each but the key fits a reference field of 35 characters. */
export interface PickupReferences {
  account_id: string;
  pickup_id: string;
  idempotency_key: string | null;
}

export interface PickupContact {
  name: string | null;
  phone: string | null;
  email: string | null;
}

export interface CarrierPickup {
  /** The carrier's own id of the pickup, needed to cancel it. */
  carrier_pickup_id: string;
  /** The number that the driver and the carrier's help desk use. */
  confirmation_number: string;
  /** The carrier's charge for it, before tax. Null where it does not say: it is taken to be what was expected. */
  fee: CarrierCost | null;
  /** The day on which the carrier comes, which may be a later one than was requested. */
  date: string;
  /**
   * The carrier has one pickup for the whole address: others under the same number are part of it, and
   * cancelling one of them cancels all.
   */
  shared: boolean;
  carrier_data: CarrierData | null;
}

/** A pickup that was requested, with what carriers need to narrow their search. */
export interface SentPickup {
  context: CallContext;
  reference: string;
  sent_at: Date;
  look_up: { date: string; country: string; postal_code: string | null };
}

export interface FoundPickup extends CarrierPickup {
  cancelled: boolean;
}

export interface PickupPage {
  pickups: ListedPickup[];
  /** Null after the last page. */
  next_cursor: string | null;
}

/** A pickup as a list returns it: enough to record it again. */
export interface ListedPickup extends FoundPickup, PickupStop {
  reference: string;
  references: PickupReferences;
  asked_at: Date;
}

interface PickupCancelRequest {
  context: CallContext;
  reference: string;
  carrier_pickup_id: string;
  confirmation_number: string;
  date: string;
  carrier_data: CarrierData | null;
}
