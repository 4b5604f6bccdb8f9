import type { AccountContext, Platform } from "../../context.ts";
import { accountOf } from "../../database/account-of.ts";
import { inTransaction } from "../../database/connect.ts";
import { onBehalfOf } from "../../database/driver/on-behalf-of.ts";
import { begunBy, originOf } from "../../domain/accounts/principal.ts";
import { recordEvent } from "../../events/outbox.ts";
import { mergeProducts, enrichProducts, SkuTaken } from "../products/service.ts";
import { completedEvent } from "./completed-event.ts";
import * as store from "./run-store.ts";

/** Rows of one import that are written in one transaction, before another import continues. */
const partSize = 100;

/**
 * Processes the next rows of one import: outside calls come first, then the rows' products, their events and
 * the rows' results are written in one commit. A process that dies, or is taken for dead, has written a whole
 * part or nothing of it. Returns the account of the import, or null when there was none.
 */
export async function runNext(platform: Platform): Promise<string | null> {
  const { db, process_id, config, log } = platform;
  const due = await store.takeDue(db, { process_id, lease_seconds: config.lease_seconds });
  if (!due) return null;
  const account = accountOf(due.account);
  try {
    await onBehalfOf(account.account_id, () =>
      runPart({ ...platform, ...begunBy(due, "imports.run"), account }, due),
    );
  } catch (error) {
    await store.releaseClaimOf(db, due, process_id);
    // Another transaction created a product with a row's sku in the meantime: then the row is an update.
    if (!(error instanceof SkuTaken)) throw error;
    log.info({ import_id: due.id }, "import.part_retried");
  }
  return account.account_id;
}

async function runPart(ctx: AccountContext, due: store.DueImport): Promise<void> {
  const rows = await store.nextRows(ctx.db, due, partSize);
  const enrichment = await enrichProducts(ctx, rows);
  await inTransaction(ctx.db, async (tx) => {
    if (!(await store.lockOwn(tx, due, ctx.process_id))) return;
    const outcomes = await mergeProducts(ctx, tx, { brought: rows, enrichment });
    const ended = rows.map(({ row }, place) => ({ row, ...outcomes[place]! }));
    const over = await store.endRows(tx, due, { rows: ended, now: ctx.clock.now() });
    if (over) await recordEvent(tx, completedEvent(over, originOf(ctx)));
  });
}
