import DataLoader from "dataloader";
import type { RawBuilder } from "kysely";
import { refuseInsideTransaction } from "./connect.ts";
import { onNobodysBehalf } from "./driver/on-behalf-of.ts";
import type { Database, Tx } from "./tables.ts";
import { isUnavailable } from "./errors.ts";

/** What one statement answers at most. */
const together = 100;

/**
 * Makes a read of one row by its key, which shares its round trip with others: all callers of one turn of the event
 * loop, on behalf of whichever account, are answered by one statement, which is sent at the end of the turn.
 * A lone read waits for no other, nothing is remembered, and a transaction reads by itself. Null for a key that has no row.
 *
 * The `statement` gets the keys as a JSON array, each with its `place`, which stands in the row that is found
 * for it. It has to look up each key by itself, in a LATERAL with a LIMIT, which no planner takes apart: a join
 * would be planned once for a number of keys that nobody knows, maybe when the table is empty, and read it all.
 * For the same reason the keys are no `unnest`, whose length a planner looks at, and so plans anew each time.
 *
 * When the database is away, all who share a statement hear so. A key that PostgreSQL cannot take is the
 * trouble of those who asked for it.
 */
export function batchedRead<Key extends object, Found extends object>(
  statement: (wanted: string) => RawBuilder<Found & { place: number }>,
): (db: Database | Tx, key: Key) => Promise<Found | null> {
  const loaders = new WeakMap<Database, DataLoader<Key, Found | null>>();

  function loaderOf(db: Database): DataLoader<Key, Found | null> {
    const known = loaders.get(db);
    if (known) return known;
    // Of whichever accounts: the first who asks must not pay for all.
    const readThem = (keys: readonly Key[]) => onNobodysBehalf(() => readAll(db, keys));
    const made = new DataLoader<Key, Found | null>(readThem, {
      cache: false,
      maxBatchSize: together,
      // Not already when the one who asks has nothing more to do: each answer from outside wakes up one of
      // them, and those of the others lie there unread.
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
    // Said to each by himself: the statement is sent from where the first of them stood.
    refuseInsideTransaction();
    return loaderOf(db).load(key);
  };
}
