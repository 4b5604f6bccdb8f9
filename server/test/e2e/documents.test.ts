import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf } from "../client.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";
import type { CombinedDocuments } from "../../src/resources/documents/schemas.ts";

/** Documents of several shipments in one file. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

test("labels come in one file, and what is missing is named with its reason", async () => {
  const shop = await anAccount(world);
  const stranger = await anAccount(world);
  const ids = [];
  for (const reference of ["B", "A"]) {
    const { id } = await shop.create({ ...aShipment(), reference });
    await shop.bought(id);
    ids.push(id);
  }
  const draft = (await shop.create(aShipment())).id;
  const theirs = (await stranger.create(aShipment())).id;
  const combine = async (body: object) =>
    shop.post<DataOf<CombinedDocuments>>("/documents/combine", body);
  const shipment_ids = [...ids, draft, theirs];
  const { data } = must(await combine({ shipment_ids, order_by: "reference" }), 201);
  expect(data.pages).toBe(2);
  expect(data.missing).toEqual([
    { shipment_id: theirs, type: "label", reason: "not_found" },
    { shipment_id: draft, type: "label", reason: "no_document" },
  ]);
  const file = await fetch(data.url);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  must(await shop.post(`/shipments/${ids[0]!}/void`, {}), 200);
  expect((await fetch(data.url)).status).toBe(404);
  expect((await combine({ shipment_ids: [draft] })).status).toBe(422);
  expect((await combine({})).status).toBe(422);
  expect((await combine({ shipment_ids: ids, filter_id: "flt_x" })).status).toBe(422);
  expect((await combine({ shipment_ids: ids, types: ["packing_slip"] })).status).toBe(422);
});

test("a file is served although a shipment that it lacks is void", async () => {
  const shop = await anAccount(world);
  const ids = [(await shop.create(aShipment())).id, (await shop.create(aShipment())).id];
  for (const id of ids) await shop.bought(id);
  must(await shop.post(`/shipments/${ids[0]!}/void`, {}), 200);
  const { data } = must(
    await shop.post<DataOf<CombinedDocuments>>("/documents/combine", { shipment_ids: ids }),
    201,
  );
  expect(data.missing).toEqual([{ shipment_id: ids[0], type: "label", reason: "no_document" }]);
  expect((await fetch(data.url)).status).toBe(200);
  must(await shop.post(`/shipments/${ids[1]!}/void`, {}), 200);
  expect((await fetch(data.url)).status).toBe(404);
});
