import { OneOf } from "../values/schema.ts";

/** The life of a product as one table (decisions 13 and 22). */

export const productStatuses = [
  "Imported",
  "Classified",
  "Manufacturer Verified",
  "Manufacturer Failed",
  "Pending Approval",
  "Approved",
  "Rejected",
] as const;
export type ProductStatus = (typeof productStatuses)[number];
export const ProductStatus = OneOf(productStatuses, { $id: "ProductStatus" });

/** What can happen to a product. `maker_changed` is a change of who makes it or where. */
export const productEvents = [
  "classified",
  "code_removed",
  "verified",
  "needs_review",
  "failed",
  "customs_changed",
  "maker_changed",
  "approved",
  "rejected",
] as const;
export type ProductEvent = (typeof productEvents)[number];

const everywhere = (to: ProductStatus) =>
  Object.fromEntries(productStatuses.map((from) => [from, to])) as Record<
    ProductStatus,
    ProductStatus
  >;
const nowhere = Object.fromEntries(productStatuses.map((status) => [status, status])) as Record<
  ProductStatus,
  ProductStatus
>;

/**
 * What each event makes of each status; null is forbidden. A status that stays is written as itself. What
 * a person has approved or rejected is undone by a change, never by a second look that finds nothing new.
 */
export const productMoves: Record<ProductEvent, Record<ProductStatus, ProductStatus | null>> = {
  classified: { ...nowhere, Imported: "Classified" },
  code_removed: { ...nowhere, Classified: "Imported" },
  verified: {
    Imported: "Manufacturer Verified",
    Classified: "Manufacturer Verified",
    "Manufacturer Verified": "Manufacturer Verified",
    "Manufacturer Failed": "Manufacturer Verified",
    "Pending Approval": "Pending Approval",
    Approved: "Approved",
    Rejected: "Rejected",
  },
  needs_review: { ...everywhere("Pending Approval"), Approved: "Approved", Rejected: "Rejected" },
  failed: everywhere("Manufacturer Failed"),
  customs_changed: { ...nowhere, Approved: "Pending Approval", Rejected: "Pending Approval" },
  // What was verified was another maker.
  maker_changed: {
    ...nowhere,
    "Manufacturer Verified": "Pending Approval",
    Approved: "Pending Approval",
    Rejected: "Pending Approval",
  },
  approved: { ...everywhere("Approved"), "Manufacturer Failed": null },
  rejected: everywhere("Rejected"),
};

/** Whether a person has said the last word, until something changes. */
export function isDecided(status: ProductStatus): boolean {
  return status === "Approved" || status === "Rejected";
}

/** The status after the event; null when the status forbids it. */
export function statusAfter(status: ProductStatus, event: ProductEvent): ProductStatus | null {
  return productMoves[event][status];
}
