import { isDeepStrictEqual } from "node:util";
import type { Classification, HsCodeSource, Product, ProductFields } from "./product.ts";
import { isDecided, statusAfter, type ProductEvent } from "./product-states.ts";
import type { Verification } from "./verification.ts";

/**
 * The events of a product, as functions from one state of it to the next. Each keeps the fields that it
 * does not name.
 */

const originFields = ["manufacturer", "manufacturer_address", "country_of_origin"] as const;
const customsFields = [...originFields, "customs_description", "hs_code"] as const;

const changedSince = "The customs data has changed since it was last reviewed.";

/** A product before its first data. */
export const neverSeen = {
  hs_code_source: null,
  hs_confidence: null,
  status: "Imported",
  status_reason: null,
  cusma: null,
  classification: null,
  approved_at: null,
  description: null,
  customs_description: null,
  hs_code: null,
  manufacturer: null,
  manufacturer_address: null,
  country_of_origin: null,
  value_cents: null,
  currency: null,
  weight: null,
  weight_unit: null,
  image_url: null,
  store: null,
  external_id: null,
} satisfies Partial<Product>;

/** Writes fields over a product. A change of customs data ends an approval (decision 13). */
export function withFields<P extends Product>(
  product: P,
  fields: Partial<ProductFields>,
  source: Exclude<HsCodeSource, "classified">,
): P {
  const changed = (field: keyof ProductFields) =>
    field in fields && !isDeepStrictEqual(fields[field], product[field]);
  let next: P = { ...product, ...fields };
  if (originFields.some(changed)) next = { ...moved(next, "maker_changed"), cusma: null };
  if (customsFields.some(changed)) next = moved(next, "customs_changed");
  if (next.status !== product.status) next = { ...next, status_reason: changedSince };
  // A client that sends a code which was only found confirms it.
  const isConfirmed = fields.hs_code != null && product.hs_code_source === "classified";
  if (!changed("hs_code") && !isConfirmed) return next;
  const hs_code_source = fields.hs_code == null ? null : source;
  next = { ...next, hs_code_source, hs_confidence: null };
  return moved(next, fields.hs_code == null ? "code_removed" : "classified");
}

/**
 * A code that a person or a store gave, or that is approved, stays: the finding is then only stored
 * beside it.
 */
export function withClassification<P extends Product>(product: P, found: Classification): P {
  const next = { ...product, classification: found };
  const isOurs = product.hs_code === null || product.hs_code_source === "classified";
  if (!isOurs || product.status === "Approved" || found.hs_code === null) return next;
  const coded = {
    ...next,
    hs_code: found.hs_code,
    hs_code_source: "classified" as const,
    hs_confidence: found.confidence,
  };
  return moved(coded, "classified");
}

const verdicts = {
  verified: "verified",
  needs_review: "needs_review",
  failed: "failed",
} as const satisfies Record<Verification["status"], ProductEvent>;

export function withVerification<P extends Product>(product: P, found: Verification): P {
  const next = moved({ ...product, cusma: found }, verdicts[found.status]);
  if (isDecided(next.status)) return next;
  const reason = found.status === "verified" ? null : found.reasons.join(" ").slice(0, 1000);
  return { ...next, status_reason: reason };
}

/** Null when the status forbids it: the manufacturer failed. */
export function approved<P extends Product>(product: P, at: Date): P | null {
  const status = statusAfter(product.status, "approved");
  return status && { ...product, status, status_reason: null, approved_at: at };
}

export function rejected<P extends Product>(product: P, reason: string): P {
  return { ...moved(product, "rejected"), status_reason: reason, approved_at: null };
}

function moved<P extends Product>(product: P, event: ProductEvent): P {
  const status = statusAfter(product.status, event);
  if (status === null) throw new Error(`a product that is ${product.status} cannot be ${event}`);
  if (status === product.status) return product;
  const approved_at = status === "Approved" ? product.approved_at : null;
  return { ...product, status, approved_at };
}
