import { sql, type RawBuilder } from "kysely";
import { rowsOf } from "../../database/rows.ts";
import type { Database, Tx } from "../../database/tables.ts";
import { newId } from "../../domain/values/ids.ts";
import { reopen } from "../deliveries/service.ts";
import type { replayModes } from "./schemas.ts";

export type ReplayMode = (typeof replayModes)[number];

/** Which events are to be sent again. */
export interface ReplayOptions {
  account_id: string;
  webhook_id: string;
  types: readonly string[];
  /** Events after this position, up to that one. */
  after: number;
  to: number;
  since: Date | null;
  until: Date | null;
  only: ReplayMode;
}

/** An event, with its delivery to the webhook if there is one. */
interface ReplayedEvent {
  id: string;
  type: string;
  position: number;
  delivery_id: string | null;
}

/** How many match, `most` + 1 for more than that. */
export async function countMatching(
  db: Database,
  options: ReplayOptions,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM ${matching(options)} LIMIT ${most + 1}) AS found`.execute(db);
  return rows[0]!.count;
}

/** The first of those that match, in the order of the feed. */
export async function readMatching(
  tx: Tx,
  options: ReplayOptions,
  limit: number,
): Promise<ReplayedEvent[]> {
  const { rows } = await sql<ReplayedEvent>`
    SELECT event.id, event.type, event.position, ${deliveryOf(options, "id")} AS delivery_id
    FROM ${matching(options)}
    ORDER BY event.position LIMIT ${limit}`.execute(tx);
  return rows;
}

/** What the webhook itself is about never goes to it: each such delivery could be the cause of the next. */
function matching(options: ReplayOptions) {
  const { account_id, webhook_id, types, after, to, since, until, only } = options;
  return sql`events AS event
    WHERE event.account_id = ${account_id} AND event.position > ${after} AND event.position <= ${to}
      AND event.type = ANY(${types}) AND event.subject_id <> ${webhook_id}
      AND event.created_at >= coalesce(${since}::timestamptz, '-infinity')
      AND event.created_at <= coalesce(${until}::timestamptz, 'infinity')
      AND ${deliveryOf(options, "status")} ${conditions[only]}`;
}

/**
 * A column of the event's delivery to the webhook, null without one. A sub-select and no join: a plan that was
 * made while the table was small would join by reading all of it (ADR 16).
 */
function deliveryOf({ webhook_id }: ReplayOptions, column: "id" | "status") {
  return sql`(
    SELECT delivery.${sql.ref(column)} FROM deliveries AS delivery
    WHERE delivery.account_id = event.account_id AND delivery.webhook_id = ${webhook_id}
      AND delivery.event_id = event.id)`;
}

/** What is pending is sent anyway. */
const conditions: Record<ReplayMode, RawBuilder<unknown>> = {
  missing: sql`IS NULL`,
  failed: sql`IN ('failed', 'cancelled')`,
  all: sql`IS DISTINCT FROM 'pending'`,
};

/** Makes the deliveries that are missing, and reopens the others. */
export async function deliverAgain(
  tx: Tx,
  { account_id, webhook_id }: Pick<ReplayOptions, "account_id" | "webhook_id">,
  events: readonly ReplayedEvent[],
): Promise<void> {
  const missing = events.flatMap((event) =>
    event.delivery_id === null
      ? [{ id: newId("dlv"), event_id: event.id, event_type: event.type }]
      : [],
  );
  await sql`
    INSERT INTO deliveries (account_id, id, webhook_id, event_id, event_type, trigger, status, due_at)
    SELECT account_id, id, ${webhook_id}, event_id, event_type, 'replay', 'pending', now()
    FROM ${rowsOf(account_id, missing, "id text, event_id text, event_type text")} AS each
    ON CONFLICT (account_id, webhook_id, event_id) DO NOTHING`.execute(tx);
  const ended = events.flatMap(({ delivery_id }) => (delivery_id === null ? [] : [delivery_id]));
  await reopen(tx, account_id, ended);
}
