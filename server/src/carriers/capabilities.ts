import type { Address } from "../domain/addresses/address.ts";
import type { CallContext, CarrierData, LabelFile, LabelRef, LookUp } from "./carrier.ts";

/** What some carriers offer beside labels: each is absent where a carrier does not. */

export interface CarrierAddresses {
  /** What the carrier makes of an address. Must not change anything. */
  check(
    request: { context: CallContext; address: Address },
    signal: AbortSignal,
  ): Promise<AddressFinding>;
}

export interface AddressFinding {
  /**
   * `found`: it is one of the carrier's. `ambiguous`: it may be one of several. `not_found`: it is none, and
   * `not_covered`: the carrier does not know this country's.
   */
  state: "found" | "ambiguous" | "not_found" | "not_covered";
  /** As the carrier writes them, the best first. */
  candidates: AddressCandidate[];
  /** Null where the carrier does not say. */
  is_residential: boolean | null;
}

export type AddressCandidate = Pick<
  Address,
  "address1" | "address2" | "city" | "province_code" | "postal_code" | "country_code"
>;

export interface CarrierLocations {
  /** Where parcels are handed over or held, the nearest first. Must not change anything. */
  near(
    request: { context: CallContext; address: Address; limit: number },
    signal: AbortSignal,
  ): Promise<CarrierLocation[]>;
}

export interface CarrierLocation {
  /** The carrier's own. */
  id: string;
  name: string;
  address: AddressCandidate;
  /** Null where the carrier does not say. */
  distance_metres: number | null;
}

/** The hand-over of labels that were bought: a manifest, a SCAN form, an end of day. None is undone. */
export interface CarrierManifests {
  /**
   * Under Waybill's `reference`, for one place. Refuses a label that is on another one or void. A manifest that
   * was made is returned, even where its documents cannot be fetched: without files then.
   */
  create(request: ManifestRequest, signal: AbortSignal): Promise<CarrierManifest>;

  /**
   * The manifest that was made, or null when the carrier shows none; `lookUp` of the facts says what that proves.
   * Must not change anything; never called where it is `none`.
   */
  lookUp(sent: SentManifest, signal: AbortSignal): Promise<CarrierManifest | null>;

  /** Its files once more. Empty where the carrier gives them out once; throws while there are none yet. */
  files(manifest: ManifestRef, signal: AbortSignal): Promise<LabelFile[]>;
}

/** The facts about a carrier's manifests that need no call. */
export interface ManifestFacts {
  /** How a manifest is looked up whose request had an unknown outcome, and what not finding it proves. */
  lookUp: LookUp;
  /** `named`: the labels of the request. `all_open`: every label of the contract, whichever the request names. */
  takes: "named" | "all_open";
}

export interface ManifestRequest {
  context: CallContext;
  reference: string;
  /** Which manifest it is, for a process that finds it in the journal and has no record of it. No carrier gets them. */
  references: ManifestReferences;
  labels: readonly LabelRef[];
  from_address: Address;
  /** `YYYY-MM-DD`. */
  ship_date: string;
}

export interface ManifestReferences {
  account_id: string;
  manifest_id: string;
  /** A manifest is asked for in parts, one call for each, counted from 0. */
  part: number;
  /** Whose labels are handed over, in the order of the labels. */
  shipment_ids: readonly string[];
  idempotency_key: string | null;
}

/** A manifest that was requested, with what carriers need to find it. */
export interface SentManifest {
  context: CallContext;
  reference: string;
  sent_at: Date;
  labels: readonly LabelRef[];
  ship_date: string;
}

export interface CarrierManifest {
  carrier_manifest_id: string;
  /** Empty where they cannot be had now. */
  files: LabelFile[];
  carrier_data: CarrierData | null;
}

/** A manifest that was made. */
interface ManifestRef {
  context: CallContext;
  reference: string;
  carrier_manifest_id: string;
  carrier_data: CarrierData | null;
  ship_date: string;
}
