import type { Context } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { Statement } from "./schemas.ts";
import * as store from "./store.ts";
import { toStatement } from "./view.ts";

/** One statement; for the running month with its current totals. */
export async function showStatement(ctx: Context, id: string): Promise<Statement> {
  const row = await store.getStatement(ctx.db, ctx.account.account_id, id);
  return toStatement(await upToNow(ctx, row));
}

// A read of the running month counts only what follows the last stored count, which is stored every so many.
const keptFrom = 200;

/** The row as it is; an open one with the totals of the ledger so far. */
export async function upToNow(
  { db }: Pick<Context, "db">,
  row: store.StatementRow,
): Promise<store.StatementRow> {
  if (row.status !== "open") return row;
  const now = await store.counted(db, row);
  if (now.through_sequence - row.through_sequence >= keptFrom) await store.keepCount(db, row, now);
  return now;
}

/** A link to one of its files (decision 17). Throws 409 `statement_not_ready` until they are made. */
export async function linkToFile(ctx: Context, id: string, file: "pdf_key" | "csv_key") {
  const row = await store.getStatement(ctx.db, ctx.account.account_id, id);
  const key = row[file];
  if (key === null) {
    throw new ApiError("statement_not_ready", {
      details: { status: row.status },
      retry_after: 60,
    });
  }
  const { url, expires_at } = ctx.files.link(key, ctx.clock.now());
  return { url, expires_at: expires_at.toISOString() };
}
