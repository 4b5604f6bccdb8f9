import type { HttpAnswer } from "../../transport/http-call.ts";
import type { ManifestRequest } from "../capabilities.ts";
import { bytesIn, codeIn, compact } from "../protocol/json.ts";
import { filedSuccessOf, unreadable } from "./errors.ts";
import { addresseeOf, streetOf, zipOf } from "./parties.ts";

/** SCAN forms: one bar code for many labels. No I/O. */

export const scanFormPath = "/scan-forms/v3/scan-form";

export function toScanFormRequest({ labels, from_address, ship_date }: ManifestRequest): object {
  return {
    form: "5630",
    imageType: "PDF",
    labelType: "8.5x11LABEL",
    mailingDate: ship_date,
    // Labels of several days may be handed over at once.
    overwriteMailingDate: true,
    entryFacilityZIPCode: zipOf(from_address).ZIPCode,
    destinationEntryFacilityType: "NONE",
    shipment: { trackingNumbers: labels.map(({ tracking_code }) => tracking_code) },
    fromAddress: compact({
      ...addresseeOf(from_address),
      ...streetOf(from_address),
      state: from_address.province_code,
      ...zipOf(from_address),
      ignoreBadAddress: true,
    }),
  };
}

interface ScanForm {
  manifest_number: string;
  image: Buffer | null;
}

/** Throws the `CarrierError` of every answer that is no form. */
export function fromScanFormResponse(answer: HttpAnswer): ScanForm {
  const { metadata, file } = filedSuccessOf(answer);
  const manifest_number = codeIn(metadata, "manifestNumber");
  if (manifest_number === null) throw unreadable();
  const image = file("SCANFormImage") ?? file("label") ?? file("scanFormImage");
  return { manifest_number, image: image === null ? null : bytesIn(image) };
}
