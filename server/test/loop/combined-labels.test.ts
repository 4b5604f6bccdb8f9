import { afterAll, beforeAll, expect, test } from "vitest";
import type { CombinedDocuments } from "../../src/resources/documents/schemas.ts";
import type { DataOf } from "../client.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";
import { longestStretchMs } from "./stretch.ts";

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

test("a picture of the labels of forty packages is combined without blocking the event loop", async () => {
  const account = await anAccount(world, { balance_cents: 1_000_000 });
  const combine = async (id: string) => {
    const body = { shipment_ids: [id] };
    return must(await account.post<DataOf<CombinedDocuments>>("/documents/combine", body), 201);
  };
  const entry = aShipment();
  const small = await account.create(entry);
  await account.bought(small.id, { service: "fedex.ground", label_format: "png" });
  const packages = Array.from({ length: 40 }, () => entry.packages[0]!);
  const large = await account.create({ ...entry, packages });
  await account.bought(large.id, { service: "fedex.ground", label_format: "png" });
  // What loads with the first file is no part of it.
  await combine(small.id);
  let pages = 0;
  const longest = await longestStretchMs(async () => {
    ({ pages } = (await combine(large.id)).data);
  });
  expect(pages).toBe(40);
  expect(longest).toBeLessThan(50);
});
