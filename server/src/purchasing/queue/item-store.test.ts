import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { inTransaction } from "../../database/connect.ts";
import { isRefused } from "../../database/refusals.ts";
import type { Tx } from "../../database/tables.ts";
import {
  batchStatuses,
  batchTransitions,
  itemStatuses,
  itemTransitions,
  type BatchStatus,
  type ItemStatus,
} from "../../domain/batches/batch-states.ts";
import { newId } from "../../domain/values/ids.ts";
import { moveBatch } from "../../shipping/batches/store.ts";
import type { PurchaseOutcome, PurchaseError } from "../labels/purchase-outcome.ts";
import * as store from "./item-store.ts";

/** Walks both tables of states in the database: every transition, from every state. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const account_id = "acc_walk";
const now = new Date("2026-11-20T10:00:00.000Z");
const error: PurchaseError = {
  code: "carrier_error",
  message: "No.",
  details: {},
  stage: "purchase",
  carrier: "ups",
  retryable: true,
  occurred_at: now.toISOString(),
};

async function aBatch(status: BatchStatus): Promise<{ account_id: string; id: string }> {
  const id = newId("bat");
  await database.db
    .insertInto("batches")
    .values({
      account_id,
      id,
      status,
      name: "Walk",
      shipment_ids: ["shp_1"],
      created_at: now,
      service: null,
      label_format: null,
      process_started_at: null,
      processed_at: null,
    })
    .execute();
  return { account_id, id };
}

describe("a batch", () => {
  test.each(batchStatuses.flatMap((from) => batchStatuses.map((to) => ({ from, to }))))(
    "$from → $to, as the table says",
    async ({ from, to }) => {
      const batch = await aBatch(from);
      const moved = await inTransaction(database.db, (tx) => moveBatch(tx, batch, { status: to }));
      expect(moved).toBe(batchTransitions[from].includes(to));
    },
  );
});

const [alive, dead] = ["prc_alive", "prc_dead"];

/** An item in that state, with an attempt or without one where both are possible. */
async function anItem(status: ItemStatus, { has_attempt = false, holder = alive } = {}) {
  const batch = await aBatch("processing");
  const attempt_id = has_attempt || status === "pending" ? newId("att") : null;
  const key = { account_id, batch_id: batch.id, shipment_id: "shp_1" };
  await database.db
    .insertInto("batch_items")
    .values({
      ...key,
      place: 1,
      status,
      attempt_id,
      not_before: null,
      holder_id: status === "claimed" ? holder : null,
      cost_cents: status === "succeeded" ? 1234 : null,
      error: status === "failed" ? JSON.stringify(error) : null,
    })
    .execute();
  return { batch, key };
}
type Item = Awaited<ReturnType<typeof anItem>>;

async function statusOf({ key }: Item): Promise<ItemStatus> {
  const { rows } = await sql<{ status: ItemStatus }>`
    SELECT status FROM batch_items WHERE batch_id = ${key.batch_id}`.execute(database.db);
  return rows[0]!.status;
}

const ends: Record<string, PurchaseOutcome> = {
  succeeded: { status: "succeeded", cost_cents: 99 },
  failed: { status: "failed", error },
  unsettled: { status: "unsettled", pause_seconds: 0, is_try: true },
};
const inTx = (work: (tx: Tx) => Promise<void>) => inTransaction(database.db, work);

/** Every operation on an item. */
const moves: Record<string, (item: Item) => Promise<unknown>> = {
  claim: ({ key }) => store.claimItems(database.db, { ...key, process_id: alive, limit: 5 }),
  "release what nobody knows of": () => store.releaseLost(database.db, alive),
  "take over from a dead process": async () => {
    await sql`INSERT INTO processes (id, role) VALUES (${alive}, 'test') ON CONFLICT DO NOTHING`.execute(
      database.db,
    );
    await store.takeOverItems(database.db, 15);
  },
  "process again": ({ batch }) => inTx((tx) => store.requeueFailed(tx, batch)),
  ...Object.fromEntries(
    Object.entries(ends).flatMap(([name, end]) => [
      [
        `end its turn ${name}`,
        ({ key }: Item) => store.endItems(database.db, alive, [{ job: key, end }]),
      ],
      [
        `end it ${name} by its attempt`,
        ({ key }: Item) => inTx((tx) => store.endPending(tx, [{ job: key, end }])),
      ],
    ]),
  ),
};

describe("an item", () => {
  const seen = new Set<string>();
  const variants = [
    { has_attempt: false, holder: alive },
    { has_attempt: true, holder: alive },
    { has_attempt: false, holder: dead },
    { has_attempt: true, holder: dead },
  ];

  test.each(itemStatuses)("%s goes where the table says, whatever is done to it", async (from) => {
    for (const [name, move] of Object.entries(moves)) {
      for (const variant of variants) {
        // An item that waits has no attempt: it has never been begun, or its attempt was never found.
        if (from === "waiting" && variant.has_attempt) continue;
        const item = await anItem(from, variant);
        await move(item);
        const to = await statusOf(item);
        if (to === from) continue;
        expect(itemTransitions[from], `${name}: ${from} → ${to}`).toContain(to);
        seen.add(`${from} ${to}`);
      }
    }
  });

  test("a failure with an unknown outcome is looked up when it is processed again", async () => {
    const item = await anItem("failed", { has_attempt: true });
    const pending = JSON.stringify({ ...error, code: "purchase_pending" });
    await sql`UPDATE batch_items SET error = ${pending}::jsonb WHERE batch_id = ${item.key.batch_id}`.execute(
      database.db,
    );
    await moves["process again"]!(item);
    expect(await statusOf(item)).toBe("pending");
    seen.add("failed pending");
  });

  test("every transition that the table allows is made by some operation", () => {
    const allowed = itemStatuses.flatMap((from) =>
      itemTransitions[from].map((to) => `${from} ${to}`),
    );
    expect([...seen].sort()).toEqual(allowed.sort());
  });

  test("is claimed by exactly one of many concurrent claims", async () => {
    const { key } = await anItem("waiting");
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_each, place) =>
        store.claimItems(database.db, { ...key, process_id: `prc_${place}`, limit: 5 }),
      ),
    );
    expect(claims.flat()).toHaveLength(1);
  });

  test("held by another process cannot be ended by the former holder", async () => {
    const item = await anItem("claimed", { holder: "prc_other" });
    await store.endItems(database.db, alive, [{ job: item.key, end: ends["failed"]! }]);
    expect(await statusOf(item)).toBe("claimed");
    const note = inTx((tx) =>
      store.noteAttempts(tx, [
        { of: { item: item.key, process_id: alive }, attempt_id: "att_late" },
      ]),
    );
    expect(isRefused(await note.catch((error: unknown) => error), "item_lost")).toBe(true);
  });
});
