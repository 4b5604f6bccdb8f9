import { OneOf } from "../values/schema.ts";

/** The enumerations of shipments (decisions 5 and 6). */

export const contentsTypes = [
  "merchandise",
  "documents",
  "gift",
  "sample",
  "returned_goods",
  "other",
] as const;
export type ContentsType = (typeof contentsTypes)[number];
export const ContentsType = OneOf(contentsTypes, { $id: "ContentsType" });

/** Who pays the duties: delivered duty paid, or unpaid. */
export const incoterms = ["DDP", "DDU"] as const;
export type Incoterm = (typeof incoterms)[number];
export const Incoterm = OneOf(incoterms, { $id: "Incoterm" });

/** The proof of delivery that is required. */
export const signatures = ["signature", "adult_signature"] as const;
export const SignatureConfirmation = OneOf(signatures, { $id: "SignatureConfirmation" });

/** The format of a label's file, and the page size that it is laid out for. */
export const labelFormats = ["pdf", "zpl", "png"] as const;
export const LabelFormat = OneOf(labelFormats, { $id: "LabelFormat" });
export const labelSizes = ["4x6", "letter"] as const;
export const LabelSize = OneOf(labelSizes, { $id: "LabelSize" });

/** The strategies that a service may be replaced by: decided by the prices at the purchase. */
export const strategies = ["cheapest", "fastest", "cheapest_tracked"] as const;
export type Strategy = (typeof strategies)[number];
export const Strategy = OneOf(strategies, { $id: "ServiceStrategy" });
