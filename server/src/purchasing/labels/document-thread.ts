import type { Platform } from "../../context.ts";
import type { Input } from "../../threads/tasks.ts";
import { asBuffer } from "../../threads/threads.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

type Paper = "commercial_invoice" | "bol" | "pallet_label";

/**
 * The largest document takes a second or two of CPU time. A purchase waits for its documents before it is
 * settled, and must be settled before its attempt is due for recovery.
 */
const limits = { wait_ms: 6_000, limit_ms: 8_000 };

/** Draws a document in a worker thread. Throws `TaskAborted` for one that takes too long. */
export async function onThread<P extends Paper>(
  { threads }: Pick<Platform, "threads">,
  { account_id }: Pick<ShipmentRow, "account_id">,
  paper: P,
  facts: Input<P>,
): Promise<Buffer> {
  const bytes = await threads.run(paper, facts, { account_id, ...limits });
  return asBuffer(bytes);
}
