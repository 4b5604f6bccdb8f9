import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  createBatch,
  createMany,
  processBatch,
  processed,
  showBatch,
  untilProcessed,
} from "../batches.ts";
import { outcomeOf, type Failure } from "../client.ts";
import { assertInvariants } from "../invariants.ts";
import { aFreight, unit, type FreightEntry } from "../freight-shipments.ts";
import { aShipment, aSteeredShipment, type ShipmentEntry } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/** All labels of a batch in one file, for printing. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(() => world.close());

async function untilCombined(account: TestAccount, id: string): Promise<Buffer> {
  const url = await vi.waitFor(
    async () => (await showBatch(account, id)).combined_label_url ?? expect.fail("none yet"),
    { timeout: 10_000, interval: 50 },
  );
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

test("a finished batch has a link to one PDF with a page for each label", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [
    ...Array.from({ length: 4 }, () => aShipment()),
    aSteeredShipment("sim:refuse"),
  ]);
  const { id } = await processed(account, ids);
  const document = await PDFDocument.load(await untilCombined(account, id));
  expect(document.getPageCount()).toBe(4);
});

test("ZPL labels follow each other in the order of the list", async () => {
  const account = await anAccount(world);
  const entries = Array.from({ length: 5 }, () => aShipment({ service: "ups.standard" }));
  const ids = (await createMany(account, entries)).reverse();
  const { id } = await createBatch(account, ids);
  must(await processBatch(account, id, { label_format: "zpl" }), 202);
  await untilProcessed(account, id);
  const text = (await untilCombined(account, id)).toString();
  const codes = await Promise.all(
    ids.map(async (each) => (await account.show(each)).tracking_code!),
  );
  const places = codes.map((code) => text.indexOf(code));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(text.match(/\^XA/g)).toHaveLength(5);
});

test("of freight the pallets' labels are in the file, and no page of a ZPL one", async () => {
  const account = await anAccount(world, { balance_cents: 500_000 });
  const pagesOf = async (body: object, entries: (ShipmentEntry | FreightEntry)[]) => {
    const { id } = await processed(account, await createMany(account, entries), body);
    return untilCombined(account, id);
  };
  const mixed = () => [aShipment(), aFreight({ handling_units: [{ ...unit, quantity: 3 }] })];
  const pdf = await pagesOf({ service: "cheapest" }, mixed());
  expect((await PDFDocument.load(pdf)).getPageCount()).toBe(4);
  const zpl = await pagesOf({ service: "cheapest", label_format: "zpl" }, mixed());
  expect(zpl.toString().match(/\^XA/g)).toHaveLength(1);
});

test("when it is processed again, the link is absent until the file has the new labels too; the format stays", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment({ service: "cheapest" }), aShipment()]);
  const { id } = await processed(account, ids, {});
  expect((await PDFDocument.load(await untilCombined(account, id))).getPageCount()).toBe(1);
  const zpl = await processBatch(account, id, { service: "cheapest", label_format: "zpl" });
  expect(outcomeOf(zpl)).toBe("422 validation_failed");
  expect((zpl.body as unknown as Failure).error.details).toEqual({
    label_format: ["label_format must be pdf, as the labels bought already are."],
  });
  const again = must(await processBatch(account, id, { service: "cheapest" }), 202).data;
  expect(again.combined_label_url).toBeNull();
  await untilProcessed(account, id);
  expect((await PDFDocument.load(await untilCombined(account, id))).getPageCount()).toBe(2);
});

test("a label that was voided is left out when the file is made anew", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment({ service: "cheapest" }), aShipment()]);
  const { id } = await processed(account, ids, { label_format: "zpl" });
  await untilCombined(account, id);
  must(await account.post(`/shipments/${ids[0]}/void`), 200);
  must(await processBatch(account, id, { service: "cheapest" }), 202);
  await untilProcessed(account, id);
  const text = (await untilCombined(account, id)).toString();
  expect(text.match(/\^XA/g)).toHaveLength(1);
  expect(text).toContain((await account.show(ids[1]!)).tracking_code);
});

test("a batch that bought nothing has no file", async () => {
  const account = await anAccount(world);
  const { id } = await processed(account, await createMany(account, [aShipment()]), {});
  const row = await world.db
    .selectFrom("batches")
    .select(["combine_at", "combined_file_key"])
    .where("id", "=", id)
    .executeTakeFirst();
  expect(row).toEqual({ combine_at: null, combined_file_key: null });
});
