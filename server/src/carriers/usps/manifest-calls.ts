import type { CarrierManifests } from "../capabilities.ts";
import type { UspsClient } from "./client.ts";
import { fromScanFormResponse, scanFormPath, toScanFormRequest } from "./manifests.ts";

/** SCAN forms: USPS gives one out once, with its answer, and finds none again. */
export function uspsManifests(client: UspsClient, timeout_ms: number): CarrierManifests {
  return {
    async create(request, signal) {
      const { context } = request;
      const call = {
        context,
        method: "POST",
        path: scanFormPath,
        body: toScanFormRequest(request),
        signal,
        timeout_ms,
      } as const;
      const { manifest_number, image } = fromScanFormResponse(await client.call(call));
      const file = { type: "manifest", package_index: null, format: "pdf" } as const;
      return {
        carrier_manifest_id: manifest_number,
        files: image === null ? [] : [{ ...file, bytes: image }],
        carrier_data: null,
      };
    },
    lookUp: () => {
      throw new Error("USPS finds no SCAN forms");
    },
    files: () => Promise.resolve([]),
  };
}
