import { sql, type RawBuilder, type Selectable, type SqlBool } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import { readRows } from "../../database/criteria/criteria-queries.ts";
import { startingWith } from "../../database/criteria/search.ts";
import type {
  CarrierCallsTable,
  Database,
  RequestBodiesTable,
  RequestLogTable,
} from "../../database/tables.ts";
import { invalid, notFound } from "../../domain/errors/errors.ts";
import { isId, timeOfId } from "../../domain/values/ids.ts";
import type { Page } from "../../http/paging.ts";

/** The SQL of the request log. An id has the moment of its line, which says in which partition it is. */

export type LineRow = Selectable<RequestLogTable>;
export type CallRow = Selectable<CarrierCallsTable>;

export interface RequestFilters {
  /** From and to this status. */
  statuses?: [number, number];
  method?: string;
  path?: string;
  request_id?: string;
  idempotency_key?: string;
  shipment_id?: string;
  from?: Date;
  to?: Date;
}

interface Wanted {
  account_id: string;
  filters: RequestFilters;
  /** For conditions that no index serves. */
  timeout_ms: number;
}

/** One page, newest first. Throws 422 for a cursor of another list, or when the conditions take too long. */
export async function listLines(
  db: Database,
  { page, ...wanted }: Wanted & { page: Page },
): Promise<LineRow[]> {
  const isBack = page.beside?.direction === "prev";
  const conditions = [conditionsOf(wanted)];
  if (page.beside) {
    const { id } = page.beside;
    if (!isId("req", id)) throw invalid({ cursor: ["is not a cursor of this list."] });
    const at = timeOfId(id);
    conditions.push(
      isBack
        ? sql<SqlBool>`line.id > ${id} AND line.at >= ${at}`
        : sql<SqlBool>`line.id < ${id} AND line.at <= ${at}`,
    );
  }
  const order = sql.raw(isBack ? "ASC" : "DESC");
  return readRows(
    db,
    sql<LineRow>`
      SELECT ${columnsOf("request_log", "line")} FROM request_log AS line
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY line.id ${order} LIMIT ${page.limit} OFFSET ${page.offset}`,
    wanted.timeout_ms,
  );
}

/** At most `most`. */
export async function countLines(db: Database, wanted: Wanted, most: number): Promise<number> {
  const read = sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM request_log AS line WHERE ${conditionsOf(wanted)} LIMIT ${most}) AS counted`;
  const [row] = await readRows(db, read, wanted.timeout_ms);
  return row!.count;
}

function conditionsOf({ account_id, filters }: Wanted): RawBuilder<SqlBool> {
  const { statuses, method, path, request_id, idempotency_key, shipment_id, from, to } = filters;
  // Hidden from the planner, which would otherwise read all lines of the account in the order of the list (ADR 16).
  const isRare = (request_id ?? idempotency_key) !== undefined;
  const conditions = [
    isRare
      ? sql<SqlBool>`line.account_id || '' = ${account_id}`
      : sql<SqlBool>`line.account_id = ${account_id}`,
  ];
  if (statuses) conditions.push(sql<SqlBool>`status BETWEEN ${statuses[0]} AND ${statuses[1]}`);
  if (method !== undefined) conditions.push(sql<SqlBool>`method = ${method}`);
  if (path !== undefined) conditions.push(sql<SqlBool>`path LIKE ${startingWith(path)}`);
  if (request_id !== undefined) conditions.push(sql<SqlBool>`request_id = ${request_id}`);
  if (idempotency_key !== undefined)
    conditions.push(sql<SqlBool>`idempotency_key = ${idempotency_key}`);
  if (from) conditions.push(sql<SqlBool>`at >= ${from}`);
  if (to) conditions.push(sql<SqlBool>`at <= ${to}`);
  if (shipment_id !== undefined)
    conditions.push(sql<SqlBool>`(line.id, line.at) IN (
      SELECT request_log_id, at FROM request_subjects
      WHERE account_id = ${account_id} AND subject_id = ${shipment_id}
      UNION ALL SELECT id, at FROM request_log
      WHERE account_id || '' = ${account_id} AND subject_id = ${shipment_id})`);
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
}

export interface LineInFull extends LineRow {
  bodies: Pick<Selectable<RequestBodiesTable>, "request_body" | "response_body"> | null;
  carrier_calls: CallRow[];
}

const callsMax = 50;

/** Throws 404, the same for a missing line and another account's. */
export async function getLine(db: Database, accountId: string, id: string): Promise<LineInFull> {
  if (!isId("req", id)) throw notFound();
  const at = timeOfId(id);
  const [line] = await ofOne<LineRow>(db, { table: "request_log", account_id: accountId, id, at });
  if (!line) throw notFound();
  const [bodies] = await ofOne<Selectable<RequestBodiesTable>>(db, {
    table: "request_bodies",
    account_id: accountId,
    id,
    at,
  });
  return { ...line, bodies: bodies ?? null, carrier_calls: await callsOf(db, line) };
}

async function ofOne<Row>(
  db: Database,
  {
    table,
    account_id,
    id,
    at,
  }: { table: "request_log" | "request_bodies"; account_id: string; id: string; at: Date },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT ${columnsOf(table)} FROM ${sql.table(table)}
    WHERE account_id = ${account_id} AND id = ${id} AND at = ${at}`.execute(db);
  return rows;
}

/** A client may use a Request-Id several times: those during the request. */
async function callsOf(db: Database, { account_id, request_id, at, ms }: LineRow) {
  const { rows } = await sql<CallRow>`
    SELECT ${columnsOf("carrier_calls", "call")} FROM carrier_calls AS call
    WHERE account_id || '' = ${account_id} AND request_id = ${request_id}
      AND at BETWEEN ${at} AND ${new Date(at.getTime() + ms)}
    ORDER BY at, id LIMIT ${callsMax}`.execute(db);
  return rows;
}
