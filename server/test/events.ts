import { expect, vi } from "vitest";
import { inTransaction } from "../src/database/connect.ts";
import type { Database } from "../src/database/tables.ts";
import { bySystem } from "../src/domain/accounts/principal.ts";
import type { EventType } from "../src/domain/events/catalogue.ts";
import { sampleOf } from "../src/domain/events/sample.ts";
import { placer } from "../src/events/feed/place.ts";
import { recordEvents, type Event } from "../src/events/outbox.ts";
import type { EventPayload } from "../src/events/payload.ts";
import type { ListOf } from "./client.ts";
import { must, type TestAccount } from "./world.ts";

/** Events of these types happen, in this order; they are committed, and not placed yet. */
export async function happen(
  db: Database,
  account_id: string,
  ...types: EventType[]
): Promise<void> {
  const by = bySystem("test");
  const events = types.map((type) => ({ account_id, ...sampleOf(type), by }) as Event);
  await inTransaction(db, (tx) => recordEvents(tx, events));
}

/** Places all that is committed. */
export async function placeAll(db: Database): Promise<void> {
  const place = placer(db);
  while ((await place()).count > 0);
}

/** The account's events of these types, once there are so many. */
export async function eventsOf(
  account: TestAccount,
  types: string,
  count: number,
): Promise<EventPayload[]> {
  return vi.waitFor(
    async () => {
      const page = must(
        await account.get<ListOf<EventPayload>>(`/events?types=${types}&wait=5`),
        200,
      );
      expect(page.data.length).toBeGreaterThanOrEqual(count);
      return page.data;
    },
    { timeout: 20_000, interval: 50 },
  );
}
