import { afterAll, beforeAll, expect, test } from "vitest";
import { canScan, scanPages, wordsOf } from "../acceptance/scan.ts";
import { aFreight } from "../freight-shipments.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import type { DataOf, Failure, Purchase, Rates, Shipment } from "../client.ts";
import { aShipment, boston, notebooks, ottawa, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/** Spec 4.13, sequence 1: create, rate, buy, print; and the way back. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await world.close();
});

test("create → rates → label → PDF by its link → void → refund, and the ledger agrees with the carrier", async () => {
  const account = await anAccount(world, { balance_cents: 20_000 });

  const shipment = await account.create(aShipment({ reference: "PO-7" }));
  expect(shipment).toMatchObject({
    type: "courier",
    status: "draft",
    reference: "PO-7",
    cost: null,
    label_url: null,
    tracking_code: null,
  });

  const { data: rates, meta } = await account.rates(shipment.id);
  expect(rates.length).toBeGreaterThan(3);
  expect(new Set(rates.map((rate) => rate.carrier.code)).size).toBeGreaterThan(2);
  expect(rates.map((rate) => rate.total)).toEqual(
    rates.map((rate) => rate.total).toSorted((a, b) => a - b),
  );
  expect(meta.timeout_seconds).toBe(10);

  const chosen = rates[1]!;
  const purchase = await account.bought(shipment.id, { service: chosen.service });
  expect(purchase.cost).toEqual({
    subtotal: chosen.subtotal,
    tax: chosen.tax,
    total: chosen.total,
    currency: "CAD",
  });
  expect(purchase.balance_after).toBeCloseTo(200 - chosen.total, 2);

  const labelled = await account.show(shipment.id);
  expect(labelled).toMatchObject({
    status: "purchased",
    tracking_status: "pre_transit",
    service: chosen.service,
    carrier: { code: chosen.carrier.code, name: chosen.carrier.name },
    tracking_code: purchase.tracking_code,
    cost: purchase.cost,
    selected_rate: { id: chosen.id, total: chosen.total },
  });
  expect(labelled.packages.map((each) => each.tracking_code)).toEqual([purchase.tracking_code]);

  const file = await fetch(purchase.label_url!);
  expect(file.status).toBe(200);
  expect(file.headers.get("content-type")).toBe("application/pdf");
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe("%PDF-");

  const voided = must(await account.post<DataOf<Shipment>>(`/shipments/${shipment.id}/void`), 200);
  expect(voided.data.status).toBe("voided");
  expect(voided.data.refund).toMatchObject({ amount: chosen.total });
  await assertInvariants(world);

  const refunded = await account.show(shipment.id);
  expect(refunded.refund).toMatchObject({ status: "approved", amount: chosen.total });
  expect(await account.balanceCents()).toBe(20_000);
  const operations = (await readJournal(world)).map(({ operation }) => operation);
  expect(operations).toEqual(["label", "void"]);

  const again = must(await account.post<DataOf<Shipment>>(`/shipments/${shipment.id}/void`), 200);
  expect(again.data).toMatchObject({ status: "voided", voided_at: voided.data.voided_at });
  expect(await account.balanceCents()).toBe(20_000);
});

test("a label crosses the border with its customs lines and an invoice, and bears no Canadian tax", async () => {
  const account = await anAccount(world);
  const shipment = await account.create(aShipment({ to_address: boston, items: [notebooks] }));
  expect(shipment.items[0]).toMatchObject({ hs_code: "482010", quantity: 4 });
  const purchase = await account.bought(shipment.id);
  expect(purchase.cost!.tax).toBe(0);
  expect(purchase.rate.taxes).toEqual([]);

  expect(kindsOf(purchase)).toEqual(["label", "commercial_invoice"]);
  const bought = await account.show(shipment.id);
  expect(kindsOf(bought)).toEqual(["label", "commercial_invoice"]);
  const [, invoice] = bought.documents;
  const file = await fetch(invoice!.url);
  expect(file.headers.get("content-type")).toBe("application/pdf");
  const pdf = Buffer.from(await file.arrayBuffer());
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  if (await canScan()) {
    expect(await scanPages(pdf)).toEqual([[purchase.tracking_code]]);
    const [words] = await wordsOf(pdf);
    for (const each of [bought.ship_code, "Notebook", "4820.10", "50.00 CAD", "Delia Novak"])
      expect(words).toContain(each);
  }

  must(await account.post(`/shipments/${shipment.id}/void`), 200);
  const voided = await account.show(shipment.id);
  expect(voided.status).toBe("voided");
  expect(kindsOf(voided)).toEqual(["commercial_invoice"]);
});

test("a domestic label comes without an invoice", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  expect(kindsOf(await account.bought(id))).toEqual(["label"]);
});

function kindsOf({ documents }: Pick<Shipment, "documents">): string[] {
  return documents.map(({ type }) => type);
}

test("every package of a shipment gets its own tracking code", async () => {
  const account = await anAccount(world);
  const shipment = await account.create(aShipment({ packages: [parcel, parcel, parcel] }));
  const { data: rates } = await account.rates(shipment.id);
  const purchase = await account.bought(shipment.id, { rate_id: rates[0]!.id });
  const { packages } = await account.show(shipment.id);
  const codes = packages.map((each) => each.tracking_code);
  expect(new Set(codes).size).toBe(3);
  expect(codes[0]).toBe(purchase.tracking_code);
});

test("a label comes as ZPL and as PNG too", async () => {
  const account = await anAccount(world);
  const formats = { zpl: "application/zpl", png: "image/png" };
  for (const [label_format, type] of Object.entries(formats)) {
    const { id } = await account.create(aShipment());
    const purchase = await account.bought(id, { service: "cheapest", label_format });
    const file = await fetch(purchase.label_url!);
    expect(file.headers.get("content-type")).toContain(type);
    expect(purchase.documents).toEqual([
      { type: "label", format: label_format, url: purchase.label_url },
    ]);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});

test("GET /labels/{id} signs the links of a bought label anew", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const none = await account.get<Failure>(`/labels/${id}`);
  expect(must(none, 409).error).toMatchObject({
    code: "not_labelled",
    details: { status: "draft" },
  });
  const bought = await account.bought(id);
  const shown = must(await account.get<DataOf<Purchase>>(`/labels/${id}`), 200).data;
  const { label_url, documents: _documents, ...rest } = shown;
  expect(bought).toMatchObject(rest);
  expect((await fetch(label_url!)).status).toBe(200);
});

test("a label link that was altered or has expired opens nothing", async () => {
  const account = await anAccount(world);
  const { id } = await account.create(aShipment());
  const link = new URL((await account.bought(id)).label_url!);
  const later = new URL(link);
  later.searchParams.set("expires", String(Number(link.searchParams.get("expires")) + 60));
  const other = new URL(link);
  other.pathname = other.pathname.replace(/att_\w+/, "att_other");
  for (const forged of [later, other, new URL(link.pathname, link)]) {
    const answer = await fetch(forged);
    expect(answer.status).toBe(403);
    expect(((await answer.json()) as Failure).error.code).toBe("url_expired");
  }
});

test("one call creates and buys: POST /labels", async () => {
  const account = await anAccount(world);
  const quoted = must(await account.post<Rates>("/rates", aShipment()), 200).data;
  const rate = quoted.find((each) => each.carrier.code === "canada_post")!;
  const body = { ...aShipment(), service: rate.service };
  const bought = await account.post<DataOf<Purchase>>("/labels", body);
  const { shipment_id, cost } = must(bought, 201).data;
  expect(cost!.total).toBe(rate.total);
  expect(await account.show(shipment_id)).toMatchObject({ status: "purchased" });
});

test("POST /labels names every invalid field, of the shipment and of its purchase", async () => {
  const account = await anAccount(world);
  const fieldsOf = async (body: unknown) =>
    Object.keys(must(await account.post<Failure>("/labels", body), 422).error.details).toSorted();
  expect(await fieldsOf({ ...aShipment(), packages: [], label_size: "A4" })).toEqual([
    "label_size",
    "packages",
    "service",
  ]);
  const freight = { ...aFreight({ handling_units: [] }), service: 7, label_format: "zpl" };
  expect(await fieldsOf(freight)).toEqual(["handling_units", "label_format", "service"]);
  for (const body of [null, [], 5]) expect(await fieldsOf(body)).toEqual(["body"]);
});

test("an account without a ship-from must send one; with one it need not", async () => {
  const account = await anAccount(world);
  const { from_address: _from, ...entry } = aShipment();
  const refused = await account.post<Failure>("/shipments", entry);
  expect(Object.keys(must(refused, 422).error.details)).toEqual(["from_address"]);
  const path = `/accounts/${account.account_id}`;
  must(await world.operator.patch(path, { default_from_address: ottawa }), 200);
  const shipment = await account.create(entry);
  expect(shipment.from_address).toMatchObject({ city: "Ottawa", postal_code: "K1A 0A9" });
  expect(shipment.return_address).toEqual(shipment.from_address);
});
