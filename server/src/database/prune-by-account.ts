import { sql } from "kysely";
import type { Database } from "./tables.ts";

/**
 * Deletes old rows of all accounts, one account after the other and a limited number of rows in each transaction, so that no
 * account waits for another's backlog and no lock is held for long.
 */
interface Pruning {
  db: Database;
  signal: AbortSignal;
  /** Deletes at most a slice of an account's rows; returns whether there may be more. */
  prune(accountId: string): Promise<boolean>;
}

const accountsAtOnce = 500;

/** One pass over all accounts; ends early when the signal fires. */
export async function pruneByAccount({ db, signal, prune }: Pruning): Promise<void> {
  for (let after = ""; ;) {
    const { rows } = await sql<{ account_id: string }>`
      SELECT account_id FROM accounts WHERE account_id > ${after}
      ORDER BY account_id LIMIT ${accountsAtOnce}`.execute(db);
    for (const { account_id } of rows) while (!signal.aborted && (await prune(account_id)));
    const last = rows.at(-1);
    if (!last || signal.aborted) return;
    after = last.account_id;
  }
}
