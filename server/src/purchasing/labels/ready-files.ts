import type { Platform } from "../../context.ts";
import { json, type StoredDocument, type Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { isLabelled } from "../../domain/shipments/shipment-states.ts";
import { recordEvent } from "../../events/outbox.ts";
import { combineAgain } from "../../shipping/batches/store.ts";
import { labelFacts, shipmentFacts } from "../../shipping/shipments/event-facts.ts";
import { changeShipment, lockShipment } from "../../shipping/shipments/store.ts";
import { endPendingFiles } from "./pending-files-store.ts";

/**
 * Lists files that were pending with their shipment, in place of what was drawn for want of them; that is told
 * once, and a batch of it gets another combined file. Files that another process has listed, or of a label that was voided meanwhile, are left.
 */
export async function listReadyFiles(
  { clock }: Pick<Platform, "clock">,
  tx: Tx,
  {
    account_id,
    shipment_id,
    files,
    by,
  }: { account_id: string; shipment_id: string; files: readonly StoredDocument[]; by: Origin },
): Promise<void> {
  const row = await lockShipment(tx, account_id, shipment_id);
  if (!isLabelled(row.status)) return;
  if (!(await endPendingFiles(tx, { account_id, shipment_id }))) return;
  const others = row.documents.filter(({ type }) => files.every((file) => file.type !== type));
  const listed = await changeShipment(tx, row, {
    documents: json([...files, ...others]),
    updated_at: clock.now(),
  });
  await combineAgain(tx, listed);
  await recordEvent(tx, {
    account_id,
    type: "shipment.label_ready",
    subject_id: shipment_id,
    data: { ...shipmentFacts(listed), ...labelFacts(listed) },
    by,
  });
}
