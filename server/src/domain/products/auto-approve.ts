import { approved } from "./change-product.ts";
import type { Product } from "./product.ts";

/**
 * The product, approved where its customs code was found with at least that confidence. A code of a store or a
 * person says nothing of confidence, and a manufacturer that failed, or that is like a denied party, is for a
 * person to look at: such a product stays as it is.
 */
export function approvedIfConfident<P extends Product>(
  product: P,
  { least, at }: { least: number | null; at: Date },
): P {
  const { hs_confidence, hs_code_source, status, cusma } = product;
  if (least === null || hs_code_source !== "classified" || (hs_confidence ?? -1) < least)
    return product;
  if (status !== "Manufacturer Verified" && status !== "Pending Approval") return product;
  const isOpen = cusma?.checks.some(({ code, passed }) => code === "denied_party" && !passed);
  if (cusma === null || isOpen) return product;
  return approved(product, at) ?? product;
}
