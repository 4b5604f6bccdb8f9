import { sql } from "kysely";
import type { AttemptStatus, Database } from "../database/tables.ts";

/** The SQL of a reconciliation, in addition to that of the resources. */

export interface KnownAttempt {
  kind: string;
  subject_id: string;
  status: AttemptStatus;
}

/** The attempt with this reference. */
export async function findAttempt(
  db: Database,
  { account_id, reference }: { account_id: string; reference: string },
): Promise<KnownAttempt | null> {
  const row = await db
    .selectFrom("attempts")
    .select(["kind", "subject_id", "status"])
    .where("account_id", "=", account_id)
    .where("reference", "=", reference)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the account's ledger has this charge, of this amount, as that top-up. */
export async function isBookedAs(
  db: Database,
  charge: { account_id: string; transaction_id: string; charge_id: string } & Money,
): Promise<boolean> {
  const { account_id, transaction_id, charge_id, amount_cents, currency } = charge;
  const row = await db
    .selectFrom("ledger_transactions")
    .select("id")
    .where("account_id", "=", account_id)
    .where("id", "=", transaction_id)
    .where("amount_cents", "=", amount_cents)
    .where("currency", "=", currency)
    .where(sql<boolean>`details ->> 'charge_id' = ${charge_id}`)
    .executeTakeFirst();
  return row !== undefined;
}

interface Money {
  amount_cents: number;
  currency: string;
}

export interface NewestEffect {
  kind: string;
  party: string;
  is_connected: boolean;
  reference: string;
  sent_at: Date;
}

/** The newest label, pickup and manifest of each carrier, on a connection and on none, that was sent since then. */
export async function newestEffects(db: Database, since: Date): Promise<NewestEffect[]> {
  const { rows } = await sql<NewestEffect>`
    SELECT DISTINCT ON (kind, party, is_connected) kind, party, is_connected, reference, sent_at
    FROM (SELECT kind, party, input #>> '{look_up,connection_id}' IS NOT NULL AS is_connected, reference, sent_at
      FROM attempts
      WHERE kind IN ('label_purchase', 'pickup', 'manifest') AND status = 'settled' AND sent_at >= ${since}) AS settled
    ORDER BY kind, party, is_connected, sent_at DESC`.execute(db);
  return rows;
}

/** The carriers that the platform or an account has a connection with. */
export async function connectedCarriers(db: Database): Promise<Set<string>> {
  const rows = await db.selectFrom("carrier_connections").select("carrier").distinct().execute();
  return new Set(rows.map(({ carrier }) => carrier));
}

/** Whether it was already under review, however that ended. */
export async function isUnderReview(
  db: Database,
  { account_id, kind, subject_id }: { account_id: string; kind: string; subject_id: string },
): Promise<boolean> {
  const row = await db
    .selectFrom("attempts")
    .select("id")
    .where("account_id", "=", account_id)
    .where("subject_id", "=", subject_id)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isKnownAccount(db: Database, account_id: string): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select("account_id")
    .where("account_id", "=", account_id)
    .executeTakeFirst();
  return row !== undefined;
}

export interface UndoRefusal {
  account_id: string;
  party: string;
  /** Of the effect that the party refused to reverse. */
  reference: string;
  message: string;
}

/** The final refusals among attempts of these kinds, which reverse effects without an owner here. */
export async function listRefusals(db: Database, kinds: readonly string[]): Promise<UndoRefusal[]> {
  const { rows } = await sql<UndoRefusal>`
    SELECT account_id, party, COALESCE(input ->> 'reference', input ->> 'charge_reference') AS reference,
      failure ->> 'message' AS message
    FROM attempts
    WHERE kind = ANY (${kinds}) AND status = 'refused' AND failure ->> 'kind' = 'refused'`.execute(
    db,
  );
  return rows;
}

interface OpenAttempt {
  account_id: string;
  kind: string;
  party: string;
  reference: string;
  subject_id: string;
}

/** Attempts from before that moment, or of these kinds, whose outcome is still unknown. */
export async function listOpenAttempts(
  db: Database,
  { before, kinds }: { before: Date; kinds: readonly string[] },
): Promise<OpenAttempt[]> {
  return db
    .selectFrom("attempts")
    .select(["account_id", "kind", "party", "reference", "subject_id"])
    .where("status", "in", ["sent", "unknown"])
    .where("look_at", "is not", null)
    .where((where) => where.or([where("sent_at", "<", before), where("kind", "in", kinds)]))
    .execute();
}

/** Makes due at once the lookups that recovery would make within the minute. */
export async function makeLookupsDue(db: Database): Promise<void> {
  await db
    .updateTable("attempts")
    .set({ look_at: sql<Date>`now()` })
    .where("status", "=", "unknown")
    .where("look_at", ">", sql<Date>`now()`)
    .execute();
}

// Any number without another use: the lock is the database's, and ends with the connection.
const lockKey = 7_208_301_144;

/** Runs the work while no other process does. Throws at once when one does. */
export async function alone<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_lock(${lockKey}) AS locked`.execute(connection);
    if (!rows[0]!.locked) throw new Error("another `waybill reconcile` is running");
    try {
      return await work();
    } finally {
      await sql`SELECT pg_advisory_unlock(${lockKey})`.execute(connection);
    }
  });
}
