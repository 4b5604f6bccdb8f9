import { afterAll, beforeAll, expect, test } from "vitest";
import { createMany, processed, type Batch } from "../batches.ts";
import { outcomeOf, type DataOf, type Failure, type Shipment } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { rule, untilRuleBought } from "../rules.ts";
import { aShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** The format and size of a label can be set on the shipment, before its purchase. */

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await aPlatform();
  account = await anAccount(world);
});
afterAll(() => world.close());

const zpl = { ...aShipment(), label_format: "zpl" };
const onLetter = { ...aShipment(), label_format: "pdf", label_size: "letter" };
const formatOf = ({ label_format, label_size }: Shipment) => [label_format, label_size];

test("a shipment's label_format and label_size are shown, and its purchase obeys them", async () => {
  const drafts = [await account.create(zpl), await account.create(onLetter)];
  expect(drafts.map(formatOf)).toEqual([
    ["zpl", null],
    ["pdf", "letter"],
  ]);
  expect((await account.bought(drafts[0]!.id)).label_format).toBe("zpl");
  expect(formatOf(await account.show(drafts[0]!.id))).toEqual(["zpl", "4x6"]);
  await account.bought(drafts[1]!.id);
  const { label_url, ...shown } = await account.show(drafts[1]!.id);
  expect(formatOf({ label_url, ...shown })).toEqual(["pdf", "letter"]);
  const file = Buffer.from(await (await fetch(label_url!)).arrayBuffer()).toString("latin1");
  expect(file).toMatch(/MediaBox\s*\[\s*0 0 612(\.0+)? 792/);
});

test("the purchase's own wins, and a PUT replaces the shipment's", async () => {
  const { id } = await account.create(zpl);
  const changed = await account.put<DataOf<Shipment>>(`/shipments/${id}`, { label_format: "png" });
  expect(must(changed, 200).data.label_format).toBe("png");
  await account.bought(id, { service: "cheapest", label_format: "pdf", label_size: "letter" });
  expect(formatOf(await account.show(id))).toEqual(["pdf", "letter"]);
});

test("a label that a rule buys has them", async () => {
  const shop = await anAccount(world);
  await rule(shop, { actions: [{ type: "buy_label", max_total: 200 }] });
  const { id } = await shop.create(zpl);
  expect((await untilRuleBought(shop, id)).label_format).toBe("zpl");
});

test("a batch buys in its own format, else in the one that its parcels agree on", async () => {
  const own = await createMany(account, [zpl, aShipment()]);
  const named = await account.post<DataOf<Batch>>("/batches", {
    name: "Own",
    shipment_ids: own,
    label_format: "png",
    label_size: "letter",
  });
  expect(must(named, 201).data).toMatchObject({ label_format: "png", label_size: "letter" });
  const formats = async (entries: (typeof zpl)[] | ReturnType<typeof aShipment>[]) => {
    const ids = await createMany(account, entries);
    const { label_format } = await processed(account, ids);
    const shown = await Promise.all(ids.map((id) => account.show(id)));
    return [label_format, ...shown.map((each) => each.label_format)];
  };
  expect(await formats([zpl, zpl])).toEqual(["zpl", "zpl", "zpl"]);
  expect(await formats([zpl, aShipment()])).toEqual(["pdf", "pdf", "pdf"]);
});

test("formats that a purchase does not offer are 422, and freight has none", async () => {
  const wrong = { label_format: "PDF", label_size: "a4" };
  for (const [path, body] of [
    ["/shipments", { ...aShipment(), ...wrong }],
    ["/shipments", { ...aFreight(), label_format: "pdf", label_size: "4x6" }],
    ["/batches", { name: "x", shipment_ids: ["shp_x"], ...wrong }],
  ] as const) {
    const reply = await account.post<Failure>(path, body);
    expect(outcomeOf(reply)).toBe("422 validation_failed");
    expect(Object.keys(reply.body.error.details)).toEqual(
      expect.arrayContaining(["label_format", "label_size"]),
    );
  }
});
