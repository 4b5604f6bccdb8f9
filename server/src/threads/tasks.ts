import type { renderBillOfLading } from "../documents/bill-of-lading.ts";
import type { renderCommercialInvoice } from "../documents/commercial-invoice.ts";
import type { renderPalletLabels } from "../documents/pallet-labels.ts";
import type { Question, Search } from "../providers/classification/search.ts";

/**
 * Work in threads, because a caller's texts decide how long it takes. Plain data in, plain data out. A thread
 * loads what draws or searches with its first task of the kind.
 */
export const tasks = {
  commercial_invoice: async (facts: Parameters<typeof renderCommercialInvoice>[0]) =>
    (await import("../documents/commercial-invoice.ts")).renderCommercialInvoice(facts),
  bol: async (facts: Parameters<typeof renderBillOfLading>[0]) =>
    (await import("../documents/bill-of-lading.ts")).renderBillOfLading(facts),
  pallet_label: async (facts: Parameters<typeof renderPalletLabels>[0]) =>
    (await import("../documents/pallet-labels.ts")).renderPalletLabels(facts),
  classify: async (question: Question) => (await search())(question),
};

export type Task = keyof typeof tasks;
export type Input<T extends Task> = Parameters<(typeof tasks)[T]>[0];
export type Output<T extends Task> = Awaited<ReturnType<(typeof tasks)[T]>>;

let searching: Promise<Search> | undefined;

/** One search for the thread: it keeps its index. */
function search(): Promise<Search> {
  searching ??= import("../providers/classification/search.ts").then(({ startSearch }) =>
    startSearch(),
  );
  return searching;
}
