import { OneOf } from "../values/schema.ts";

/** The states of a product as one table (decisions 13 and 22). */

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

/**
 * The events of a product. `maker_changed` is a change of its manufacturer or of the manufacturer's
 * address.
 */
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
 * The status after each event by the status before; null is forbidden. An unchanged status is written as
 * itself. A person's approval or rejection ends by a change, never by another verification that finds
 * nothing new.
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
  // The verification was of another manufacturer.
  maker_changed: {
    ...nowhere,
    "Manufacturer Verified": "Pending Approval",
    Approved: "Pending Approval",
    Rejected: "Pending Approval",
  },
  approved: { ...everywhere("Approved"), "Manufacturer Failed": null },
  rejected: everywhere("Rejected"),
};

/** Whether a person has decided, until something changes. */
export function isDecided(status: ProductStatus): boolean {
  return status === "Approved" || status === "Rejected";
}

/** The status after the event; null when the status forbids it. */
export function statusAfter(status: ProductStatus, event: ProductEvent): ProductStatus | null {
  return productMoves[event][status];
}
