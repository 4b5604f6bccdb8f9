import type { LabelFile } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { newId } from "../../domain/values/ids.ts";
import { isLabelled, isVoided } from "../../domain/shipments/shipment-states.ts";
import { partyLanes } from "../../jobs/party-lanes.ts";
import { openReview } from "../../outbound/begin.ts";
import { lookupSeconds, withDeadline } from "../../outbound/deadline.ts";
import { toFailure } from "../../outbound/operation.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { labelRefOf } from "../../shipping/shipments/label-ref.ts";
import { getShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { storeCarrierFiles } from "./carrier-files.ts";
import { isLabelFile } from "./label-files.ts";
import { labelFile } from "./missing-file.ts";
import * as store from "./pending-files-store.ts";
import { listReadyFiles } from "./ready-files.ts";
import { canBecome, inRequestedFormat } from "./requested-format.ts";

/**
 * Labels that are sold and whose files their carriers have later: they are fetched until they come, with
 * growing pauses. What has not come within a day is an operator's concern as well.
 */

const by = bySystem("labels.fetch_files");
const reviewSeconds = 86_400;

/** A round of the loop that fetches the files that are due. An unresponsive carrier delays no other. */
export function pendingFileLanes(platform: Platform): (signal: AbortSignal) => Promise<boolean> {
  return partyLanes({
    take: (places) => store.takePendingFiles(platform.db, places),
    partyOf: ({ carrier }) => carrier,
    ask: (pending) =>
      fetchPending(platform, pending).then(
        () => true,
        (error: unknown) => {
          const { account_id, shipment_id } = pending;
          platform.log.warn({ account_id, shipment_id, err: error }, "label_file.not_fetched");
          return toFailure({ party: pending.carrier }, error).kind === "refused";
        },
      ),
  });
}

async function fetchPending(platform: Platform, pending: store.PendingFiles): Promise<void> {
  const { account_id, shipment_id } = pending;
  const row = await getShipment(platform.db, account_id, shipment_id);
  // A void that its carrier rejects makes the label live again.
  const isOver = isVoided(row.status) && row.refund_status !== "pending";
  if (isOver || row.documents.some(({ type }) => type === "label"))
    return inTransaction(
      platform.db,
      async (tx) => void (await store.endPendingFiles(tx, pending)),
    );
  if (!isLabelled(row.status)) return;
  try {
    await storeFiles(platform, row, await fetchFiles(platform, row, pending));
  } catch (error) {
    const seconds = (platform.clock.now().getTime() - pending.since.getTime()) / 1000;
    if (seconds >= reviewSeconds && !pending.is_reviewed) await reviewFile(platform, row, pending);
    throw error;
  }
}

/** The files of the label. Throws why they cannot be had, or cannot be printed. */
async function fetchFiles(
  platform: Platform,
  row: ShipmentRow,
  { account_id, carrier, environment }: store.PendingFiles,
): Promise<LabelFile[]> {
  const { carriers, connections, metrics } = platform;
  const label = labelRefOf(row, await contextOn({ connections }, { ...row, environment }));
  const format = row.label_format ?? "pdf";
  metrics.carrier_calls.inc({ carrier, operation: "fetch_files" });
  const files = await withDeadline(lookupSeconds, (signal) =>
    carriers.get(carrier).fetchFiles(label, format, signal),
  );
  const labels = files.filter(({ type }) => type === "label");
  const isUsable = labels.every((file) => canBecome(file.format, format) && isLabelFile(file));
  if (labels.length === 0 || !isUsable)
    throw new Error(`${carrier} sent no complete ${format} file`);
  return inRequestedFormat(platform, { account_id, format, files });
}

async function storeFiles(
  platform: Platform,
  { account_id, id: shipment_id, purchase_reference, purchased_at }: ShipmentRow,
  sent: readonly LabelFile[],
): Promise<void> {
  const sent_at = purchased_at ?? platform.clock.now();
  const of = { account_id, id: purchase_reference ?? "", shipment_id, sent_at };
  const files = await storeCarrierFiles(platform, of, sent);
  await inTransaction(platform.db, (tx) =>
    listReadyFiles(platform, tx, { account_id, shipment_id, files, by }),
  );
}

async function reviewFile(
  platform: Platform,
  row: ShipmentRow,
  { account_id, shipment_id, carrier }: store.PendingFiles,
): Promise<void> {
  await inTransaction(platform.db, async (tx) => {
    if (!(await store.noteReviewed(tx, { account_id, shipment_id }))) return;
    await openReview(platform.outbound, tx, labelFile(platform), {
      account_id,
      id: newId("att"),
      subject_id: shipment_id,
      party: carrier,
      input: {
        shipment_id,
        carrier,
        tracking_code: row.tracking_code ?? "",
        purchase_reference: row.purchase_reference ?? "",
        label_format: row.label_format ?? "pdf",
      },
      ...by,
    });
  });
}
