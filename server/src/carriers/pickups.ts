import type { Address } from "../domain/addresses/address.ts";
import type { Cents } from "../domain/values/money.ts";
import type { PickupTimes } from "../domain/pickups/pickup-rules.ts";
import type { CallContext, CarrierCost, ListRequest } from "./carrier.ts";

/**
 * What Waybill asks of a carrier that fetches parcels at the sender's door. As for labels: the carrier
 * only translates, never retries, and says of each failure whether it certainly did nothing.
 */
export interface CarrierPickups {
  /**
   * Asks the driver to come, under our `reference`: one reference, at most one pickup. One that is dearer
   * than expected is refused by the carrier with `price_changed`, or returned to be cancelled.
   */
  schedule(request: PickupRequest, signal: AbortSignal): Promise<CarrierPickup>;

  /** The pickup asked for under this reference, or null when the carrier is sure that it has none. */
  find(reference: string, context: CallContext, signal: AbortSignal): Promise<FoundPickup | null>;

  /**
   * Every pickup of ours, asked for or cancelled since that moment, a page at a time, oldest first. For
   * `waybill reconcile`, as a carrier's `listLabels`: what carries none of our references is left out.
   * Must not change anything; never called where the facts say `listsPickups: false`.
   */
  list(request: ListRequest, signal: AbortSignal): Promise<PickupPage>;

  /**
   * Calls the driver off; what was charged is given back. Doing so twice succeeds again. Refuses when the
   * driver is on the way already.
   */
  cancel(request: PickupCancelRequest, signal: AbortSignal): Promise<void>;
}

/** The facts about a carrier's pickups that need no call. */
export interface PickupFacts extends PickupTimes {
  /** Whether `find` can find a pickup by our reference; if not, unheard outcomes become review items. */
  findsByReference: boolean;
  /**
   * Whether `list` can list our pickups with all of their `references`; if not, the operator of a restored
   * database compares them by hand.
   */
  listsPickups: boolean;
  /**
   * What it charges us for coming once, before tax, by the account's currency: 0 for nothing. It comes
   * for no account whose currency is not here.
   */
  fee_cents: Readonly<Record<string, Cents>>;
}

/** Where and when the driver is to come, and for what. */
export interface PickupStop {
  address: Address;
  contact: PickupContact;
  /** `YYYY-MM-DD` and `HH:MM`, on the clocks of the place. */
  date: string;
  ready_time: string;
  close_time: string;
  instructions: string | null;
  /** Of the labels whose parcels are fetched: the first package's of each shipment. */
  tracking_codes: readonly string[];
}

export interface PickupRequest extends PickupStop {
  context: CallContext;
  /** Ours, unique for ever: one reference, at most one pickup. */
  reference: string;
  /** Whose pickup it is, for who finds it and knows nothing else: sent along, listed by `list`. */
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
  /** What the driver and the carrier's help desk know it by. */
  confirmation_number: string;
  /** What the carrier charges us for it, before tax. */
  fee: CarrierCost;
}

export interface FoundPickup extends CarrierPickup {
  cancelled: boolean;
}

export interface PickupPage {
  pickups: ListedPickup[];
  /** Null after the last page. */
  next_cursor: string | null;
}

/** A pickup as a list tells of it: enough to make it ours again. */
export interface ListedPickup extends FoundPickup, PickupStop {
  reference: string;
  references: PickupReferences;
  asked_at: Date;
}

export interface PickupCancelRequest {
  context: CallContext;
  reference: string;
  carrier_pickup_id: string;
}
