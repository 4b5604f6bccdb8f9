import type { Address } from "../domain/address.ts";
import type { Cents } from "../domain/money.ts";
import type { PickupTimes } from "../domain/pickup-rules.ts";
import type { CallContext, CarrierCost } from "./carrier.ts";

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
   * What it charges us for coming once, before tax, by the account's currency: 0 for nothing. It comes
   * for no account whose currency is not here.
   */
  fee_cents: Readonly<Record<string, Cents>>;
}

export interface PickupRequest {
  context: CallContext;
  /** Ours, unique for ever: one reference, at most one pickup. */
  reference: string;
  address: Address;
  contact: PickupContact;
  /** `YYYY-MM-DD` and `HH:MM`, on the clocks of the place. */
  date: string;
  ready_time: string;
  close_time: string;
  instructions: string | null;
  /** Of the labels whose parcels are fetched: the first package's of each shipment. */
  tracking_codes: readonly string[];
  package_count: number;
  weight_grams: number;
  expected_fee: CarrierCost;
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

export interface PickupCancelRequest {
  context: CallContext;
  reference: string;
  carrier_pickup_id: string;
}
