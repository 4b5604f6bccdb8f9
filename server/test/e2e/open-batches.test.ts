import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  createBatch,
  createMany,
  processBatch,
  showBatch,
  untilProcessed,
  type Batch,
} from "../batches.ts";
import { countOutcomes, outcomeOf, type DataOf, type Failure, type ListOf } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type World } from "../world.ts";

/** Which shipments a batch may have, and until when that may change. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(() => world.close());

test("a shipment is in one unfinished batch at a time; the refusal names it", async () => {
  const account = await anAccount(world);
  const [a, b, c] = (await createMany(account, [aShipment(), aShipment(), aShipment()])) as [
    string,
    string,
    string,
  ];
  const first = await createBatch(account, [a, b]);
  const refused = await account.post<Failure>("/batches", { name: "Second", shipment_ids: [c, b] });
  expect(outcomeOf(refused)).toBe("409 shipment_in_use");
  expect(refused.body.error.details).toEqual({ shipment_ids: [b], batch_ids: [first.id] });
  expect((await account.show(c)).batch_id).toBeNull();
  must(await account.delete(`/batches/${first.id}`), 204);
  expect(outcomeOf(await account.get(`/batches/${first.id}`))).toBe("404 not_found");
  const second = await createBatch(account, [c, b]);
  expect((await account.show(b)).batch_id).toBe(second.id);
});

test("twenty concurrent batches want the same shipments: one gets them", async () => {
  const account = await anAccount(world);
  const ids = await createMany(
    account,
    Array.from({ length: 30 }, () => aShipment()),
  );
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_each, place) =>
      account.post("/batches", {
        name: `Batch ${place}`,
        shipment_ids: place % 2 === 0 ? ids : [...ids].reverse(),
      }),
    ),
  );
  expect(countOutcomes(replies)).toEqual({ "201": 1, "409 shipment_in_use": 19 });
});

test("bad lists are refused with the index of every error, and change nothing", async () => {
  const account = await anAccount(world);
  const stranger = await anAccount(world);
  const [a] = await createMany(account, [aShipment()]);
  const [theirs] = await createMany(stranger, [aShipment()]);
  const details = async (body: unknown) => {
    const reply = await account.post<Failure>("/batches", body);
    expect(outcomeOf(reply)).toBe("422 validation_failed");
    return reply.body.error.details;
  };
  for (const name of ["", " \u3000"])
    expect(await details({ name, shipment_ids: [a, theirs, a, "x\n"] })).toEqual({
      name: [expect.any(String)],
      "shipment_ids.1": ["shipment_ids.1 is no shipment of this account."],
      "shipment_ids.2": ["shipment_ids.2 is the same as shipment_ids.0."],
      "shipment_ids.3": ["shipment_ids.3 is no shipment of this account."],
    });
  expect(
    Object.keys(await details({ name: 7, shipment_ids: [theirs, 5, a, a, "shp_none"] })).sort(),
  ).toEqual(["name", "shipment_ids.0", "shipment_ids.1", "shipment_ids.3", "shipment_ids.4"]);
  expect(await details({ name: "B", shipment_ids: [a, theirs, "shp_none"] })).toEqual({
    "shipment_ids.1": ["shipment_ids.1 is no shipment of this account."],
    "shipment_ids.2": ["shipment_ids.2 is no shipment of this account."],
  });
  expect(Object.keys(await details({ shipment_ids: [] }))).toEqual(["name", "shipment_ids"]);
  const tooMany = Array.from({ length: 10_001 }, (_each, place) => `shp_${place}`);
  expect(await details({ name: "B", shipment_ids: tooMany })).toEqual({
    shipment_ids: ["shipment_ids must have at most 10000 items."],
  });
  expect((await account.show(a!)).batch_id).toBeNull();
  expect(must(await account.get<ListOf<Batch>>("/batches"), 200).data).toEqual([]);
});

test("an open batch can change; one that is not cannot", async () => {
  const account = await anAccount(world);
  const [a, b, c] = (await createMany(account, [aShipment(), aShipment(), aShipment()])) as [
    string,
    string,
    string,
  ];
  const { id } = await createBatch(account, [a]);
  const change = async (path: string, body: object, method: "post" | "put" = "post") =>
    must(await account[method]<DataOf<Batch>>(`/batches/${id}${path}`, body), 200).data;
  expect(await change("/add-shipments", { shipment_ids: [b, a, c] })).toMatchObject({
    shipment_ids: [a, b, c],
    shipment_count: 3,
  });
  expect((await account.show(c)).batch_id).toBe(id);
  expect((await change("/remove-shipments", { shipment_ids: [a] })).shipment_ids).toEqual([b, c]);
  expect((await account.show(a)).batch_id).toBeNull();
  const renamed = await change("", { name: "Renamed", shipment_ids: [c, a] }, "put");
  expect(renamed).toMatchObject({ name: "Renamed", shipment_ids: [c, a] });
  expect((await account.show(b)).batch_id).toBeNull();
  const absent = await account.post<Failure>(`/batches/${id}/remove-shipments`, {
    shipment_ids: [c, b],
  });
  expect(outcomeOf(absent)).toBe("422 validation_failed");
  expect(absent.body.error.details).toEqual({
    "shipment_ids.1": ["shipment_ids.1 is not in this batch."],
  });

  const refusals = () =>
    Promise.all([
      account.put(`/batches/${id}`, { name: "Late" }),
      account.post(`/batches/${id}/add-shipments`, { shipment_ids: [b] }),
      account.post(`/batches/${id}/remove-shipments`, { shipment_ids: [a] }),
      account.delete(`/batches/${id}`),
    ]);
  await setDials(world, { "*": { latency_ms: 300, operations: ["purchases"] } });
  must(await processBatch(account, id), 202);
  expect(countOutcomes(await refusals())).toEqual({ "409 batch_processing": 4 });
  await setDials(world, {});
  await untilProcessed(account, id);
  expect(countOutcomes(await refusals())).toEqual({ "409 batch_not_open": 4 });
});

test("a batch whose last shipment was removed cannot be processed", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment()]);
  const { id } = await createBatch(account, ids);
  must(await account.post(`/batches/${id}/remove-shipments`, { shipment_ids: ids }), 200);
  expect(outcomeOf(await processBatch(account, id))).toBe("409 conflict");
});

test("an unknown service is refused before anything begins", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment()]);
  const { id } = await createBatch(account, ids);
  const reply = await processBatch(account, id, { service: "ups.teleport" });
  expect(outcomeOf(reply)).toBe("422 validation_failed");
  expect((await showBatch(account, id)).status).toBe("open");
});
