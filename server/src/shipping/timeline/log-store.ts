import { sql } from "kysely";
import { isOneOf } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";
import { ranks } from "../../domain/timeline/entry.ts";
import type {
  DescribedCall,
  DescribedRequest,
  DescribedScan,
} from "../../domain/timeline/describe-logs.ts";
import type { Slice, TimelineScope } from "./scope.ts";
import { addressesOfShipment, firstAfter, ofAccount, position, rankOf } from "./slice-store.ts";

/** The SQL of what a timeline tells of requests, of carriers' calls and of scans. */

const linePlace = { at: sql`line.at`, rank: rankOf(ranks.request), id: sql`line.id` };

/** A line with its bodies, where they are asked for and there are any. */
function linesWith(with_bodies: boolean) {
  return {
    columns: sql`${position(linePlace)}, line.request_id, line.method, line.path, line.status, line.ms,
      line.error_code, line.is_replay, line.actor, bodies.request_body, bodies.response_body`,
    bodies: sql`LEFT JOIN request_bodies AS bodies ON bodies.account_id = line.account_id
      AND bodies.id = line.id AND bodies.at = line.at AND ${with_bodies}`,
  };
}

/** The requests that were about the subjects: those that changed or tried something, and no reads but of rates. */
export async function listRequests(
  db: Database,
  { account_id, subjects, with_bodies }: TimelineScope,
  slice: Slice,
): Promise<DescribedRequest[]> {
  const { columns, bodies } = linesWith(with_bodies);
  const { rows } = await sql<DescribedRequest>`
    SELECT ${columns}
    FROM request_subjects AS about
    JOIN request_log AS line ON line.account_id = about.account_id || '' AND line.id = about.request_log_id
      AND line.at = about.at
    ${bodies}
    WHERE about.account_id = ${account_id} AND ${isOneOf("about.subject_id", subjects)}
      AND (line.method NOT IN ('GET', 'HEAD') OR line.path LIKE '/rates/%')
      ${firstAfter(linePlace, slice)}`.execute(db);
  return rows;
}

/** A request and all that it was about; null when the log has no such line. */
export async function findRequest(
  db: Database,
  accountId: string,
  { id, with_bodies }: { id: string; with_bodies: boolean },
): Promise<(DescribedRequest & { subjects: string[] }) | null> {
  const { columns, bodies } = linesWith(with_bodies);
  const { rows } = await sql<DescribedRequest & { subjects: string[] }>`
    SELECT ${columns}, array_remove(line.subject_id::text || array(
      SELECT subject_id::text FROM request_subjects AS about
      WHERE about.account_id || '' = ${accountId} AND about.request_log_id = ${id}), NULL) AS subjects
    FROM request_log AS line ${bodies}
    WHERE line.account_id = ${accountId} AND line.id = ${id} LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

/** Calls of carriers for the shipments among the subjects, or for a request. */
export async function listCarrierCalls(
  db: Database,
  scope: TimelineScope,
  slice: Slice,
): Promise<DescribedCall[]> {
  const { subjects, request, with_bodies } = scope;
  const place = { at: sql`at`, rank: rankOf(ranks.carrier_call), id: sql`carrier_calls.id` };
  const body = (column: "request_body" | "response_body") =>
    sql`CASE WHEN ${with_bodies} THEN ${sql.ref(column)} END AS ${sql.ref(column)}`;
  const which = request
    ? sql`request_id = ${request.request_id} AND at >= ${request.at}::timestamptz - interval '5 seconds'`
    : sql`${isOneOf("shipment_id", subjects)}`;
  const { rows } = await sql<DescribedCall>`
    SELECT ${position(place)}, request_id, attempt_id, shipment_id, carrier, operation, ms, outcome,
      ${body("request_body")}, ${body("response_body")}, NULL AS actor
    FROM carrier_calls
    WHERE ${ofAccount(sql`account_id`, scope)} AND ${which}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}

/** Scans of the packages of the shipments among the subjects. A scan is known by all that it says. */
export async function listScans(
  db: Database,
  { account_id, subjects }: TimelineScope,
  slice: Slice,
): Promise<DescribedScan[]> {
  const place = {
    at: sql`scan.occurred_at`,
    rank: rankOf(ranks.tracking),
    id: sql`scan.tracker_id || '.' || md5(concat_ws('|', extract(epoch FROM scan.occurred_at), scan.carrier_code, scan.city, scan.description))`,
  };
  const { rows } = await sql<DescribedScan>`
    SELECT ${position(place)}, scan.tracker_id, trackers.tracking_code, trackers.carrier, scan.carrier_code,
      scan.description, scan.status, scan.city, scan.province_code, scan.country_code,
      ${addressesOfShipment} AS addresses, NULL AS actor, NULL AS request_id
    FROM trackers
    JOIN tracking_events AS scan ON scan.account_id = trackers.account_id AND scan.tracker_id = trackers.id
    JOIN shipments ON shipments.account_id = trackers.account_id AND shipments.id = trackers.shipment_id
    WHERE trackers.account_id = ${account_id} AND ${isOneOf("trackers.shipment_id", subjects)}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}
