import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  assertInvariants,
  readJournal,
  referencesOf,
  labelsIn,
  untilAtRest,
} from "../invariants.ts";
import {
  outcomeOf,
  type DataOf,
  type Failure,
  type ListOf,
  type Purchase,
  type Shipment,
} from "../client.ts";
import {
  aShipment,
  aSteeredShipment,
  boston,
  notebooks,
  type ShipmentEntry,
} from "../shipments.ts";
import { toCents } from "../../src/domain/values/money.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/** The outcomes of a purchase at the carrier (decision 8), steered as integrators steer it (decision 24). */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterAll(async () => {
  await assertInvariants(world);
  await world.close();
});

function errorOf(reply: { body: unknown }): Failure["error"] {
  return (reply.body as Failure).error;
}

async function labelCount(shipmentId: string): Promise<number> {
  const references = await referencesOf(world.db, shipmentId);
  return labelsIn(await readJournal(world), references).length;
}

async function draft(entry: ShipmentEntry): Promise<[TestAccount, Shipment]> {
  const account = await anAccount(world, { balance_cents: 30_000 });
  return [account, await account.create(entry)];
}

test("sim:refuse: 502 with the carrier's message, the money released, the draft still there", async () => {
  const [account, { id }] = await draft(aSteeredShipment("sim:refuse"));
  const refused = await account.buy(id);
  expect(outcomeOf(refused)).toBe("502 carrier_error");
  expect(errorOf(refused).details).toMatchObject({
    carrier: expect.any(String) as string,
    carrier_code: "shipment_refused",
    retryable: false,
  });
  expect(await account.balance()).toMatchObject({ balance: 300, held: 0 });
  const shipment = await account.show(id);
  expect(shipment).toMatchObject({
    status: "draft",
    last_error: { carrier_code: "shipment_refused" },
  });
  expect(await labelCount(id)).toBe(0);

  // Without the instruction the same shipment can be bought.
  const { to_address } = aShipment();
  must(await account.put(`/shipments/${id}`, { to_address }), 200);
  await account.bought(id);
  expect(await account.show(id)).toMatchObject({ status: "purchased", last_error: null });
});

test("sim:price_up: 409 rate_changed with the old total and the new, nothing bought", async () => {
  const [account, { id }] = await draft(aSteeredShipment("sim:price_up"));
  const { service, subtotal, total, currency } = (await account.rates(id)).data[0]!;
  const refused = await account.buy(id, { service });
  expect(outcomeOf(refused)).toBe("409 rate_changed");
  const { details } = errorOf(refused);
  expect(details).toEqual({ service, expected_total: total, total: details["total"], currency });
  // The carrier charges 12 % more; margin and tax are in proportion, but for the cents of rounding.
  const rise = ((details["total"] as number) / total - 1) * subtotal;
  expect(rise).toBeCloseTo(0.12 * subtotal, 1);
  expect(await account.balance()).toMatchObject({ balance: 300, held: 0 });
  expect((await account.show(id)).status).toBe("draft");
  expect(await labelCount(id)).toBe(0);
});

test("sim:price_up: the new total is the one that is paid once it is sent as expected_total", async () => {
  const [account, { id }] = await draft(aSteeredShipment("sim:price_up"));
  const { service, total: quoted } = (await account.rates(id)).data[0]!;
  const total = errorOf(await account.buy(id, { service })).details["total"] as number;
  const below = { service, expected_total: Number((total - 0.01).toFixed(2)) };
  expect(errorOf(await account.buy(id, below)).details).toMatchObject({
    expected_total: quoted,
    total,
  });
  const key = { "idempotency-key": "accepted" };
  const body = { service, expected_total: total };
  const bought = must(await account.buy(id, body, key), 201);
  expect(bought.data.cost!.total).toBe(total);
  expect(must(await account.buy(id, body, key), 201)).toEqual(bought);
  expect(await account.balance()).toMatchObject({ balance: toCents(300 - total) / 100, held: 0 });
  expect(await labelCount(id)).toBe(1);
});

test("sim:lost_answer: pending, then found at the carrier; the key gets the label, and only one exists", async () => {
  const [account, { id }] = await draft(aSteeredShipment("sim:lost_answer"));
  const key = { "idempotency-key": "lost" };
  const body = { service: "cheapest" };
  const pending = await account.buy(id, body, key);
  expect(outcomeOf(pending)).toBe("409 purchase_pending");
  expect(pending.headers["retry-after"]).toBe("2");
  expect(await account.show(id)).toMatchObject({ status: "purchase_pending" });
  const held = await account.balance();
  expect(held.balance).toBe(300);
  expect(held.held).toBeGreaterThan(0);
  expect(outcomeOf(await account.post(`/shipments/${id}/void`))).toBe("409 purchase_pending");
  expect(outcomeOf(await account.delete(`/shipments/${id}`))).toBe("409 purchase_pending");

  const settled = await vi.waitFor(
    async () => {
      const retry = await account.buy(id, body, key);
      expect(retry.status).toBe(201);
      return retry.body.data;
    },
    { timeout: 15_000, interval: 50 },
  );
  expect(await account.show(id)).toMatchObject({
    status: "purchased",
    tracking_code: settled.tracking_code,
  });
  expect(await account.balance()).toMatchObject({ balance: settled.balance_after, held: 0 });
  expect((await fetch(settled.label_url!)).status).toBe(200);
  expect(await labelCount(id)).toBe(1);
  expect(outcomeOf(await account.buy(id))).toBe("409 already_labelled");
});

