import { sql } from "kysely";
import type { Origin } from "../domain/accounts/principal.ts";
import type { EventData, EventType } from "../domain/events/catalogue.ts";
import { newId } from "../domain/values/ids.ts";
import { afterCommit } from "../database/connect.ts";
import { pipelined } from "../database/driver/sending.ts";
import { json, type Tx } from "../database/tables.ts";
import { wakePlacing } from "./wake-placing.ts";

/**
 * An event and its subject, with the data that the catalogue has for its type. Written in the transaction of
 * the change: neither exists without the other.
 */
export type Event = {
  [Type in EventType]: {
    account_id: string;
    type: Type;
    subject_id: string;
    data: EventData<Type>;
    by: Origin;
  };
}[EventType];

/** Must run in the transaction of the fact that the event tells of, so that neither is without the other. */
export async function recordEvent(tx: Tx, event: Event): Promise<void> {
  await recordEvents(tx, [event]);
}

/** Any number of them, by one statement with a constant text. */
export async function recordEvents(tx: Tx, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  afterCommit(wakePlacing);
  const rows = events.map(({ by: { actor, request_id }, ...event }) => ({
    ...event,
    id: newId("evt"),
    actor,
    request_id,
  }));
  await pipelined(sql`
    INSERT INTO events (account_id, id, type, subject_id, data, actor, request_id)
    SELECT account_id, id, type, subject_id, data, actor, request_id
    FROM jsonb_populate_recordset(NULL::events, ${json(rows)}::jsonb)`).execute(tx);
}
