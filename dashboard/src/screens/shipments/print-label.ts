import type { Shipment, Waybill } from "@waybill/sdk";
import { printFile } from "../../print/frame.ts";

/** Prints the label of a shipment. Links to files live for half an hour: a fresh one is read. */
export async function printLabel(waybill: Waybill, { id }: Shipment): Promise<void> {
  const { data } = await waybill.labels.get(id);
  if (data.label_url) await printFile(data.label_url);
}
