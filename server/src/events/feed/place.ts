import { inTransaction } from "../../database/connect.ts";
import { withCommit } from "../../database/driver/sending.ts";
import type { Database, Tx } from "../../database/tables.ts";
import { typesFor } from "../../domain/events/catalogue.ts";
import { newId } from "../../domain/values/ids.ts";
import {
  accountsWithUnplaced,
  insertDeliveries,
  lockFeeds,
  placeNext,
  readWebhooks,
  wakeWebhooks,
  type Delivery,
  type PlacedRow,
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
      // All that follows is read after the lock and by other statements, which see what the lock's last holder wrote.
      const webhooks = await readWebhooks(
        tx,
        feeds.map(({ account_id }) => account_id),
      );
      const most = Math.max(eventsOfAccountMin, Math.floor(eventsAtOnce / feeds.length));
      const placing = placeNext(feeds, most);
      const { rows: placed } = await (webhooks.length > 0 ? placing : withCommit(placing)).execute(
        tx,
      );
      if (placed.length === 0) return nothing;
      await makeDeliveries(tx, deliveriesOf(placed, webhooks));
      return {
        count: placed.length,
        lag_seconds: Math.max(...placed.map(({ late_seconds }) => late_seconds)),
        is_more: placed.length >= most || accounts.length === accountsAtOnce,
      };
    });
  };
}

async function makeDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await insertDeliveries(tx, deliveries);
  await wakeWebhooks(tx, deliveries);
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
