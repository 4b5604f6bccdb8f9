import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  createBatch,
  createMany,
  errorsOf,
  processBatch,
  processed,
  showBatch,
  untilProcessed,
} from "../batches.ts";
import type { DataOf, ListOf, Shipment } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** Sequence 3 of the specification: create a batch, process it, poll it, read its errors. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await assertInvariants(world);
});
afterAll(() => world.close());

test("create → process → poll → errors: every label that can be had is bought, the rest is explained", async () => {
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
