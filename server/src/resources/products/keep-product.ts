import type { AccountContext } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { recordEvents } from "../../events/outbox.ts";
import * as store from "./store.ts";

type Acting = Pick<AccountContext, "clock" | "principal" | "request_id">;

/** A product before and after; null before it began to exist. */
export interface ProductChange {
  before: store.ProductRow | null;
  after: store.ProductRow;
}

/** Writes a locked product, and records the event of its new status in the same commit. */
export async function rewriteProduct(
  ctx: Acting,
  tx: Tx,
  { before, after }: { before: store.ProductRow; after: store.ProductRow },
): Promise<store.ProductRow> {
  const changed = { ...after, updated_at: ctx.clock.now() };
  await store.rewriteProducts(tx, [changed]);
  await tellOfMoves(ctx, tx, [{ before, after: changed }]);
  return changed;
}

/** One `product.status_changed` for each whose status is new. */
export async function tellOfMoves(
  ctx: Acting,
  tx: Tx,
  changes: readonly ProductChange[],
): Promise<void> {
  const by = originOf(ctx);
  const moves = changes.filter(({ before, after }) => before?.status !== after.status);
  await recordEvents(
    tx,
    moves.map(({ before, after }) => ({
      account_id: after.account_id,
      type: "product.status_changed",
      subject_id: after.sku,
      data: { sku: after.sku, status: after.status, previous_status: before?.status ?? null },
      by,
    })),
  );
}
