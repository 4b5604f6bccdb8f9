import { renderBillOfLading } from "../documents/bill-of-lading.ts";
import { renderCommercialInvoice } from "../documents/commercial-invoice.ts";
import { renderPalletLabels } from "../documents/pallet-labels.ts";
import { startSearch } from "../providers/classification/search.ts";

/** Work in threads, because a caller's texts decide how long it takes. Plain data in, plain data out. */
export const tasks = {
  commercial_invoice: renderCommercialInvoice,
  bol: renderBillOfLading,
  pallet_label: renderPalletLabels,
  classify: startSearch(),
};

export type Task = keyof typeof tasks;
export type Input<T extends Task> = Parameters<(typeof tasks)[T]>[0];
export type Output<T extends Task> = Awaited<ReturnType<(typeof tasks)[T]>>;
