import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { typesFor } from "../../domain/events/catalogue.ts";
import { newId } from "../../domain/values/ids.ts";
import {
  accountsWithUnplaced,
  insertDeliveries,
  lockFeeds,
  moveFeeds,
  readUnplaced,
  readWebhooks,
  wakeWebhooks,
  writePlaces,
  writeSubjects,
  type Delivery,
  type PlacedRow,
  type Unplaced,
  type WebhookRow,
} from "./place-store.ts";

/**
 * Gives events that were committed their position in the account's feed and their sequence among their subject's, and makes
 * the deliveries of webhooks. Ids and the order of insertion say nothing of the order of commits: a
 * reader that went by them would miss events ([ADR 26](../../../../docs/adr/0026-events-are-placed-after-their-commit.md)).
 */
export interface Placed {
  count: number;
  /** How long ago the oldest of them happened. */
  lag_seconds: number;
  /** There may be more to place at once. */
  is_more: boolean;
}

const accountsAtOnce = 64;
/** Shared by the accounts, of which each may have its least number: an account alone places a burst sooner. */
const eventsAtOnce = 1000;
const eventsOfAccountMin = 200;
const nothing: Placed = { count: 0, lag_seconds: 0, is_more: false };

/**
 * Makes the function that places the events of the next accounts, 200 to 1000 of each. Any number of processes
 * may place at once.
 */
export function placer(db: Database): () => Promise<Placed> {
  let after = "";
  return async () => {
    const accounts = await accountsWithUnplaced(db, { after, limit: accountsAtOnce });
    if (accounts.length === 0) return nothing;
    after = accounts.at(-1)!;
    return inTransaction(db, async (tx) => {
      const feeds = await lockFeeds(tx, accounts);
      if (feeds.length === 0) return nothing;
      const locked = feeds.map(({ account_id }) => account_id);
      // Read after the lock and by another statement, which sees what the lock's last holder placed.
      const most = Math.max(eventsOfAccountMin, Math.floor(eventsAtOnce / locked.length));
      const unplaced = await readUnplaced(tx, locked, most);
      if (unplaced.length === 0) return nothing;
      const heads = new Map(
        feeds.map(({ account_id, last_position }) => [account_id, last_position]),
      );
      const placed = numbered(unplaced, heads);
      const deliveries = deliveriesOf(placed, await readWebhooks(tx, locked));
      await writePlaces(tx, placed);
      await writeSubjects(tx, lastOfSubjects(placed));
      if (deliveries.length > 0) {
        await insertDeliveries(tx, deliveries);
        await wakeWebhooks(tx, deliveries);
      }
      await moveFeeds(tx, lastOfAccounts(placed));
      return {
        count: placed.length,
        lag_seconds: Math.max(...unplaced.map(({ late_seconds }) => late_seconds)),
        is_more: unplaced.length >= most || accounts.length === accountsAtOnce,
      };
    });
  };
}

/** Events in the order of their feeds, each behind the one before it. */
function numbered(unplaced: readonly Unplaced[], heads: ReadonlyMap<string, number>): PlacedRow[] {
  const positions = new Map(heads);
  const sequences = new Map<string, number>();
  return unplaced.map(({ account_id, id, type, subject_id, last_sequence }) => {
    const subject = `${account_id} ${subject_id}`;
    const position = positions.get(account_id)! + 1;
    const sequence = (sequences.get(subject) ?? last_sequence) + 1;
    positions.set(account_id, position);
    sequences.set(subject, sequence);
    return { account_id, id, type, subject_id, position, sequence };
  });
}

/** One for each webhook that an event is for. What is about a webhook itself is told to others only. */
function deliveriesOf(placed: readonly PlacedRow[], webhooks: readonly WebhookRow[]): Delivery[] {
  const ofAccount = Map.groupBy(
    webhooks.map((webhook) => ({ ...webhook, wanted: new Set<string>(typesFor(webhook.types)) })),
    ({ account_id }) => account_id,
  );
  return placed.flatMap(({ account_id, id, type, subject_id, position }) =>
    (ofAccount.get(account_id) ?? [])
      .filter(
        (webhook) =>
          webhook.wanted.has(type) &&
          webhook.id !== subject_id &&
          position > webhook.since_position,
      )
      .map((webhook) => ({
        account_id,
        id: newId("dlv"),
        webhook_id: webhook.id,
        event_id: id,
        event_type: type,
      })),
  );
}

function lastOfSubjects(placed: readonly PlacedRow[]): PlacedRow[] {
  return [...new Map(placed.map((row) => [`${row.account_id} ${row.subject_id}`, row])).values()];
}

function lastOfAccounts(placed: readonly PlacedRow[]): PlacedRow[] {
  return [...new Map(placed.map((row) => [row.account_id, row])).values()];
}
