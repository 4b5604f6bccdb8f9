import type { Problems } from "../../../domain/errors/errors.ts";
import { OneOf } from "../../../domain/values/schema.ts";

/** One product of a source: an entry yet to be validated, or the problems of its row. */
export interface SourceRow {
  /** Where its row begins in the file; null where there are no lines. */
  line: number | null;
  /** With the field names of `ImportedProduct`; what the source leaves blank is absent. */
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
