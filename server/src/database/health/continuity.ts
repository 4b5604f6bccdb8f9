import { newId } from "../../domain/values/ids.ts";
import type { RestoreCause } from "../tables.ts";

/**
 * Detects that the database was set back: by a failover that lost commits, a point-in-time recovery, a
 * snapshot of its disk, or a copy in its place. A row would be set back with it, so each process also keeps
 * its counter in memory and in the data directory, and compares every new connection with it before the
 * connection is used. Lost effects may still exist at carriers and card processors: the gate closes as after
 * a restore (ADR 12).
 */
export interface Continuity {
  /** Closes the gate on a database that lost something; throws where that cannot be determined now. */
  check(ask: Ask): Promise<void>;
  /** Increments the counter; the database must have that count from then on. */
  count(ask: Ask): Promise<void>;
}

/** Runs one statement on one connection, the same each time, and returns its rows. */
export type Ask = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/** What a process knows to be committed. */
export interface Known {
  installation_id: string;
  counter: number;
}

/** Where the last known state outlives the process; `read` is null where nothing is known. */
export interface Memory {
  read(): Known | null;
  write(known: Known): Promise<void>;
}

interface ContinuityOptions {
  memory: Memory;
  /** Logs `database.set_back`, with its cause and since when data may be missing. */
  log: { error(details: object, event: string): void };
}

interface Facts {
  system_identifier: string | null;
  database_oid: number;
  timeline: string | null;
  is_synchronous: boolean;
}

type Row = Facts & Known & { counted_at: Date };

/** Throws when the server is read-only: its final state is not yet decided. */
export class StandbyServer extends Error {
  constructor() {
    super("the server is a standby, which takes only reads");
    this.name = "StandbyServer";
  }
}

/** The first check: at the start, before any outside call. */
export async function startContinuity(
  ask: Ask,
  { memory, log }: ContinuityOptions,
): Promise<Continuity> {
  const factsText = await factsThatMayBeAsked(ask);
  let known = memory.read();

  async function remember({ installation_id, counter }: Known): Promise<void> {
    // A connection that was slow to answer must not lower what another one has counted.
    if (known?.installation_id === installation_id && known.counter > counter) return;
    known = { installation_id, counter };
    await memory.write(known);
  }

  async function check(ask: Ask): Promise<void> {
    const [facts] = await ask<Facts & { is_standby: boolean }>(factsText);
    if (facts!.is_standby) throw new StandbyServer();
    const [row] = await ask<Row>(readText);
    if (row && isSamePlace(row, facts!) && !isBehind(row, known)) await remember(row);
    else await decide(ask, facts!);
  }

  /** Under the row's lock, so that only one of several processes closes the gate. */
  async function decide(ask: Ask, facts: Facts): Promise<void> {
    await ask("BEGIN");
    try {
      await ask(insertText, [newId("ins"), ...placeOf(facts)]);
      const [row] = await ask<Row>(`${readText} FOR UPDATE`);
      const cause = causeOf(row!, facts, known);
      const since = row!.counted_at;
      if (cause) await ask(closeText, [newId("rst"), since, cause]);
      const before = isOf(row!, known) ? known.counter : 0;
      const [next] = await ask<Known>(moveText, [before, ...placeOf(facts)]);
      await ask("COMMIT");
      if (cause) log.error({ cause, since }, "database.set_back");
      await remember(next!);
    } catch (error) {
      await ask("ROLLBACK").catch(() => undefined);
      throw error;
    }
  }

  await check(ask);
  return {
    check,
    async count(ask) {
      const { installation_id, counter } = known!;
      const [next] = await ask<Known>(countText, [installation_id, counter]);
      if (next) await remember(next);
      else await check(ask);
    },
  };
}

// Counters follow the clock: a new count exceeds any that other processes know from a lost past.
const nowMs = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

const isSynchronous = `(current_setting('synchronous_standby_names') <> ''
  AND current_setting('synchronous_commit') NOT IN ('off', 'local'))`;

const readText = `
  SELECT installation_id, system_identifier, database_oid, timeline, is_synchronous, counter, counted_at
  FROM database_continuity`;

const insertText = `
  INSERT INTO database_continuity
    (installation_id, system_identifier, database_oid, timeline, is_synchronous, counter, counted_at)
  VALUES ($1, $2, $3, $4, $5, ${nowMs}, clock_timestamp()) ON CONFLICT DO NOTHING`;

const moveText = `
  UPDATE database_continuity
  SET counter = greatest(counter + 1, $1::bigint + 1, ${nowMs}), counted_at = clock_timestamp(),
    system_identifier = $2, database_oid = $3, timeline = $4, is_synchronous = $5
  RETURNING installation_id, counter`;

const countText = `
  UPDATE database_continuity
  SET counter = greatest(counter + 1, ${nowMs}), counted_at = clock_timestamp(),
    is_synchronous = ${isSynchronous}
  WHERE installation_id = $1 AND counter >= $2
  RETURNING installation_id, counter`;

const closeText = `
  INSERT INTO restores (id, taken_at, cause)
  SELECT $1, $2::timestamptz, $3 FROM (SELECT jump_feeds('system:continuity')) AS jumped`;

function placeOf({ system_identifier, database_oid, timeline, is_synchronous }: Facts): unknown[] {
  return [system_identifier, database_oid, timeline, is_synchronous];
}

/** A managed server may refuse to show its identity or timeline; the rest still shows lost commits. */
async function factsThatMayBeAsked(ask: Ask): Promise<string> {
  const orNull = async (text: string) =>
    ask(`SELECT ${text}`).then(
      () => text,
      (error: unknown) => {
        if (isRefused(error)) return "NULL::text";
        throw error;
      },
    );
  const system = await orNull("(SELECT system_identifier::text FROM pg_control_system())");
  // Of the WAL that is being written: that of the last checkpoint is late after a promotion.
  const timeline = await orNull(
    "CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END",
  );
  return `SELECT pg_is_in_recovery() AS is_standby, ${system} AS system_identifier,
    (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database_oid,
    ${timeline} AS timeline, ${isSynchronous} AS is_synchronous`;
}

/** Not permitted, no such function, or not supported by a server that only speaks PostgreSQL's protocol. */
function isRefused(error: unknown): boolean {
  const { code } = error as { code?: string };
  return ["42501", "42883", "0A000"].includes(code ?? "");
}

/** Why an acknowledged commit may be missing; null when that is excluded. */
function causeOf(row: Row, facts: Facts, known: Known | null): RestoreCause | null {
  if (row.database_oid !== facts.database_oid) return "copied";
  if (differ(row.system_identifier, facts.system_identifier)) return "copied";
  if (isBehind(row, known)) return "lost_commits";
  if (!differ(row.timeline, facts.timeline)) return null;
  // A standby was promoted, or a recovery ended. What this process has counted is present; so is what was
  // acknowledged after that, where a synchronous standby had to have it first.
  return row.is_synchronous && isOf(row, known) ? null : "promotion";
}

function isBehind(row: Known, known: Known | null): boolean {
  return isOf(row, known) && row.counter < known.counter;
}

/** Whether the known state is of this installation, and not of one that the process connected to before. */
function isOf(row: Known, known: Known | null): known is Known {
  return known?.installation_id === row.installation_id;
}

function isSamePlace(row: Row, facts: Facts): boolean {
  return (
    row.database_oid === facts.database_oid &&
    row.system_identifier === facts.system_identifier &&
    row.timeline === facts.timeline
  );
}

/** A value that a server did not show proves nothing. */
function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
