import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  countOutcomes,
  outcomeOf,
  type DataOf,
  type Failure,
  type Purchase,
  type Reply,
  type Shipment,
} from "../client.ts";
import { assertInvariants, readJournal, referencesOf, untilAtRest } from "../invariants.ts";
import { aShipment, halifax, parcel } from "../shipments.ts";
import { aPlatform, anAccount, must, setDials, type TestAccount, type World } from "../world.ts";
import { soldLabels } from "./moments.ts";

/** Many at once: one shipment has one label and one debit, and no balance is spent twice. */

let world: World;
beforeAll(async () => {
  world = await aPlatform();
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(async () => {
  await world.close();
});

const openingCents = 50_000;

async function debitsOf(shipmentId: string): Promise<number> {
  const rows = await world.db
    .selectFrom("ledger_transactions")
    .select("id")
    .where("shipment_id", "=", shipmentId)
    .where("type", "=", "label")
    .execute();
  return rows.length;
}

function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_each, index) => work(index)));
}

async function quotedDraft(): Promise<{
  account: TestAccount;
  shipment: Shipment;
  service: string;
  total: number;
}> {
  const account = await anAccount(world, { balance_cents: openingCents });
  const shipment = await account.create(aShipment());
  const { service, total } = (await account.rates(shipment.id)).data[0]!;
  return { account, shipment, service, total };
}

test("200 parallel purchases with one key: one label, one debit, one answer for all", async () => {
  const { account, shipment, service, total } = await quotedDraft();
  const key = { "idempotency-key": "one-key" };
  const replies = await times(200, () => account.buy(shipment.id, { service }, key));
  const bought = replies.filter(({ status }) => status === 201);
  expect(bought.length).toBeGreaterThan(0);
  expect(new Set(bought.map(({ bytes }) => bytes.toString("base64"))).size).toBe(1);
  // A twin that waited two seconds in vain is told that the first still runs.
  const late = replies.filter(({ status }) => status !== 201);
  for (const reply of late) expect(outcomeOf(reply)).toBe("409 idempotency_in_progress");
  expect(await soldLabels(world, shipment.id)).toBe(1);
  expect(await debitsOf(shipment.id)).toBe(1);
  expect(await account.balanceCents()).toBe(openingCents - Math.round(total * 100));

  const replayed = await account.buy(shipment.id, { service }, key);
  expect(replayed.headers["idempotent-replay"]).toBe("true");
  expect(replayed.bytes.equals(bought[0]!.bytes)).toBe(true);
});

test("200 parallel purchases without a key: one 201, the others told that it is being or was bought", async () => {
  const { account, shipment, service, total } = await quotedDraft();
  const replies = await times(200, () => account.buy(shipment.id, { service }));
  const outcomes = countOutcomes(replies);
  expect(outcomes["201"]).toBe(1);
  const {
    "201": _one,
    "409 already_labelled": done = 0,
    "409 purchase_pending": running = 0,
    ...others
  } = outcomes;
  expect(others).toEqual({});
  expect(done + running).toBe(199);
  expect(await soldLabels(world, shipment.id)).toBe(1);
  expect(await debitsOf(shipment.id)).toBe(1);
  expect(await account.balanceCents()).toBe(openingCents - Math.round(total * 100));
});

test("100 parallel purchases, each with a key of its own: one label, one debit", async () => {
  const { account, shipment, service } = await quotedDraft();
  const replies = await times(100, (index) =>
    account.buy(shipment.id, { service }, { "idempotency-key": `own-${index}` }),
  );
  expect(countOutcomes(replies)["201"]).toBe(1);
  expect(await soldLabels(world, shipment.id)).toBe(1);
  expect(await debitsOf(shipment.id)).toBe(1);
});

test("50 parallel purchases on a balance for some: exactly as many succeed as it pays for", async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const rows = Array.from({ length: 50 }, () => aShipment());
  const { data } = must(await account.post<DataOf<{ data: Shipment }[]>>("/shipments", rows), 201);
  const { service, total } = (await account.rates(data[0]!.data.id)).data[0]!;
  const price = Math.round(total * 100);
  const affordable = Math.floor(openingCents / price);
  expect(affordable).toBeGreaterThan(2);
  expect(affordable).toBeLessThan(50);
  const replies = await times(50, (index) => account.buy(data[index]!.data.id, { service }));
  expect(countOutcomes(replies)).toEqual({
    "201": affordable,
    "402 insufficient_credits": 50 - affordable,
  });
  const balance = await account.balance();
  expect(Math.round(balance.balance * 100)).toBe(openingCents - affordable * price);
  expect(balance.held).toBe(0);
});

test("purchases and top-ups of one account at once add up", async () => {
  const account = await anAccount(world, { balance_cents: 0 });
  const drafts = await times(20, () => account.create(aShipment()));
  const [, bought] = await Promise.all([
    times(10, async () => must(await account.post("/credits/top-up", { amount: 50 }), 201)),
    times(20, (index) => account.buy(drafts[index]!.id)),
  ]);
  const spent = bought
    .filter(({ status }) => status === 201)
    .reduce((sum, { body }) => sum + Math.round(body.data.cost!.total * 100), 0);
  expect(await account.balanceCents()).toBe(50_000 - spent);
});

