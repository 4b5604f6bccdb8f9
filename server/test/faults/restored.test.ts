import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Failure, TopUp, DataOf, Reply } from "../client.ts";
import { readJournal, untilAtRest } from "../invariants.ts";
import { aLabelled, cancel, schedule, scheduled } from "../pickups.ts";
import { listOpenRestores } from "../../src/database/health/restores.ts";
import { runCli } from "../shell.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, setDials, type TestAccount, type World } from "../world.ts";

/**
 * A database that was set back, until it is reconciled: no outside party gets a new call, and
 * everything that needs none works.
 */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(async () => {
  await world.close();
});

async function markRestored(): Promise<void> {
  await world.db
    .insertInto("restores")
    .values({ id: "rst_1", taken_at: new Date("2026-11-01T00:00:00Z"), reconciled_at: null })
    .execute();
}

async function markReconciled(): Promise<void> {
  await world.db.deleteFrom("restores").execute();
}

test("until a restored database is reconciled, every call with an outside cost is 503 and leaves no trace", async () => {
  const [draft, labelled] = [await account.create(aShipment()), await account.create(aShipment())];
  await account.bought(labelled.id);
  const fetched = await scheduled(account, await aLabelled(account, "ups"));
  const waiting = await aLabelled(account, "ups");
  const before = await traces();
  await markRestored();
  const key = { "idempotency-key": "set-back" };
  const refused: Record<string, () => Promise<Reply<unknown>>> = {
    "POST /labels/{id}": () => account.buy(draft.id, { service: "ups.standard" }, key),
    "POST /labels": () => account.post("/labels", { ...aShipment(), service: "ups.standard" }),
    "POST /shipments/{id}/void": () => account.post(`/shipments/${labelled.id}/void`),
    "DELETE /shipments/{id}": () => account.delete(`/shipments/${labelled.id}`),
    "POST /credits/top-up": () => account.post("/credits/top-up", { amount: 50 }),
    "POST /pickups": () => schedule(account, { shipment_ids: [waiting] }),
    "POST /pickups/{id}/cancel": () => cancel(account, fetched.id),
  };
  for (const [call, make] of Object.entries(refused)) {
    const reply = await make();
    expect(reply.status, call).toBe(503);
    expect(reply.headers["retry-after"], call).toBeDefined();
    const { error } = reply.body as Failure;
    expect(error, call).toMatchObject({ code: "unavailable" });
    expect(error.message, call).toContain("waybill reconcile");
  }
  expect(await traces()).toEqual(before);

  await markReconciled();
  // The refusal was not stored for the key.
  must(await refused["POST /labels/{id}"]!(), 201);
  must(await refused["POST /credits/top-up"]!(), 201);
});

/** The rows that the calls above would change, had they been admitted. */
async function traces() {
  const shipments = await world.db.selectFrom("shipments").select(["id", "status"]).execute();
  const attempts = await world.db.selectFrom("attempts").select("id").execute();
  return {
    shipments,
    attempts,
    journal: await readJournal(world),
    balance: await account.balance(),
  };
}

test("meanwhile shipments are made, changed, rated and cancelled, and everything can be read", async () => {
  await markRestored();
  const { id } = await account.create(aShipment());
  must(await account.put(`/shipments/${id}`, { reference: "PO 7" }), 200);
  expect((await account.rates(id)).data.length).toBeGreaterThan(0);
  must(await account.post(`/shipments/${id}/void`), 200);
  must(await account.get("/shipments"), 200);
  must(await account.get("/credits/balance"), 200);
  const ready = await fetch(`${world.url}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({
    status: "ready",
    to_reconcile_since: "2026-11-01T00:00:00.000Z",
  });
  await markReconciled();
  // The database is queried four times a second at most.
  await expect
    .poll(async () => (await fetch(`${world.url}/readyz`)).json())
    .toEqual({ status: "ready" });
});

test("attempts begun before the backup are looked up all the same", async () => {
  await setDials(world, { payments: { latency_ms: 300, operations: ["payments"] } });
  const toppingUp = account.post<DataOf<TopUp>>("/credits/top-up", {
    amount: 12,
    payment_method_id: "pm_card_lost_answer",
  });
  await expect
    .poll(() => world.db.selectFrom("attempts").select("id").where("status", "=", "sent").execute())
    .not.toEqual([]);
  await markRestored();
  await setDials(world, {});
  expect(must(await toppingUp, 201).data.status).toBe("pending");
  await untilAtRest(world.db);
  const { id } = (await toppingUp).body.data;
  const booked = await world.db
    .selectFrom("ledger_transactions")
    .select("amount_cents")
    .where("id", "=", id)
    .execute();
  expect(booked).toEqual([{ amount_cents: 1200 }]);
  await markReconciled();
});

test("the command that marks the database as set back closes purchases until it is reconciled", async () => {
  const moment = new Date(Date.now() - 60_000).toISOString();
  const { id } = await account.create(aShipment());
  for (const since of ["yesterday", new Date(Date.now() + 3_600_000).toISOString()]) {
    const refused = await runCli(["mark-restored", "--since", since], world);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(since)]);
  }
  expect(await listOpenRestores(world.db)).toEqual([]);
  const marked = await runCli(["mark-restored", "--since", moment], world);
  expect(marked).toMatchObject({ status: 0, stderr: "" });
  expect(marked.stdout.toString()).toContain("waybill reconcile");
  const refused = await account.buy(id);
  expect([refused.status, (refused.body as unknown as Failure).error.message]).toEqual([
    503,
    expect.stringContaining("waybill reconcile"),
  ]);
  const { rows } = await sql<{ taken_at: Date }>`
    SELECT taken_at FROM restores WHERE reconciled_at IS NULL`.execute(world.db);
  expect(rows.map(({ taken_at }) => taken_at.toISOString())).toEqual([moment]);
  await expect
    .poll(() =>
      world.db
        .selectFrom("recorded_events")
        .select("id")
        .where("type", "=", "feed.restored")
        .where("account_id", "=", account.account_id)
        .execute(),
    )
    .toHaveLength(1);
  await untilAtRest(world.db);
  const reconciled = await runCli(["reconcile", "--accept-data-loss"], world);
  expect(reconciled.status, reconciled.stderr).toBe(0);
  expect(await listOpenRestores(world.db)).toEqual([]);
  must(await account.buy(id), 201);
});
