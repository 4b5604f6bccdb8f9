import type { Product } from "@waybill/sdk";
import type { Tone } from "../../kit/badge.tsx";

/** The colour of each state of a product. */
export const tones: Record<Product["status"], Tone> = {
  Imported: "neutral",
  Classified: "info",
  "Manufacturer Verified": "info",
  "Manufacturer Failed": "danger",
  "Pending Approval": "warn",
  Approved: "good",
  Rejected: "neutral",
};
