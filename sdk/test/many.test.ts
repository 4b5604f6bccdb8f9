import { afterAll, beforeAll, expect, test } from "vitest";
import { aPlatform, type World } from "../../server/test/world.ts";
import { createWaybill, CreateManyStopped } from "../src/index.ts";
import { aFetch, refusal } from "./fakes.ts";
import { aClientOf, anEntry } from "./sandbox.ts";

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

const bad = new Set([0, 499, 500, 777, 999, 1000, 1199]);
const entries = Array.from({ length: 1200 }, (_, place) =>
  anEntry({ reference: `PO-${place}`, ...(bad.has(place) && { packages: [] }) }),
);

test("of 1,200 rows with 7 bad ones, 1,193 are created, and each result is at its row's place", async () => {
  const { waybill } = await aClientOf(world);
  const { data, created, failed } = await waybill.shipments.createMany(entries);
  expect([created, failed]).toEqual([1193, 7]);
  expect(data.map(({ index }) => index)).toEqual(entries.map((_, place) => place));
  expect(data.filter(({ status }) => status === "error").map(({ index }) => index)).toEqual([
    ...bad,
  ]);
  const references = data.map((row) =>
    row.status === "created" ? row.data.reference : row.reference,
  );
  expect(references).toEqual(entries.map(({ reference }) => reference));
  const listed = new Set<string>();
  for await (const { id } of waybill.shipments.list({ per_page: 100 })) listed.add(id);
  expect(listed.size).toBe(1193);
});

test("rows that are all bad are results, not an error", async () => {
  const { waybill } = await aClientOf(world);
  const rows = [anEntry({ packages: [] }), anEntry({ packages: [] })];
  expect(await waybill.shipments.createMany(rows)).toMatchObject({
    created: 0,
    failed: 2,
    data: [
      { index: 0, status: "error" },
      { index: 1, status: "error" },
    ],
  });
});

test("creating many that stops half-way goes on under its key, and creates nothing twice", async () => {
  let calls = 0;
  const failing: typeof fetch = (input, init) =>
    ++calls === 2 ? Promise.resolve(refusal(500, "internal_error")) : fetch(input, init);
  const { waybill } = await aClientOf(world, { fetch: failing });
  const some = entries.slice(1, 499).concat(entries.slice(501, 601));
  const stopped = await waybill.shipments.createMany(some).catch((error: unknown) => error);
  expect(stopped).toBeInstanceOf(CreateManyStopped);
  const { rows, idempotencyKey, code } = stopped as CreateManyStopped<unknown>;
  expect([rows.length, code]).toEqual([500, "internal_error"]);
  const done = await waybill.shipments.createMany(some, { idempotencyKey: idempotencyKey! });
  expect(done.created).toBe(598);
  expect(await waybill.shipments.list({ per_page: 100 }).toArray()).toHaveLength(598);
});

test("rows are taken from a generator as they are needed, and no row needs no call", async () => {
  let taken = 0;
  function* rows() {
    for (; taken < 501; taken++) yield anEntry();
  }
  const seen: number[] = [];
  const server = aFetch(() => {
    seen.push(taken);
    return Response.json({ data: [] });
  });
  await createWaybill(server).shipments.createMany(rows());
  expect(seen).toEqual([499, 501]);
  await createWaybill(server).shipments.createMany([]);
  expect(server.calls).toHaveLength(2);
});
