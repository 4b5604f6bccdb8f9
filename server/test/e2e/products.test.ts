import { afterAll, beforeAll, expect, test } from "vitest";
import type { DataOf, Failure, Shipment } from "../client.ts";
import { aShipment, boston } from "../shipments.ts";
import { aPlatform, anAccount, must, type TestAccount, type World } from "../world.ts";

/** From a store's export to a parcel across a border whose customs lines are filled by sku (decisions 5 and 13). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(() => world.close());

interface Import {
  id: string;
  status: string;
  created_count: number;
}

async function imported(account: TestAccount, products: object[]): Promise<Import> {
  const body = { format: "json", products };
  const { id } = must(await account.post<DataOf<Import>>("/imports/products", body), 202).data;
  const show = async () => must(await account.get<DataOf<Import>>(`/imports/${id}`), 200).data;
  await expect.poll(async () => (await show()).status, { timeout: 10_000 }).not.toBe("processing");
  return show();
}

async function approved(account: TestAccount, sku: string): Promise<void> {
  const who = { sku, manufacturer: "Shenzhen Lamps", country_of_origin: "CN" };
  must(await account.post("/products/verify-manufacturer", who), 200);
  must(await account.post(`/products/${sku}/approve-classification`), 200);
}

const line = { quantity: 1, value: 40, title: "Lamp" };
const across = (items: object[]) => aShipment({ to_address: boston, items: items as never });

test("a product comes from a store, fails, is verified and approved, and fills customs data", async () => {
  const account = await anAccount(world);
  const lamp = {
    sku: "LAMP",
    title: "Lamp",
    hs_code: "9405.21",
    customs_description: "Table lamp",
  };
  expect(await imported(account, [lamp])).toMatchObject({
    status: "completed",
    created_count: 1,
  });
  const entry = across([{ ...line, sku: "LAMP" }]);
  const early = await account.post<Failure>("/shipments", entry);
  expect(Object.keys(must(early, 422).error.details).sort()).toEqual([
    "items.0.country_of_origin",
    "items.0.hs_code",
  ]);
  const refused = await account.post<Failure>("/products/LAMP/approve-classification");
  expect(must(refused, 409).error.details["status"]).toBe("Manufacturer Failed");
  await approved(account, "LAMP");

  const shipment = await account.create(entry);
  expect(shipment.items).toMatchObject([
    {
      sku: "LAMP",
      hs_code: "940521",
      country_of_origin: "CN",
      customs_description: "Table lamp",
      manufacturer: "Shenzhen Lamps",
    },
  ]);
  const { documents } = await account.bought(shipment.id);
  expect(documents.map(({ type }) => type)).toContain("commercial_invoice");
});

test("goods are classified, their maker verified, and the product is kept with both", async () => {
  const account = await anAccount(world);
  const goods = { title: "Men's organic cotton T-shirt, short sleeves", description: "Knitted" };
  const classified = await account.post<DataOf<{ hs_code: string }>>("/products/classify", goods);
  const { hs_code } = must(classified, 200).data;
  expect(hs_code).toBe("610910");
  const maker = { manufacturer: "Maple Knits Ltd.", country_of_origin: "CA" };
  const verified = await account.post<DataOf<{ status: string; cusma_eligible: boolean }>>(
    "/products/verify-manufacturer",
    { ...maker, hs_code },
  );
  expect(must(verified, 200).data.cusma_eligible).toBe(true);

  // Products come from imports (decision 13), which store the results.
  await imported(account, [{ sku: "TEE", title: goods.title, hs_code, ...maker }]);
  const kept = await account.get<DataOf<object>>("/products/TEE");
  expect(must(kept, 200).data).toMatchObject({ hs_code: "610910", ...maker });
  must(await account.post("/products/TEE/approve-classification"), 200);
  const { items } = await account.create(across([{ ...line, sku: "TEE" }]));
  expect(items).toMatchObject([{ sku: "TEE", hs_code: "610910", country_of_origin: "CA" }]);
});

test("a product that is approved later fills a changed shipment, and none that is written back", async () => {
  const account = await anAccount(world);
  await imported(account, [{ sku: "LAMP", title: "Lamp", hs_code: "9405.21" }]);
  const items = [{ ...line, sku: "LAMP" }] as never;
  const read = await account.create(aShipment({ items }));
  expect(read.items[0]!.hs_code).toBeNull();
  await approved(account, "LAMP");
  const put = async (body: object) =>
    must(await account.put<DataOf<Shipment>>(`/shipments/${read.id}`, body), 200).data;
  expect((await put({ ...read, tags: ["vip"] })).items).toEqual(read.items);
  expect((await put({ service: "cheapest" })).items[0]!.hs_code).toBe("940521");
  // What was sent without the codes of the product is stored with them: also no change.
  const [rate] = (await account.rates(read.id)).data;
  await put({ items });
  await account.bought(read.id, { rate_id: rate!.id });
});

test("an item's own fields win, and unknown skus are fine at home", async () => {
  const account = await anAccount(world);
  await imported(account, [{ sku: "LAMP", title: "Lamp", hs_code: "9405.21" }]);
  await approved(account, "LAMP");
  const items = [
    { ...line, sku: " LAMP ", hs_code: "8513.10", manufacturer: "Another" },
    { ...line, sku: "NOBODY" },
    { ...line, sku: "x\u0000" },
  ];
  const { items: kept } = await account.create(aShipment({ items: items.slice(0, 2) as never }));
  expect(kept).toMatchObject([
    { sku: "LAMP", hs_code: "851310", country_of_origin: "CN", manufacturer: "Another" },
    { sku: "NOBODY", hs_code: null, country_of_origin: null, manufacturer: null },
  ]);
  expect((await account.post("/shipments", aShipment({ items: items as never }))).status).toBe(422);
});

test("wherever a shipment is described, its items are filled: in bulk, for rates, with its label, in a change", async () => {
  const account = await anAccount(world);
  await imported(account, [{ sku: "LAMP", title: "Lamp", hs_code: "9405.21" }]);
  await approved(account, "LAMP");
  const entry = across([{ ...line, sku: "LAMP" }]);
  const bulk = await account.post<DataOf<{ data: Shipment }[]>>("/shipments", [entry, entry]);
  for (const { data } of must(bulk, 201).data) expect(data.items[0]!.hs_code).toBe("940521");
  must(await account.post("/rates", entry), 200);
  must(await account.post("/labels", { ...entry, service: "cheapest" }), 201);
  const plain = await account.create(aShipment({ items: [{ ...line, title: "Old" }] as never }));
  const changes = { to_address: boston, items: entry.items };
  const changed = must(await account.put<DataOf<Shipment>>(`/shipments/${plain.id}`, changes), 200);
  expect(changed.data.items[0]).toMatchObject({ hs_code: "940521", country_of_origin: "CN" });
});
