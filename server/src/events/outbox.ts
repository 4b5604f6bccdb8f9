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

/** Events of one row: a placer takes whole rows, so this bounds what it takes beyond its limit. */
const ofRowMax = 100;

/** Any number of them, by one statement with a constant text, and one row for each hundred of an account. */
export async function recordEvents(tx: Tx, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return;
  afterCommit(wakePlacing);
  const rows: { account_id: string; event_count: number; events: object[] }[] = [];
  for (const [account_id, own] of Map.groupBy(events, ({ account_id }) => account_id))
    for (let first = 0; first < own.length; first += ofRowMax) {
      const part = own.slice(first, first + ofRowMax).map(outboxEventOf);
      rows.push({ account_id, event_count: part.length, events: part });
    }
  await pipelined(sql`
    INSERT INTO event_outbox (account_id, event_count, events)
    SELECT account_id, event_count, events
    FROM jsonb_to_recordset(${json(rows)}::jsonb) AS each (account_id text, event_count integer, events jsonb)`).execute(
    tx,
  );
}

function outboxEventOf({ type, subject_id, data, by: { actor, request_id } }: Event) {
  return { id: newId("evt"), type, subject_id, data, actor, request_id };
}
