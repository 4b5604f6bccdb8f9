import DataLoader from "dataloader";
import type { RawBuilder } from "kysely";
import { refuseInsideTransaction } from "./connect.ts";
import { onNobodysBehalf } from "./driver/on-behalf-of.ts";
import type { Database, Tx } from "./tables.ts";
import { isUnavailable } from "./errors.ts";

/** The most keys of one statement. */
const together = 100;

/**
 * Makes a read of one row by its key, which shares its round trip with others: all callers of one iteration
 * of the event loop, on behalf of any accounts, are answered by one statement, which is sent at the end of
 * the iteration. A lone read waits for no other, nothing is cached, and a transaction reads by itself. Null
 * for a key that has no row.
 *
 * The `statement` gets the keys as a JSON array, each with its `place` (the index in the batch), which is a
 * column of the row found for it. It has to look up each key by itself, in a LATERAL with a LIMIT, which the
 * planner does not flatten: a join would be planned once for an unknown number of keys, maybe when the table
 * is empty, and read all of it. For the same reason the keys are no `unnest`, whose length the planner
 * estimates, so that it plans anew each time.
 *
 * When the database is unavailable, every caller that shares the statement gets the error. A key that
 * PostgreSQL cannot accept fails only for its own callers.
 */
export function batchedRead<Key extends object, Found extends object>(
  statement: (wanted: string) => RawBuilder<Found & { place: number }>,
): (db: Database | Tx, key: Key) => Promise<Found | null> {
  const loaders = new WeakMap<Database, DataLoader<Key, Found | null>>();

  function loaderOf(db: Database): DataLoader<Key, Found | null> {
    const known = loaders.get(db);
    if (known) return known;
    // Of several accounts: the statement must not count against the account of the first caller.
    const readThem = (keys: readonly Key[]) => onNobodysBehalf(() => readAll(db, keys));
    const made = new DataLoader<Key, Found | null>(readThem, {
      cache: false,
      maxBatchSize: together,
      // Not as soon as the current caller is idle: each response from outside wakes up one request, and those
      // of the others are still unread.
      batchScheduleFn: (send) => void setImmediate(send),
    });
    loaders.set(db, made);
    return made;
  }

  async function readAll(db: Database, keys: readonly Key[]): Promise<(Found | null | Error)[]> {
    try {
      return await readOnce(db, keys);
    } catch (error) {
      if (keys.length === 1 || isUnavailable(error)) throw error;
    }
    const readAlone = async (key: Key) => (await readOnce(db, [key]))[0]!;
    return Promise.all(keys.map((key) => readAlone(key).catch((error: Error) => error)));
  }

  async function readOnce(db: Database | Tx, keys: readonly Key[]): Promise<(Found | null)[]> {
    const wanted = JSON.stringify(keys.map((key, place) => ({ ...key, place })));
    const { rows } = await statement(wanted).execute(db);
    const found = new Map(rows.map(({ place, ...row }) => [place, row as unknown as Found]));
    return keys.map((_key, place) => found.get(place) ?? null);
  }

  return async (db, key) => {
    if (db.isTransaction) return (await readOnce(db, [key]))[0]!;
    // Checked for each caller: the statement is sent in the context of the first of them.
    refuseInsideTransaction();
    return loaderOf(db).load(key);
  };
}
