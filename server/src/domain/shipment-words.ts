/** Words that shipments and whoever changes them choose from (decisions 5 and 6). */

export const contentsTypes = [
  "merchandise",
  "documents",
  "gift",
  "sample",
  "returned_goods",
  "other",
] as const;

/** Who pays the duties: delivered duty paid, or unpaid. */
export const incoterms = ["DDP", "DDU"] as const;

/** What a service may be named as instead of by its code: decided by the prices at the purchase. */
export const strategies = ["cheapest", "fastest", "cheapest_tracked"] as const;
