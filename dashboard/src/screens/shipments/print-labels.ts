import type { Shipment, Waybill } from "@waybill/sdk";
import { printFile } from "../../print/frame.ts";

/** Prints the labels of shipments. Links to files live for half an hour: fresh ones are read. */
export async function printLabels(waybill: Waybill, shipments: readonly Shipment[]): Promise<void> {
  for (const { id, label_url } of shipments) {
    if (label_url === null) continue;
    const { data } = await waybill.labels.get(id);
    if (data.label_url) await printFile(data.label_url);
  }
}
