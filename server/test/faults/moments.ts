import { sql } from "kysely";
import pg from "pg";
import { expect, vi } from "vitest";
import type { Database } from "../../src/database/tables.ts";
import { aClient, type DataOf } from "../client.ts";
import { labelsIn, readJournal, referencesOf, type Oracles } from "../invariants.ts";

/** How a test finds the moment at which to strike: by the state of the database and the carriers. */

function soon(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 10_000, interval: 5 });
}

/** A request's statement waits for a lock that the test holds; or so many do. Notes of a token's last use do not count. */
export function untilBackendWaits(db: Database, count = 1): Promise<void> {
  return soon(async () => {
    const { rows } = await sql`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE 'update "tokens" set "last_used_at"%'`.execute(
      db,
    );
    expect(rows.length).toBeGreaterThanOrEqual(count);
  });
}

/** An attempt about this subject is committed. */
export function untilAttempted(db: Database, where: { subject_id?: string; kind: string }) {
  return soon(async () => {
    let select = db.selectFrom("attempts").select("id").where("kind", "=", where.kind);
    if (where.subject_id) select = select.where("subject_id", "=", where.subject_id);
    // Whose answer is lost at once may be past `sent` before anybody looks.
    expect(await select.where("status", "in", ["sent", "unknown"]).execute()).not.toEqual([]);
  });
}

export function untilStatus(db: Database, shipmentId: string, status: string): Promise<void> {
  return soon(async () => {
    const row = await db
      .selectFrom("shipments")
      .select("status")
      .where("id", "=", shipmentId)
      .executeTakeFirstOrThrow();
    expect(row.status).toBe(status);
  });
}

/** How many labels the carriers' journals have for the shipment. */
export async function soldLabels(oracles: Oracles, shipmentId: string): Promise<number> {
  const references = await referencesOf(oracles.db, shipmentId);
  return labelsIn(await readJournal(oracles), references).length;
}

export function untilSold(oracles: Oracles, shipmentId: string): Promise<void> {
  return soon(async () => expect(await soldLabels(oracles, shipmentId)).toBe(1));
}

/** The number of each carrier's calls by operation. */
export type Calls = Record<string, Record<string, number>>;

/** A count of the carriers' calls, from which `untilCalled` sees the next call arrive. */
export async function carrierCalls({
  simulator_url,
}: Pick<Oracles, "simulator_url">): Promise<Calls> {
  return (await aClient(simulator_url, "").get<DataOf<Calls>>("/calls")).body.data;
}

export function untilCalled(
  oracles: Pick<Oracles, "simulator_url">,
  { carrier, operation, since }: { carrier: string; operation: string; since: Calls },
): Promise<void> {
  return soon(async () => {
    const calls = await carrierCalls(oracles);
    expect(calls[carrier]?.[operation] ?? 0).toBeGreaterThan(since[carrier]?.[operation] ?? 0);
  });
}

/** A lock that the test holds on a connection of its own, so that others wait for it. */
export interface Lock {
  take(): Promise<void>;
  /** Ends the lock; harmless when it was never taken. */
  release(): Promise<void>;
}

/** A lock on an account's balance, which every step that moves money has to wait for. */
export function balanceLock(databaseUrl: string, accountId: string): Lock {
  return lockBy(databaseUrl, "SELECT FROM balances WHERE account_id = $1 FOR UPDATE", [accountId]);
}

/** A lock on a shipment, which every change of its state has to wait for. */
export function shipmentLock(databaseUrl: string, shipmentId: string): Lock {
  return lockBy(databaseUrl, "SELECT FROM shipments WHERE id = $1 FOR UPDATE", [shipmentId]);
}

/** A lock on a whole table, against writes or also against reads. */
export function tableLock(
  databaseUrl: string,
  { table, against }: { table: string; against: "writes" | "reads" },
): Lock {
  const mode = against === "writes" ? "SHARE" : "ACCESS EXCLUSIVE";
  return lockBy(databaseUrl, `LOCK TABLE ${table} IN ${mode} MODE`);
}

function lockBy(databaseUrl: string, statement: string, values: unknown[] = []): Lock {
  let client: pg.Client | null = null;
  return {
    async take() {
      client = new pg.Client({ connectionString: databaseUrl });
      // A failed test may leave it open until the database is closed.
      client.on("error", () => undefined);
      await client.connect();
      await client.query("BEGIN");
      await client.query(statement, values);
    },
    async release() {
      await client?.end();
      client = null;
    },
  };
}
