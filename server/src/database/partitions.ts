import { sql } from "kysely";
import { inTransaction, isCheckViolation } from "./connect.ts";
import { customPlan } from "./driver/sending.ts";
import type { Database } from "./tables.ts";

/**
 * Tables of logs, partitioned by the UTC day of their column `at`: a day's partition is made before the day
 * begins, and dropped whole when its rows are old. A row of a day without a partition is in the default one.
 *
 * Any number of processes may do this at once. A lock on a table that writers use is waited for only shortly,
 * because other statements queue behind it: what was not done is done in a later round.
 */
interface DailyTable {
  table: string;
  /** Rows are kept for at least so many days. */
  days: number;
}

const daysAhead = 3;
const lockTimeoutMs = 200;
const dayMs = 86_400_000;
const sliceRows = 1000;

/** One round over the tables. Returns whether everything was done; throws when the database is unavailable. */
export async function keepPartitions(
  db: Database,
  tables: readonly DailyTable[],
  now: Date,
): Promise<boolean> {
  let isDone = true;
  for (const { table, days } of tables) {
    const existing = await listDays(db, table);
    const today = startOfDay(now);
    for (let ahead = 0; ahead <= daysAhead; ahead++) {
      const day = addDays(today, ahead);
      if (!existing.has(nameOfDay(day)))
        isDone = (await unlessLocked(() => addPartition(db, table, day))) && isDone;
    }
    const oldest = addDays(today, -days);
    for (const day of existing)
      if (day < nameOfDay(oldest))
        isDone = (await unlessLocked(() => dropPartition(db, table, day))) && isDone;
    await pruneDefault(db, table, oldest);
  }
  return isDone;
}

/** The days that have a partition, as `YYYYMMDD`. */
async function listDays(db: Database, table: string): Promise<Set<string>> {
  const { rows } = await sql<{ day: string }>`
    SELECT right(child.relname, 8) AS day
    FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE parent.relname = ${table} AND parent.relnamespace = current_schema()::regnamespace
      AND child.relname ~ '_[0-9]{8}$'`.execute(db);
  return new Set(rows.map(({ day }) => day));
}

/** False when a lock was not to be had in time. Two processes that make one partition end alike. */
async function unlessLocked(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    if (isAlreadyThere(error)) return true;
    throw error;
  }
}

/**
 * Made aside and attached: that locks no reader or writer of other days, whereas CREATE TABLE … PARTITION OF
 * locks them all. A day that has rows in the default partition already keeps them, and later ones, there.
 */
async function addPartition(db: Database, table: string, day: Date): Promise<void> {
  const name = sql.id(partitionOf(table, nameOfDay(day)));
  const [from, to] = [day, addDays(day, 1)].map((moment) => sql.lit(moment.toISOString()));
  try {
    await inTransaction(db, async (tx) => {
      await setLockTimeout().execute(tx);
      await customPlan(sql`CREATE TABLE ${name} (LIKE ${sql.table(table)} INCLUDING ALL)`).execute(
        tx,
      );
      await customPlan(
        sql`ALTER TABLE ${sql.table(table)} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`,
      ).execute(tx);
    });
  } catch (error) {
    if (!isCheckViolation(error)) throw error;
  }
}

async function dropPartition(db: Database, table: string, day: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await setLockTimeout().execute(tx);
    await customPlan(sql`DROP TABLE IF EXISTS ${sql.id(partitionOf(table, day))}`).execute(tx);
  });
}

/** Rows of the default partition are deleted, a limited number at a time. */
async function pruneDefault(db: Database, table: string, oldest: Date): Promise<void> {
  const rows = sql.id(`${table}_default`);
  for (let deleted = sliceRows; deleted === sliceRows;) {
    const { numAffectedRows } = await sql`
      DELETE FROM ${rows} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${rows} WHERE at < ${oldest} LIMIT ${sliceRows} FOR UPDATE SKIP LOCKED))`.execute(
      db,
    );
    deleted = Number(numAffectedRows ?? 0);
  }
}

function setLockTimeout() {
  return sql`SELECT set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`;
}

/** 55P03: the lock time-out; 40P01: a deadlock, which gave way. */
function isLocked(error: unknown): boolean {
  return /^(55P03|40P01)$/.test(codeOf(error));
}

/** 42P07: the table exists; 23505: another process is about to create one of this name. */
function isAlreadyThere(error: unknown): boolean {
  return /^(42P07|42710|23505)$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

function partitionOf(table: string, day: string): string {
  return `${table}_${day}`;
}

function startOfDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / dayMs) * dayMs);
}

function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * dayMs);
}

/** `20261005`. */
function nameOfDay(day: Date): string {
  return day.toISOString().slice(0, 10).replaceAll("-", "");
}
