import { inTransaction } from "../database/connect.ts";
import type { Database, Tx } from "../database/tables.ts";

/**
 * Whatever moves an account's money waits for its one balance row, and holds a connection while it
 * waits. A crowd that buys on one account would soon hold all of them: the account itself would be
 * turned away, and every other one with it. So an account has a few open transactions in each process,
 * and the rest of its crowd waits here, first come, first served, which costs nothing.
 */
const openMax = 4;

interface Crowd {
  open: number;
  waiting: (() => void)[];
}

const crowds = new Map<string, Crowd>();

/** Runs the work in a transaction once it is the account's turn. Throws what `inTransaction` throws. */
export async function inAccountTransaction<T>(
  db: Database,
  accountId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const crowd = crowds.get(accountId) ?? { open: 0, waiting: [] };
  crowds.set(accountId, crowd);
  if (crowd.open < openMax) crowd.open++;
  else await new Promise<void>((enter) => crowd.waiting.push(enter));
  try {
    return await inTransaction(db, work);
  } finally {
    // Whoever goes hands the place on, so that nobody who comes just now slips in between.
    const next = crowd.waiting.shift();
    if (next) next();
    else if (--crowd.open === 0) crowds.delete(accountId);
  }
}