/** Races a purchase, slowed down at the carrier or not, against something else done to the shipment. */
async function race(
  rival: (account: TestAccount, id: string) => Promise<Reply<unknown>>,
  latency_ms: number,
): Promise<{ account: TestAccount; shipment: Shipment; bought: string; other: string }[]> {
  await setDials(world, { "*": { latency_ms, operations: ["purchases"] } });
  return times(25, async () => {
    const { account, shipment, service } = await quotedDraft();
    const [bought, other] = await Promise.all([
      account.buy(shipment.id, { service }),
      rival(account, shipment.id),
    ]);
    return { account, shipment, bought: outcomeOf(bought), other: outcomeOf(other) };
  });
}

test.each([0, 60])(
  "buy ∥ void, the carrier taking %i ms more: bought, or cancelled, or bought and then voided",
  async (latency) => {
    const races = await race((account, id) => account.post(`/shipments/${id}/void`), latency);
    await untilAtRest(world.db);
    for (const { account, shipment, bought, other } of races) {
      const { status } = await account.show(shipment.id);
      const sold = await soldLabels(world, shipment.id);
      if (other === "200" && bought === "201") expect([status, sold]).toEqual(["voided", 1]);
      else if (other === "200") {
        expect(bought).toBe("409 conflict");
        expect([status, sold]).toEqual(["cancelled", 0]);
      } else {
        expect([bought, other]).toEqual(["201", "409 purchase_pending"]);
        expect([status, sold]).toEqual(["purchased", 1]);
      }
      if (status !== "purchased") expect(await account.balanceCents()).toBe(openingCents);
    }
  },
);

test.each([0, 60])(
  "buy ∥ PUT of ship data, the carrier taking %i ms more: the label is of the data that was bought",
  async (latency) => {
    const heavier = {
      packages: [{ ...parcel, weight: 11 }],
      to_address: { ...halifax, name: "Ines Roy" },
    };
    const races = await race((account, id) => account.put(`/shipments/${id}`, heavier), latency);
    for (const { account, shipment, bought, other } of races) {
      const { status, packages, to_address } = await account.show(shipment.id);
      const changed = packages[0]!.weight === 11;
      expect(to_address.name === "Ines Roy").toBe(changed);
      if (bought === "201" && other === "200") {
        // The change came first, and the purchase was made after it, at the new weight's price.
        expect([status, changed]).toEqual(["purchased", true]);
        const { cost, selected_rate } = await account.show(shipment.id);
        expect(selected_rate).toMatchObject({ total: cost!.total, billable_weight: { value: 11 } });
      } else if (bought === "201") {
        expect(["409 already_labelled", "409 purchase_pending"]).toContain(other);
        expect([status, changed]).toEqual(["purchased", false]);
      } else {
        expect([bought, other]).toEqual(["409 conflict", "200"]);
        expect([status, changed]).toEqual(["draft", true]);
      }
      expect(await soldLabels(world, shipment.id)).toBe(status === "purchased" ? 1 : 0);
    }
  },
);

test.each([0, 60])(
  "buy ∥ DELETE, the carrier taking %i ms more: gone unpaid, or bought, or bought and voided",
  async (latency) => {
    const races = await race((account, id) => account.delete(`/shipments/${id}`), latency);
    await untilAtRest(world.db);
    for (const { account, shipment, bought, other } of races) {
      const shown = await account.get<DataOf<Shipment> & Failure>(`/shipments/${shipment.id}`);
      if (other === "204") {
        expect(bought).toBe("404 not_found");
        expect(shown.status).toBe(404);
        expect(await soldLabels(world, shipment.id)).toBe(0);
        expect(await account.balanceCents()).toBe(openingCents);
      } else {
        expect(bought).toBe("201");
        expect(["200", "409 purchase_pending"]).toContain(other);
        expect(shown.body.data.status).toBe(other === "200" ? "voided" : "purchased");
        expect(await soldLabels(world, shipment.id)).toBe(1);
      }
    }
  },
);

test("20 parallel voids of one label: one void at the carrier, one refund", async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const { id } = await account.create(aShipment());
  await account.bought(id);
  const replies = await times(20, () => account.post(`/shipments/${id}/void`));
  for (const outcome of Object.keys(countOutcomes(replies)))
    expect(["200", "409 purchase_pending"]).toContain(outcome);
  await untilAtRest(world.db);
  expect(await account.balanceCents()).toBe(openingCents);
  const references = await referencesOf(world.db, id);
  const voids = (await readJournal(world)).filter(
    ({ operation, reference }) => operation === "void" && references.includes(reference),
  );
  expect(voids).toHaveLength(1);
});

test("POST /labels 30 times at once with one key: one shipment, one label", async () => {
  const account = await anAccount(world, { balance_cents: openingCents });
  const body = { ...aShipment(), service: "cheapest" };
  const key = { "idempotency-key": "create-and-buy" };
  const replies = await times(30, () => account.post<DataOf<Purchase>>("/labels", body, key));
  const bought = replies.filter(({ status }) => status === 201);
  expect(new Set(bought.map(({ bytes }) => bytes.toString("base64"))).size).toBe(1);
  const { data } = must(await account.get<DataOf<Shipment[]>>("/shipments"), 200);
  expect(data).toHaveLength(1);
  expect(await soldLabels(world, data[0]!.id)).toBe(1);
});
