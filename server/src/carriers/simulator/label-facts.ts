import type { ItineraryStart } from "./itineraries/itineraries.ts";
import type { ItineraryKind } from "./itineraries/itinerary.ts";
import type { Steering } from "./steering.ts";
import type { WireLabelRequest } from "./wire.ts";

/** The facts of an issued label: its journal entries, and what memory keeps of them. */

export interface LabelFacts {
  account_id: string;
  environment: string;
  label_id: string;
  service_code: string;
  zone: string;
  package_tracking_codes: string[];
  amount_cents: number;
  currency: string;
  /** The serial number of the last package: the next label counts on from here. */
  last_serial: number;
  request: WireLabelRequest;
}

/**
 * `effective: false` is a void that was accepted and then rejected because the label had been used
 * (`sim:used_label`): the label is still live. A test that counts live labels must skip those.
 */
export interface VoidFacts {
  label_id: string;
  effective: boolean;
  refund: "approved" | "rejected";
}

export type LabelWays = Pick<
  Steering,
  "lag_seconds" | "late_file_seconds" | "late_price" | "no_void"
>;

/** Whether so many seconds have passed since the purchase. */
export function hasPassed(
  seconds: number,
  { bought_at }: Pick<LabelState, "bought_at">,
  now: Date,
): boolean {
  return now.getTime() >= Date.parse(bought_at) + seconds * 1_000;
}

export interface LabelState {
  sequence: number;
  environment: string;
  /** When it was bought, or voided since. */
  changed_at: string;
  bought_at: string;
  label_id: string;
  reference: string;
  tracking_code: string;
  /** It cannot be voided: a void is accepted, and rejected afterwards. */
  used: boolean;
  itinerary_kind: ItineraryKind | null;
  scans_after_void: boolean;
  drop_response: boolean;
  /** The ways of real carriers that it is steered to. */
  ways: LabelWays;
  voided: (VoidFacts & { at: string }) | null;
}

/** The facts that decide when it starts to move: a rejected void does not keep it from moving. */
export function startOf({
  bought_at,
  voided,
  itinerary_kind,
  scans_after_void,
  used,
}: LabelState): ItineraryStart {
  const counts = voided && (scans_after_void || !used);
  return {
    bought_at,
    itinerary_kind: itinerary_kind,
    scans_after_void,
    voided_at: counts ? voided.at : null,
  };
}
