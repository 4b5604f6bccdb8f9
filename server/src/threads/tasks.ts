import type { Search } from "../providers/classification/search.ts";

/**
 * Work in threads, because a caller's texts decide how long it takes. Plain data in, plain data out. Each is loaded with
 * the first task of its kind, and stays loaded in that thread.
 */
export const tasks = {
  commercial_invoice: async () =>
    (await import("../documents/commercial-invoice.ts")).renderCommercialInvoice,
  bol: async () => (await import("../documents/bill-of-lading.ts")).renderBillOfLading,
  pallet_label: async () => (await import("../documents/pallet-labels.ts")).renderPalletLabels,
  label_picture: async () => (await import("../documents/label-picture.ts")).openLabelPicture(),
  combine_labels: async () => (await import("../documents/combine-labels.ts")).combineLabels,
  carrier_label: async () => (await import("../carriers/protocol/label-files.ts")).makeLabel,
  simulated_label: async () => (await import("../carriers/simulator/print-label.ts")).drawHere,
  classify: search,
};

export type Task = keyof typeof tasks;
type Loaded<T extends Task> = Awaited<ReturnType<(typeof tasks)[T]>>;
export type Input<T extends Task> = Parameters<Loaded<T>>[0];
export type Output<T extends Task> = Awaited<ReturnType<Loaded<T>>>;

let searching: Promise<Search> | undefined;

/** One search for the thread: it keeps its index. */
function search(): Promise<Search> {
  searching ??= import("../providers/classification/search.ts").then(({ startSearch }) =>
    startSearch(),
  );
  return searching;
}
