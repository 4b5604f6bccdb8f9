import { Type, type Static } from "typebox";
import { Code, WireAddress } from "./wire.ts";

/** The wire format of a simulated carrier's manifests, in the dialect of `wire.ts`. */

export const WireManifestRequest = Type.Object({
  reference: Code,
  label_ids: Type.Array(Code, { minItems: 1, maxItems: 10_000 }),
  /** Where the parcels are handed over; its second line steers. */
  address: WireAddress,
});
export type WireManifestRequest = Static<typeof WireManifestRequest>;

export const WireManifest = Type.Object({
  manifest_id: Code,
  reference: Code,
  /** The document, as PDF in base64. */
  file: Type.String(),
});
export type WireManifest = Static<typeof WireManifest>;

export const WireManifestResponse = Type.Object({ data: WireManifest });
export const WireManifestsResponse = Type.Object({
  data: Type.Array(WireManifest, { maxItems: 1 }),
});
