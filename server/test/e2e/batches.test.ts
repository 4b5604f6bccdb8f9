import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  createBatch,
  createMany,
  errorsOf,
  processBatch,
  processed,
  untilProcessed,
  type BatchError,
} from "../batches.ts";
import { countOutcomes, outcomeOf, type ListOf, type Shipment } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type World } from "../world.ts";

/** Sequence 3 of the specification: create a batch, process it, poll it, read its errors. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(() => world.close());

test("create → process → poll → errors: every label that can be bought is, the rest is explained", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [
    aShipment({ service: "ups.standard" }),
    aShipment({ service: "fastest" }),
    aShipment(),
    aSteeredShipment("sim:refuse", { reference: "PO-17" }),
    aSteeredShipment("sim:no_lane=*"),
  ]);
  const batch = await createBatch(account, ids);
  expect(batch).toMatchObject({
    status: "open",
    shipment_ids: ids,
    shipment_count: 5,
    processed_count: 0,
    total_cost: 0,
    label_format: null,
    combined_label_url: null,
    process_started_at: null,
    processed_at: null,
  });
  expect((await account.show(ids[0]!)).batch_id).toBe(batch.id);

  const accepted = must(
    await processBatch(account, batch.id, {
      service: "canada_post.regular_parcel",
      label_format: "zpl",
    }),
    202,
  ).data;
  expect(accepted).toMatchObject({ id: batch.id, status: "processing", label_format: "zpl" });

  const done = await untilProcessed(account, batch.id);
  expect(done).toMatchObject({
    status: "completed_with_errors",
    processed_count: 5,
    success_count: 3,
    error_count: 2,
  });
  const page = must(
    await account.get<ListOf<Shipment>>(`/shipments?batch_id=${batch.id}&status=purchased`),
    200,
  );
  const bought = page.data.reverse();
  expect(bought.map(({ id }) => id)).toEqual(ids.slice(0, 3));
  expect(bought.map(({ label_format }) => label_format)).toEqual(["zpl", "zpl", "zpl"]);
  expect([bought[0]!.service, bought[2]!.service]).toEqual([
    "ups.standard",
    "canada_post.regular_parcel",
  ]);
  const spent = bought.reduce((sum, { cost }) => sum + Math.round(cost!.total * 100), 0);
  expect(Math.round(done.total_cost * 100)).toBe(spent);
  expect(await account.balanceCents()).toBe(100_000 - spent);

  const errors = await errorsOf(account, batch.id);
  expect(errors.get(ids[3]!)).toMatchObject({
    reference: "PO-17",
    order_id: null,
    code: "carrier_error",
    stage: "purchase",
    carrier: "canada_post",
    retryable: false,
  });
  expect(errors.get(ids[4]!)).toMatchObject({
    code: "unserviceable",
    stage: "rating",
    carrier: "canada_post",
    retryable: false,
    details: { reason: "no_rate_for_lane" },
  });
});

test("freight is booked in a batch beside parcels, each by its own service", async () => {
  const account = await anAccount(world, { balance_cents: 500_000 });
  const ids = await createMany(account, [
    aShipment(),
    aFreight({ reference: "PO-PALLETS" }),
    aFreight({ service: "day_ross.domestic_standard" }),
    aFreight(),
  ]);
  const missed = { date: "2026-01-05" };
  await sql`UPDATE shipments SET pickup = pickup || ${missed}::jsonb WHERE id = ${ids[3]}`.execute(
    world.db,
  );
  const first = await processed(account, ids, { service: "ups.standard" });
  expect(first).toMatchObject({ success_count: 2, error_count: 2 });
  const errors = await errorsOf(account, first.id);
  expect(errors.get(ids[1]!)).toMatchObject({
    reference: "PO-PALLETS",
    code: "validation_failed",
    details: { service: ['"ups.standard" is not for ltl shipments.'] },
  });
  expect(errors.get(ids[3]!)).toMatchObject({
    code: "validation_failed",
    stage: "validation",
    details: { "pickup.date": [expect.stringContaining("is past")] },
  });
  must(await processBatch(account, first.id, { service: "cheapest" }), 202);
  const done = await untilProcessed(account, first.id);
  expect(done).toMatchObject({ success_count: 3, error_count: 1 });
  const all = await Promise.all(ids.map((id) => account.show(id)));
  expect(all.map(({ status }) => status)).toEqual(["purchased", "booked", "booked", "draft"]);
  const spent = all.reduce((sum, { cost }) => sum + Math.round((cost?.total ?? 0) * 100), 0);
  expect(Math.round(done.total_cost * 100)).toBe(spent);
  expect(await account.balanceCents()).toBe(500_000 - spent);
});

test("failed items can be processed again, and only those", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment({ service: "cheapest" }), aShipment()]);
  const first = await processed(account, ids, {});
  expect(first).toMatchObject({
    status: "completed_with_errors",
    success_count: 1,
    error_count: 1,
  });
  expect((await errorsOf(account, first.id)).get(ids[1]!)).toMatchObject({
    code: "validation_failed",
    stage: "validation",
    carrier: null,
    details: { service: [expect.stringContaining("is required")] },
  });
  const again = must(await processBatch(account, first.id, { service: "ups.standard" }), 202).data;
  expect(again).toMatchObject({ status: "processing", success_count: 1, error_count: 0 });
  expect(again.processed_at).toBeNull();
  const second = await untilProcessed(account, first.id);
  expect(second).toMatchObject({ status: "completed", success_count: 2, error_count: 0 });
  expect(second.total_cost).toBeGreaterThan(first.total_cost);
  expect(await errorsOf(account, first.id)).toEqual(new Map());
  expect((await account.show(ids[1]!)).service).toBe("ups.standard");
  const third = await processBatch(account, first.id);
  expect(outcomeOf(third)).toBe("409 batch_not_open");
});

test("a batch ends once for each run, with one event in the commit of its end", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment(), aSteeredShipment("sim:refuse")]);
  const { id } = await processed(account, ids);
  must(await processBatch(account, id), 202);
  await untilProcessed(account, id);
  // Its list has the carrier's sentence, as its errors have.
  const [failed] = must(
    await account.get<ListOf<{ error: object }>>(`/batches/${id}/items?state=failed`),
    200,
  ).data;
  const { code, message, details, stage } = (await errorsOf(account, id)).get(ids[1]!)!;
  expect(failed!.error).toEqual({ code, message, details, stage });
  expect(details).toMatchObject({ carrier_message: expect.any(String) as string });
  const events = await world.db
    .selectFrom("recorded_events")
    .select("data")
    .where("subject_id", "=", id)
    .where("type", "=", "batch.completed")
    .execute();
  const counts = { success_count: 1, error_count: 1 };
  const expected = { batch_id: id, status: "completed_with_errors", ...counts };
  expect(events.map(({ data }) => data)).toMatchObject([expected, expected]);
});

test("processed twice concurrently: one 202, the others 409; with one key the same bytes", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment(), aShipment()]);
  await setDials(world, { "*": { latency_ms: 200, operations: ["purchases"] } });
  const { id } = await createBatch(account, ids);
  const key = { "idempotency-key": "process-once" };
  const replies = await Promise.all([
    ...Array.from({ length: 6 }, () => processBatch(account, id)),
    ...Array.from({ length: 6 }, () => processBatch(account, id, undefined, key)),
  ]);
  await setDials(world, {});
  const keyed = new Set(replies.slice(6).map(({ bytes }) => bytes.toString()));
  expect(keyed.size).toBe(1);
  const { "202": accepted, "409 batch_processing": refused, ...others } = countOutcomes(replies);
  expect(others).toEqual({});
  expect([1, 6]).toContain(accepted);
  expect(accepted! + refused!).toBe(12);
  await untilProcessed(account, id);
  const replay = await processBatch(account, id, undefined, key);
  expect(keyed).toEqual(new Set([replay.bytes.toString()]));
});

test("changes of its shipments while it is open take effect when it is processed", async () => {
  const account = await anAccount(world);
  const ids = await createMany(
    account,
    Array.from({ length: 4 }, () => aShipment()),
  );
  const [deleted, cancelled, bought, damaged] = ids as [string, string, string, string];
  const { id } = await createBatch(account, ids);
  must(await account.delete(`/shipments/${deleted}`), 204);
  must(await account.post(`/shipments/${cancelled}/void`), 200);
  await account.bought(bought);
  // As a shipment may be that was made under older rules.
  await sql`UPDATE shipments SET to_address = jsonb_set(to_address, '{postal_code}', '"Z9Z 9Z9"') WHERE id = ${damaged}`.execute(
    world.db,
  );
  must(await processBatch(account, id), 202);
  expect(await untilProcessed(account, id)).toMatchObject({
    success_count: 0,
    error_count: 4,
    total_cost: 0,
  });
  const errors = await errorsOf(account, id);
  const said = (shipment: string) => {
    const { code, stage, retryable } = errors.get(shipment)!;
    return [code, stage, retryable];
  };
  expect(said(deleted)).toEqual(["not_found", "validation", false]);
  expect(said(cancelled)).toEqual(["conflict", "validation", false]);
  expect(said(bought)).toEqual(["already_labelled", "validation", false]);
  expect(said(damaged)).toEqual(["validation_failed", "validation", false]);
  expect(Object.keys(errors.get(damaged)!.details)).toEqual(["to_address.postal_code"]);
  const page = must(await account.get<ListOf<BatchError>>(`/batches/${id}/errors?per_page=3`), 200);
  expect(page.data).toHaveLength(3);
  expect(page.meta["next_cursor"]).not.toBeNull();
});

test("a failed shipment may go into another batch, which then alone can buy it", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment()]);
  const first = await processed(account, ids, {});
  const second = await createBatch(account, ids);
  must(await processBatch(account, first.id, { service: "cheapest" }), 202);
  await untilProcessed(account, first.id);
  expect((await errorsOf(account, first.id)).get(ids[0]!)).toMatchObject({
    code: "shipment_in_use",
    details: { batch_id: second.id },
  });
  must(await processBatch(account, second.id), 202);
  expect((await untilProcessed(account, second.id)).status).toBe("completed");
});
