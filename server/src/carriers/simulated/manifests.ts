import { Compile } from "typebox/compile";
import type { CarrierManifest, CarrierManifests, ManifestRequest } from "../capabilities.ts";
import type { CallContext } from "../carrier.ts";
import {
  WireManifestResponse,
  WireManifestsResponse,
  type WireManifest,
  type WireManifestRequest,
} from "../simulator/manifest-wire.ts";
import type { CarrierClient } from "./client.ts";

const manifestShape = Compile(WireManifestResponse);
const manifestsShape = Compile(WireManifestsResponse);

/** The manifests of a simulated carrier, which finds each by its reference, with its document. */
export function simulatedManifests(client: CarrierClient, timeout_ms: number): CarrierManifests {
  async function find(
    { reference, context }: { reference: string; context: CallContext },
    signal: AbortSignal,
  ): Promise<CarrierManifest | null> {
    const path = `/manifests?reference=${encodeURIComponent(reference)}`;
    const { data } = await client.call(
      { method: "GET", path, context, signal, timeout_ms },
      {
        shape: manifestsShape,
        fits: (answer) => answer.data.every((manifest) => manifest.reference === reference),
      },
    );
    return data[0] ? fromManifest(data[0]) : null;
  }

  return {
    async create({ context, ...request }, signal) {
      const body = toManifestRequest(request);
      const { data } = await client.call(
        { method: "POST", path: "/manifests", body, context, signal, timeout_ms },
        { shape: manifestShape, fits: ({ data: { reference } }) => reference === body.reference },
      );
      return fromManifest(data);
    },
    lookUp: (sent, signal) => find(sent, signal),
    files: async (manifest, signal) => (await find(manifest, signal))?.files ?? [],
  };
}

function toManifestRequest({
  reference,
  labels,
  from_address: address,
}: Omit<ManifestRequest, "context">): WireManifestRequest {
  const label_ids = labels.map(({ carrier_label_id }) => carrier_label_id);
  return { reference, label_ids, address };
}

function fromManifest({ manifest_id, file }: WireManifest): CarrierManifest {
  const bytes = Buffer.from(file, "base64");
  return {
    carrier_manifest_id: manifest_id,
    files: [{ type: "manifest", package_index: null, format: "pdf", bytes }],
    carrier_data: null,
  };
}
