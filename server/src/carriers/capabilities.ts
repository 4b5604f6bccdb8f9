import type { Address } from "../domain/addresses/address.ts";
import type { CallContext, CarrierData, LabelFile, LabelRef } from "./carrier.ts";

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

/** The hand-over of labels that were bought: a manifest, a SCAN form, an end of day. */
export interface CarrierManifests {
  /** Under a reference of Waybill's, for one place. Refuses a label that is on another one. */
  create(request: ManifestRequest, signal: AbortSignal): Promise<CarrierManifest>;
}

export interface ManifestRequest {
  context: CallContext;
  reference: string;
  labels: readonly LabelRef[];
  from_address: Address;
  /** `YYYY-MM-DD`. */
  ship_date: string;
}

export interface CarrierManifest {
  carrier_manifest_id: string;
  files: LabelFile[];
  carrier_data: CarrierData | null;
}
