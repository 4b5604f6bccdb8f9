import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createMany, processed, showBatch } from "../batches.ts";
import { outcomeOf, type DataOf, type Purchase, type Shipment } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants } from "../invariants.ts";
import { aShipment, aSteeredShipment, boston, notebooks } from "../shipments.ts";
import { anAccount, aPlatform, must, type TestAccount, type World } from "../world.ts";

/** A voided label is not paid for: no link leads to it. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

const statusOf = async (url: string) => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};
const typesOf = ({ documents }: Pick<Shipment, "documents">) => documents.map(({ type }) => type);

async function combinedUrl(account: TestAccount, batchId: string, except = ""): Promise<string> {
  return vi.waitFor(
    async () => {
      const { combined_label_url: url } = await showBatch(account, batchId);
      if (!url || fileOf(url) === except) throw new Error("no new file yet");
      return url;
    },
    { timeout: 10_000, interval: 50 },
  );
}
const fileOf = (url: string) => new URL(url).pathname;

test("a voided label has no link, and the earlier links lead to nothing", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment({ to_address: boston, items: [notebooks] }));
  const bought = await account.bought(id);
  const [label, invoice] = bought.documents;
  expect(await statusOf(bought.label_url!)).toBe(200);

  const reply = await account.post<DataOf<Shipment>>(`/shipments/${id}/void`);
  for (const shown of [must(reply, 200).data, await account.show(id)]) {
    expect(shown).toMatchObject({ status: "voided", label_url: null });
    expect(typesOf(shown)).toEqual(["commercial_invoice"]);
  }
  expect(outcomeOf(await account.get(`/labels/${id}`))).toBe("409 not_labelled");
  expect(await statusOf(bought.label_url!)).toBe(404);
  expect(await statusOf(label!.url)).toBe(404);
  expect(await statusOf(invoice!.url)).toBe(200);
});

test("a label whose void was rejected afterwards has its link again", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aSteeredShipment("sim:used_label"));
  const { label_url } = await account.bought(id);
  must(await account.post(`/shipments/${id}/void`), 200);
  const revived = await vi.waitFor(
    async () => {
      const shown = await account.show(id);
      expect(shown).toMatchObject({ status: "purchased", refund: { status: "rejected" } });
      return shown;
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(await statusOf(revived.label_url!)).toBe(200);
  expect(await statusOf(label_url!)).toBe(200);
});

test("while it is unknown whether the carrier voided a label, neither call shows a link", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aSteeredShipment("sim:lost_answer"));
  await account.buy(id);
  await vi.waitFor(async () => expect((await account.show(id)).status).toBe("purchased"), {
    timeout: 20_000,
    interval: 50,
  });
  const { label_url } = await account.show(id);
  expect(outcomeOf(await account.post(`/shipments/${id}/void`))).toBe("409 purchase_pending");
  const [shipment, purchase, file] = await Promise.all([
    account.show(id),
    account.get<DataOf<Purchase>>(`/labels/${id}`),
    statusOf(label_url!),
  ]);
  // The lookup may have found the void by the second of the three calls.
  expect([shipment.label_url, file]).toEqual([null, 404]);
  if (purchase.status === 200) expect(purchase.body.data.label_url).toBeNull();
  else expect(outcomeOf(purchase)).toBe("409 not_labelled");
});

test("a cancelled booking has neither bill of lading nor pallet labels to hand to a driver", async () => {
  const account = await anAccount(world, { balance_cents: 500_000 });
  const { id } = await account.create(aFreight());
  const { documents } = await account.bought(id);
  expect(documents.map(({ type }) => type)).toEqual(["bol", "pallet_label"]);
  must(await account.post(`/ltl/${id}/cancel`), 200);
  expect(typesOf(await account.show(id))).toEqual([]);
  expect(await Promise.all(documents.map(({ url }) => statusOf(url)))).toEqual([404, 404]);
});

test("the file of a batch's labels is made anew without the one that was voided", async () => {
  const account = await anAccount(world);
  const ids = await createMany(account, [aShipment(), aShipment(), aShipment()]);
  const { id } = await processed(account, ids);
  const before = await combinedUrl(account, id);
  must(await account.post(`/shipments/${ids[1]}/void`), 200);
  expect(await statusOf(before)).toBe(404);
  const after = await combinedUrl(account, id, fileOf(before));
  const response = await fetch(after);
  const document = await PDFDocument.load(await response.arrayBuffer());
  expect(document.getPageCount()).toBe(2);
});
