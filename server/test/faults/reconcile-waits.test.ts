import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { assertInvariants } from "../invariants.ts";
import { aLabelled, scheduled } from "../pickups.ts";
import { actionsOf, reborn, reconcileHere, twoLives, type TwoLives } from "../set-back.ts";
import { aShipment } from "../shipments.ts";
import { anAccount } from "../world.ts";
import { balanceLock } from "./moments.ts";

/** A reconciliation on a slow database: its records are not reversed for that. */

let lives: TwoLives;
beforeAll(async () => {
  lives = await twoLives();
});
afterAll(() => lives.close());

test("a record that waits for half a lease is made, and no label is voided for it", async () => {
  const shop = await anAccount(lives.first);
  const { id } = await shop.create(aShipment());
  const fetched = await aLabelled(shop, "ups");
  await lives.backUp();
  await shop.bought(id, { service: "ups.standard" });
  await scheduled(shop, fetched);
  const second = await lives.setBack();
  const lock = balanceLock(second.database_url, shop.account_id);
  await lock.take();
  const report = reconcileHere(second, { lease_seconds: 2 });
  await vi.waitFor(
    async () => {
      const { rows } = await sql`
        SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
          AND query_start < now() - interval '1200 milliseconds'`.execute(second.db);
      expect(rows).not.toEqual([]);
    },
    { timeout: 20_000, interval: 50 },
  );
  await lock.release();
  expect(actionsOf(await report)).toEqual([
    "label was missing here: rebook, done",
    "pickup was missing here: rebook, done",
  ]);
  expect((await reborn(second, shop).show(id)).status).toBe("purchased");
  await assertInvariants(second);
});
