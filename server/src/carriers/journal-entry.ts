import type { CarrierManifest, ManifestReferences, SentManifest } from "./capabilities.ts";
import type { CarrierConnection } from "./connection.ts";
import type {
  AddOnCode,
  CarrierCost,
  CarrierData,
  CarrierRefund,
  LabelFormat,
  LabelReferences,
  SentLabel,
} from "./carrier.ts";
import type { PickupReferences, SentPickup } from "./pickups.ts";

/**
 * What is noted outside the database of effects at carriers that cannot list them: one line before the call, one
 * after its answer. No secrets, and of addresses only what a lookup needs.
 */
export type JournalEntry = SentEntry | HeardEntry;

/** Written before the call, which is not made unless this is on stable storage. */
export type SentEntry = SentFacts &
  (
    | ({ effect: "label" } & SentLabelFacts)
    | ({ effect: "pickup" } & SentPickupFacts)
    | ({ effect: "manifest" } & SentManifestFacts)
    | { effect: "void" | "pickup_cancel" }
  );

interface SentFacts {
  step: "sent";
  at: string;
  reference: string;
  account_id: string;
  carrier: string;
  environment: "live" | "test";
  connection_id: CarrierConnection["id"] | null;
}

interface SentLabelFacts {
  references: LabelReferences;
  look_up: SentLabel["look_up"];
  add_ons: readonly AddOnCode[];
  label_format: LabelFormat;
  expected_cost: CarrierCost;
}

interface SentPickupFacts {
  references: PickupReferences;
  look_up: SentPickup["look_up"];
  ready_time: string;
  close_time: string;
  tracking_codes: readonly string[];
  expected_fee: CarrierCost;
}

interface SentManifestFacts {
  references: ManifestReferences;
  /** Those that the labels were bought under, in the order of their shipments. */
  label_references: readonly string[];
  look_up: Pick<SentManifest, "ship_date">;
}

/**
 * Written after the answer. `nothing`: it is proved that the call had no effect. `unknown`: there was no answer that
 * proves either; as good as none of these.
 */
export type HeardEntry = HeardFacts &
  (
    | { effect: "label"; outcome: "done"; label: HeardLabel }
    | { effect: "pickup"; outcome: "done"; pickup: HeardPickup }
    | { effect: "manifest"; outcome: "done"; manifest: HeardManifest }
    | { effect: "void"; outcome: "done"; refund: CarrierRefund }
    | { effect: "pickup_cancel"; outcome: "done" }
    | { effect: SentEntry["effect"]; outcome: "nothing" | "unknown" }
  );

interface HeardFacts {
  step: "heard";
  at: string;
  reference: string;
  account_id: string;
}

export interface HeardLabel {
  carrier_label_id: string;
  tracking_code: string;
  package_tracking_codes: string[];
  cost: CarrierCost | null;
  carrier_data: CarrierData | null;
}

export interface HeardPickup {
  carrier_pickup_id: string;
  confirmation_number: string;
  fee: CarrierCost | null;
  date: string;
  shared: boolean;
  carrier_data: CarrierData | null;
}

/** Without its documents, which are fetched from the carrier again. */
export type HeardManifest = Omit<CarrierManifest, "files">;

/** Notes entries. Resolves once the entry would survive a power cut. */
export interface JournalWriter {
  write(entry: JournalEntry): Promise<void>;
}
