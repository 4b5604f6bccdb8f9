import type { Platform } from "../../context.ts";
import type { Input } from "../../threads/tasks.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

type Paper = "commercial_invoice" | "bol" | "pallet_label";

/**
 * The largest paper takes a second or two of a processor. A purchase waits for its papers before it is settled, and
 * must be before somebody else looks what became of it.
 */
const limits = { wait_ms: 6_000, limit_ms: 8_000 };

/** Draws a paper beside the event loop. Throws `TaskAborted` for one that takes too long. */
export async function onThread<P extends Paper>(
  { threads }: Pick<Platform, "threads">,
  { account_id }: Pick<ShipmentRow, "account_id">,
  paper: P,
  facts: Input<P>,
): Promise<Buffer> {
  const bytes = await threads.run(paper, facts, { account_id, ...limits });
  // What comes from a thread is bytes, and no Buffer.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
