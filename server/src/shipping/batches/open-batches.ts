import type { AccountContext } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { newId } from "../../domain/values/ids.ts";
import { insertItems, lastPlace } from "./member-store.ts";
import { changeBatch, insertBatch, lockOpenBatch, type BatchRow } from "./store.ts";

/** A shipment, about to be created, and the name of its batch. */
interface WantedPlace {
  name: string;
  shipment_id: string;
}

/**
 * Puts new shipments into the open batches of these names; a batch that does not exist, or is full, is
 * created. Returns the batch of each shipment, to be written to its row. Names are locked in a fixed order,
 * so that there is no deadlock.
 */
export async function placeInOpenBatches(
  ctx: AccountContext,
  tx: Tx,
  wanted: readonly WantedPlace[],
): Promise<Map<string, string>> {
  const byName = Map.groupBy(wanted, ({ name }) => name);
  const batchOf = new Map<string, string>();
  for (const name of [...byName.keys()].sort()) {
    const ids = byName.get(name)!.map(({ shipment_id }) => shipment_id);
    let open = await lockOpenBatch(tx, ctx.account.account_id, name);
    for (let first = 0; first < ids.length;) {
      const room = ctx.config.batch_shipments_max - (open?.shipment_ids.length ?? 0);
      const added = ids.slice(first, first + Math.max(0, room));
      if (added.length > 0) {
        open = await fill(ctx, tx, { open, name, added });
        for (const id of added) batchOf.set(id, open.id);
        first += added.length;
      }
      if (first < ids.length) open = null;
    }
  }
  return batchOf;
}

async function fill(
  ctx: AccountContext,
  tx: Tx,
  { open, name, added }: { open: BatchRow | null; name: string; added: string[] },
): Promise<BatchRow> {
  if (!open) {
    const batch = newBatch(ctx, { name, shipment_ids: added });
    await insertBatch(tx, batch);
    await insertItems(tx, membersOf(batch, added), 0);
    return batch;
  }
  const shipment_ids = [...open.shipment_ids, ...added];
  const after = await lastPlace(tx, open.account_id, open.id);
  await changeBatch(tx, open, { shipment_ids });
  await insertItems(tx, membersOf(open, added), after);
  return { ...open, shipment_ids };
}

function membersOf({ account_id, id: batch_id }: BatchRow, shipment_ids: string[]) {
  return { account_id, batch_id, shipment_ids };
}

/** A batch that is open. */
export function newBatch(
  ctx: AccountContext,
  {
    name,
    shipment_ids,
    label_format,
    label_size,
  }: Pick<BatchRow, "name" | "shipment_ids"> &
    Partial<Pick<BatchRow, "label_format" | "label_size">>,
): BatchRow {
  const now = ctx.clock.now();
  return {
    account_id: ctx.account.account_id,
    id: newId("bat", now),
    name,
    status: "open",
    shipment_ids,
    service: null,
    label_format: label_format ?? null,
    label_size: label_size ?? null,
    success_count: 0,
    error_count: 0,
    total_cost_cents: 0,
    created_at: now,
    process_started_at: null,
    processed_at: null,
    combined_file_key: null,
    combined_bytes: null,
    combined_sha256: null,
    combine_at: null,
    combine_holder_id: null,
    actor: null,
    request_id: null,
  };
}
