import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import {
  accountsWithOld,
  deleteEndedDeliveries,
  deleteEvents,
  lockFeedToPrune,
  readFirst,
} from "./prune-store.ts";

const accountsAtOnce = 200;
const slice = 1000;

/**
 * Deletes events older than so many days, of each account from its oldest on, in slices, and ended deliveries of
 * that age. An event with a pending delivery is kept, and so is what follows it: a feed has a beginning, not holes.
 */
export async function pruneEvents(db: Database, days: number, signal: AbortSignal): Promise<void> {
  for (let after = ""; !signal.aborted;) {
    const accounts = await accountsWithOld(db, { days, after, limit: accountsAtOnce });
    for (const account_id of accounts)
      while (!signal.aborted && (await pruneSlice(db, account_id, days)) === slice);
    if (accounts.length < accountsAtOnce) break;
    after = accounts.at(-1)!;
  }
  while (!signal.aborted && (await deleteEndedDeliveries(db, days, slice)) === slice);
}

/** Returns how many it deleted. Readers find the new beginning with the first event that they miss. */
async function pruneSlice(db: Database, account_id: string, days: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const pruned = await lockFeedToPrune(tx, account_id);
    if (pruned === null) return 0;
    const first = await readFirst(tx, account_id, { after: pruned, days, limit: slice });
    const kept = first.findIndex(({ is_old, is_pending }) => !is_old || is_pending);
    const gone = kept === -1 ? first : first.slice(0, kept);
    const last = gone.at(-1);
    if (last) await deleteEvents(tx, account_id, { after: pruned, through: last.position });
    return gone.length;
  });
}
