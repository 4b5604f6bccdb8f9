import type { Problems } from "../../../domain/errors/errors.ts";
import { OneOf } from "../../../domain/values/schema.ts";

/** One product of a source: an entry yet to be validated, or what is wrong with its row already. */
export interface SourceRow {
  /** Where its row begins in the file; null where there are no lines. */
  line: number | null;
  /** As `ImportedProduct` names its fields; what the source leaves blank is not there. */
  entry: Record<string, unknown>;
  problems?: Problems;
}

export const formats = [
  "shopify_products",
  "shopify_inventory",
  "woocommerce_products",
  "json",
] as const;
export type Format = (typeof formats)[number];
export const Format = OneOf(formats, { $id: "ImportFormat" });
