import { sql, type Insertable, type RawBuilder } from "kysely";
import { inTransaction } from "../database/connect.ts";
import { pipelined, withCommit } from "../database/driver/sending.ts";
import { insertOf } from "../database/insert-of.ts";
import type { Database, RequestLogTable, Tables } from "../database/tables.ts";
import type { LogLine, Lost } from "./ring.ts";

export interface Batch {
  process_id: string;
  lines: readonly LogLine[];
  lost: Lost | null;
  /** The same lines were sent before, and it is not known whether they were written. */
  is_repeated: boolean;
}

/** Writes lines in one round trip and one commit. */
export async function writeLines(db: Database, batch: Batch): Promise<void> {
  const statements = insertsOf(batch);
  const last = statements.pop();
  if (!last) return;
  await inTransaction(db, async (tx) => {
    for (const statement of statements) await pipelined(statement).execute(tx);
    await withCommit(last).execute(tx);
  });
}

function insertsOf({ process_id, lines, lost, is_repeated }: Batch): RawBuilder<unknown>[] {
  const calls = lines.flatMap((line) => ("carrier_call" in line ? [line.carrier_call] : []));
  const requests = lines.flatMap((line) => ("request" in line ? [line] : []));
  const bodies = requests.flatMap(({ request: { account_id, at, id }, bodies }) =>
    bodies ? [{ account_id, at, id, ...bodies }] : [],
  );
  const subjects = requests.flatMap(({ request: { account_id, at, id }, subject_ids }) =>
    subject_ids.map((subject_id) => ({ account_id, at, subject_id, request_log_id: id })),
  );
  const rows = new Map<keyof Tables, object[]>([
    ["carrier_calls", calls],
    ["request_bodies", bodies],
    ["request_subjects", subjects],
  ]);
  const inserts = [...rows].flatMap(([table, each]) =>
    each.length > 0 ? [insertOf(table, each)] : [],
  );
  if (requests.length > 0) inserts.push(insertOfLines(requests.map(({ request }) => request)));
  // Not always: for a row that may be there already PostgreSQL looks at each index twice.
  const written = is_repeated ? inserts.map(unlessThere) : inserts;
  if (!lost) return written;
  const gap = { process_id, at: lost.at, line_count: Math.min(lost.count, 2 ** 31 - 1) };
  return [...written, unlessThere(insertOf("request_log_gaps", [gap]))];
}

function unlessThere(insert: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${insert} ON CONFLICT DO NOTHING`;
}

type Line = Insertable<RequestLogTable>;

const typesOfLine: Record<keyof Line, string> = {
  account_id: "text",
  at: "timestamptz",
  id: "text",
  request_id: "text",
  method: "text",
  route: "text",
  path: "text",
  status: "integer",
  ms: "integer",
  actor: "text",
  idempotency_key: "text",
  is_replay: "boolean",
  error_code: "text",
  ip: "text",
  subject_id: "text",
};
const columnsOfLine = Object.keys(typesOfLine) as (keyof Line)[];
const namesOfColumns = sql.raw(columnsOfLine.join(", "));

/** By columns: every read leaves a line, and PostgreSQL takes 14 µs to read and write one from JSON, 10 µs so. */
function insertOfLines(lines: readonly Line[]): RawBuilder<unknown> {
  const arrays = columnsOfLine.map(
    (column) => sql`${lines.map((line) => line[column])}::${sql.raw(typesOfLine[column])}[]`,
  );
  return sql`INSERT INTO request_log (${namesOfColumns}) SELECT * FROM unnest(${sql.join(arrays)})`;
}

/**
 * A process that died lost what it had not written yet. It lived at most until its next heartbeat was due, so
 * that is where the log may have a gap.
 */
export async function noteGapsOfTheDead(db: Database, lease_seconds: number): Promise<void> {
  await sql`
    INSERT INTO request_log_gaps (process_id, at)
    SELECT id, heartbeat_at + make_interval(secs => ${lease_seconds / 4})
    FROM processes WHERE role <> 'shell' AND heartbeat_at < now() - make_interval(secs => ${lease_seconds})
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Gaps are kept for as long as lines are. */
export async function pruneGaps(db: Database, before: Date): Promise<void> {
  await sql`DELETE FROM request_log_gaps WHERE at < ${before}`.execute(db);
}