test("a label across the border that recovery found has its invoice too", async () => {
  const [account, { id }] = await draft(
    aSteeredShipment("sim:lost_answer", { to_address: boston, items: [notebooks] }),
  );
  expect(outcomeOf(await account.buy(id))).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  const { documents, status } = await account.show(id);
  expect(status).toBe("purchased");
  expect(documents.map(({ type }) => type)).toEqual(["label", "commercial_invoice"]);
  for (const { url } of documents) expect((await fetch(url)).status).toBe(200);
});

test("a carrier that drops the purchase without a response: the money is released, and it can be bought again", async () => {
  const [account, { id }] = await draft(aShipment());
  const { data } = await account.rates(id);
  const { carrier, service } = data[0]!;
  await setDials(world, {
    [carrier.code]: { error_rate: 1, error_status: 503, operations: ["purchases"] },
  });
  const unheard = await account.buy(id, { service });
  await setDials(world, {});
  expect(outcomeOf(unheard)).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  expect(await account.balance()).toMatchObject({ balance: 300, held: 0 });
  expect(await account.show(id)).toMatchObject({ status: "draft" });
  expect(await labelCount(id)).toBe(0);
  await account.bought(id, { service });
  expect(await labelCount(id)).toBe(1);
});

test("sim:used_label: the refund is rejected, the label is live again and stays paid", async () => {
  const [account, { id }] = await draft(aSteeredShipment("sim:used_label"));
  const { balance_after } = await account.bought(id);
  const voided = must(await account.post<DataOf<Shipment>>(`/shipments/${id}/void`), 200).data;
  expect(voided).toMatchObject({ status: "voided", refund: { status: "pending" } });
  await untilAtRest(world.db);
  expect(await account.show(id)).toMatchObject({
    status: "purchased",
    voided_at: null,
    refund: { status: "rejected" },
  });
  expect(await account.balance()).toMatchObject({ balance: balance_after, pending_refunds: 0 });
});

test("a void whose response is lost is pending, then voided, and refunded once", async () => {
  const [account, { id }] = await draft(aSteeredShipment("sim:lost_answer"));
  await account.buy(id);
  await untilAtRest(world.db);
  const pending = await account.post(`/shipments/${id}/void`);
  expect(outcomeOf(pending)).toBe("409 purchase_pending");
  await untilAtRest(world.db);
  expect(await account.show(id)).toMatchObject({
    status: "voided",
    refund: { status: "approved" },
  });
  expect(await account.balanceCents()).toBe(30_000);
  const { data } = must(await account.get<ListOf<{ type: string }>>("/credits/transactions"), 200);
  expect(data.map(({ type }) => type)).toEqual(["refund", "label", "adjustment"]);
});

test("POST /labels keeps the draft when the purchase is refused, and names it", async () => {
  const account = await anAccount(world);
  const body = { ...aSteeredShipment("sim:refuse"), service: "cheapest" };
  const refused = await account.post<DataOf<Purchase>>("/labels", body);
  expect(outcomeOf(refused)).toBe("502 carrier_error");
  const { shipment_id } = errorOf(refused).details as { shipment_id: string };
  expect(await account.show(shipment_id)).toMatchObject({ status: "draft" });
});

test("POST /labels with one key is one shipment and one label, even when the response was lost", async () => {
  const account = await anAccount(world);
  const body = { ...aSteeredShipment("sim:lost_answer"), service: "cheapest" };
  const call = () => account.post<DataOf<Purchase>>("/labels", body, { "idempotency-key": "both" });
  expect(outcomeOf(await call())).toBe("409 purchase_pending");
  const settled = await vi.waitFor(
    async () => {
      const retry = await call();
      expect(retry.status).toBe(201);
      return retry.body.data;
    },
    { timeout: 15_000, interval: 50 },
  );
  const { data } = must(await account.get<ListOf<Shipment>>("/shipments"), 200);
  expect(data.map(({ id }) => id)).toEqual([settled.shipment_id]);
  expect(await labelCount(settled.shipment_id)).toBe(1);
});

test.each([
  [{}, "422 validation_failed", ["service"]],
  [{ service: "cheapest", rate_id: "rat_x" }, "422 validation_failed", ["rate_id"]],
  [{ service: "ups.balloon" }, "422 validation_failed", ["service"]],
  [
    { service: 7, add_ons: ["gold"], label_size: "a4", expected_total: -1 },
    "422 validation_failed",
    ["add_ons.0", "expected_total", "label_size", "service"],
  ],
  [{ rate_id: "rat_nobody" }, "422 validation_failed", ["rate_id"]],
])("a purchase by %j is %s", async (body, outcome, details) => {
  const [account, { id }] = await draft(aShipment());
  const refused = await account.buy(id, body);
  expect(outcomeOf(refused)).toBe(outcome);
  expect(Object.keys(errorOf(refused).details).toSorted()).toEqual(details);
  expect((await account.show(id)).status).toBe("draft");
});

test("a suspended account is refused before anything else", async () => {
  const [account, { id }] = await draft(aShipment());
  must(await world.operator.patch(`/accounts/${account.account_id}`, { suspended: true }), 200);
  expect(outcomeOf(await account.buy(id))).toBe("403 account_suspended");
  must(await world.operator.patch(`/accounts/${account.account_id}`, { suspended: false }), 200);
  await account.bought(id);
});
