import { afterAll, beforeAll, expect, test } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { carrierRegister, createCarriers } from "../../src/carriers/register.ts";
import { toCents } from "../../src/domain/values/money.ts";
import { outcomeOf, type DataOf, type Purchase, type TopUp } from "../client.ts";
import { assertInvariants, readJournal } from "../invariants.ts";
import { adjust } from "../adjust.ts";
import {
  actionsOf,
  liveCodes,
  reborn,
  reconcileCli,
  twoLives,
  type ReconcileReport,
  type TwoLives,
} from "../set-back.ts";
import { aFreight } from "../freight-shipments.ts";
import { aShipment, aSteeredShipment, parcel } from "../shipments.ts";
import { anAccount, must, type TestAccount, type World } from "../world.ts";

/**
 * A platform that is set back to its backup while the carriers and the card processor kept everything:
 * `waybill reconcile` makes the two agree, to the cent, and no earlier key buys a second time. The
 * tests are one scenario, in order.
 */

const service = "ups.standard";
const truck = "day_ross.domestic_standard";
const keyed = (key: string) => ({ "idempotency-key": key });

let lives: TwoLives;
let shop: TestAccount;
let poor: TestAccount;
let before: Awaited<ReturnType<typeof liveUntilTheBackup>>;
let after: Awaited<ReturnType<typeof liveOn>>;
let second: World;
/** The calls that UPS holds until the backup is taken, and that it received one. */
let slow: "buyLabel" | "quote" | null = null;
const asked = {
  buyLabel: Promise.withResolvers<void>(),
  quote: Promise.withResolvers<void>(),
};
const backedUp = Promise.withResolvers<void>();
beforeAll(async () => {
  const carriers = (simulator_url: string) =>
    carrierRegister(createCarriers({ simulator_url }).all.map(slowable));
  lives = await twoLives({ carriers });
  shop = await anAccount(lives.first, { balance_cents: 300_000 });
  poor = await anAccount(lives.first, { balance_cents: 0 });
  before = await liveUntilTheBackup();
  await lives.backUp();
  backedUp.resolve();
  after = await liveOn();
  second = await lives.setBack();
  shop = reborn(second, shop);
  poor = reborn(second, poor);
});
afterAll(() => lives.close());

function slowable(carrier: Carrier): Carrier {
  if (carrier.descriptor.code !== "ups") return carrier;
  const stay = async (kind: "buyLabel" | "quote") => {
    if (slow !== kind) return;
    asked[kind].resolve();
    await backedUp.promise;
  };
  return {
    ...carrier,
    async quote(request, signal) {
      await stay("quote");
      return carrier.quote(request, signal);
    },
    async buyLabel(request, signal) {
      await stay("buyLabel");
      return carrier.buyLabel(request, signal);
    },
  };
}

async function liveUntilTheBackup() {
  const draft = async (entry: Parameters<typeof shop.create>[0] = aShipment()) =>
    (await shop.create(entry)).id;
  const ids = {
    bought: await draft(),
    bought_and_voided: await draft(),
    changed_and_bought: await draft(),
    removed: await draft(),
    bought_unheard: await draft(aSteeredShipment("sim:lost_answer")),
    voided: await draft(),
    poors: (await poor.create(aShipment())).id,
    under_way: await draft(),
    booked: await draft(aFreight()),
    cancelled: await draft(aFreight()),
  };
  await shop.bought(ids.voided, { service });
  await shop.bought(ids.cancelled, { service: truck });
  // Its carrier has not responded when the backup is taken.
  slow = "buyLabel";
  const purchase = shop.buy(ids.under_way, { service }, keyed("under-way"));
  await asked.buyLabel.promise;
  // Its shipment exists when the backup is taken, and the carrier has not been called yet.
  slow = "quote";
  const creation = createAndBuy("create-early");
  await asked.quote.promise;
  const rows = await lives.first.db.selectFrom("shipments").select("id").execute();
  const early = rows.map((row) => row.id).find((each) => !Object.values(ids).includes(each))!;
  slow = null;
  return { ...ids, early, purchase, creation };
}

/** The effects that the restored database does not have. */
async function liveOn() {
  const buy = (account: TestAccount, id: string, key: string) =>
    account.buy(id, { service }, keyed(key));
  const under_way = must(await before.purchase, 201).data;
  const early = must(await before.creation, 201).data;
  const bought = must(await buy(shop, before.bought, "buy"), 201).data;
  must(await buy(shop, before.bought_and_voided, "buy-and-void"), 201);
  must(await shop.post(`/shipments/${before.bought_and_voided}/void`), 200);
  must(await shop.post(`/shipments/${before.voided}/void`), 200);
  const booked = must(await shop.buy(before.booked, { service: truck }, keyed("book")), 201).data;
  must(await shop.post(`/ltl/${before.cancelled}/cancel`), 200);
  const heavier = { packages: [{ ...parcel, weight: 3 }] };
  must(await shop.put(`/shipments/${before.changed_and_bought}`, heavier), 200);
  const changed = must(await buy(shop, before.changed_and_bought, "buy-changed"), 201).data;
  must(await shop.delete(`/shipments/${before.removed}`), 204);
  expect(outcomeOf(await buy(shop, before.bought_unheard, "buy-unheard"))).toBe(
    "409 purchase_pending",
  );
  const top_up = must(await topUp(75, "top-up"), 201).data;
  must(await topUp(20, "top-up-unheard", "pm_card_lost_answer"), 201);
  const created = must(await createAndBuy("create-and-buy"), 201).data;
  must(await adjust(lives.first, poor.account_id, { amount: 100 }), 201);
  must(await buy(poor, before.poors, "buy-poor"), 201);
  const stranger = await anAccount(lives.first, { balance_cents: 0 });
  must(await stranger.post("/credits/top-up", { amount: 60 }), 201);
  await stranger.bought((await stranger.create(aShipment())).id, { service });
  await assertInvariants(lives.first);
  const balance_cents = await shop.balanceCents();
  return { under_way, early, bought, booked, changed, top_up, created, balance_cents };
}

function topUp(amount: number, key: string, payment_method_id = "pm_card_visa") {
  const body = { amount, payment_method_id };
  return shop.post<DataOf<TopUp>>("/credits/top-up", body, keyed(key));
}

function createAndBuy(key: string) {
  const body = { ...aShipment(), service };
  return shop.post<DataOf<Purchase>>("/labels", body, keyed(key));
}

/** Each effect that the restored database does not have, the action planned, and the action taken. */
const actions = (outcome: "planned" | "done") => [
  `charge is of an account that is not known here: refund, ${outcome}`,
  `charge was missing here: rebook, ${outcome}`,
  `charge was missing here: rebook, ${outcome}`,
  `label was cancelled, which was missing here: book_void, ${outcome}`,
  `label was missing here, and its account is not known here: void, ${outcome}`,
  `label was missing here, and its account lacks ? CAD: void, ${outcome}`,
  `label was missing here, and its shipment is not here what was shipped: void, ${outcome}`,
  `label was missing here, and its shipment is not known here: void, ${outcome}`,
  `label was missing here, and voided since: nothing, left`,
  `label was missing here: rebook, ${outcome}`,
  `label was missing here: rebook, ${outcome}`,
  `label was missing here: rebook, ${outcome}`,
  `label was missing here: rebook, ${outcome}`,
  `label was voided, which was missing here: book_void, ${outcome}`,
];

test("a dry run lists the actions, and takes none of them", async () => {
  // Open attempts of the backup are looked up by the worker, restored or not.
  await expect
    .poll(async () => (await shop.show(before.under_way)).status, { timeout: 30_000 })
    .toBe("purchased");
  const there = await everythingThere();
  const report = await reconcileCli(second, "--dry-run");
  expect(actionsOf(report)).toEqual(actions("planned"));
  expect(report).toMatchObject({ status: 0 });
  expect(await everythingThere()).toEqual(there);
});

/** Rows that any action would change, and all effects committed outside. */
async function everythingThere() {
  const { db } = second;
  const shipments = await db.selectFrom("shipments").select(["id", "status"]).execute();
  const transactions = await db.selectFrom("ledger_transactions").select("id").execute();
  const attempts = await db.selectFrom("attempts").select(["id", "status"]).execute();
  const restores = await db.selectFrom("restores").selectAll().execute();
  const journal = await readJournal(second);
  return { shipments, transactions, attempts, restores, journal };
}

test("a missing effect is recorded as it happened, or reversed, to the cent", async () => {
  const report: ReconcileReport = await reconcileCli(second);
  expect(actionsOf(report)).toEqual(actions("done"));
  expect(report).toMatchObject({ status: 0 });
  await assertInvariants(second);

  const { tracking_code, cost } = await shop.show(before.bought);
  expect({ tracking_code, cost }).toEqual({
    tracking_code: after.bought.tracking_code,
    cost: after.bought.cost,
  });
  const { status, bol_number, documents } = await shop.show(before.booked);
  expect({ status, bol_number }).toEqual({ status: "booked", bol_number: after.booked.bol_number });
  for (const { url } of documents) expect((await fetch(url)).status).toBe(200);
  expect((await shop.show(before.cancelled)).status).toBe("cancelled");
  expect((await shop.show(before.bought_unheard)).status).toBe("purchased");
  expect((await shop.show(before.voided)).refund).toMatchObject({ status: "approved" });
  for (const id of [before.changed_and_bought, before.bought_and_voided, before.removed])
    expect((await shop.show(id)).status).toBe("draft");
  const label = await fetch((await shop.show(before.bought)).label_url!);
  expect(label.status).toBe(200);

  // The two labels that were voided are the only difference from the lost database.
  const undone = toCents(after.changed.cost!.total) + toCents(after.created.cost!.total);
  expect(await shop.balanceCents()).toBe(after.balance_cents + undone);
  expect(await poor.balanceCents()).toBe(0);
  expect(await (await fetch(`${second.url}/readyz`)).json()).toEqual({ status: "ready" });

  const again = await reconcileCli(second);
  expect(again).toMatchObject({ status: 0, findings: [] });
});

test("no earlier key buys, voids or charges a second time", async () => {
  const balance = await shop.balanceCents();
  const charges = await chargeCount();
  const answers = {
    bought: await shop.buy(before.bought, { service }, keyed("buy")),
    unheard: await shop.buy(before.bought_unheard, { service }, keyed("buy-unheard")),
    under_way: await shop.buy(before.under_way, { service }, keyed("under-way")),
    early: await createAndBuy("create-early"),
    voided: await shop.post(`/shipments/${before.voided}/void`),
  };
  // The keys were in the backup, or the labels named them: each has the response that it now can have.
  expect(outcomeOf(answers.unheard)).toBe("201");
  for (const name of ["bought", "under_way", "early"] as const)
    expect(must(answers[name], 201).data.tracking_code).toBe(after[name].tracking_code);
  expect(outcomeOf(answers.voided)).toBe("200");
  const shown = must(await topUp(75, "top-up"), 201).data;
  expect(shown).toMatchObject({ id: after.top_up.id, status: "succeeded", amount: 75 });
  expect(must(await topUp(20, "top-up-unheard", "pm_card_lost_answer"), 201).data).toMatchObject({
    status: "succeeded",
  });
  expect(await shop.balanceCents()).toBe(balance);
  expect(await chargeCount()).toBe(charges);
  await assertInvariants(second);
});

test("a key whose shipment is missing buys anew, because its first label was voided", async () => {
  const kept = await liveCodes(second);
  expect(kept).toHaveLength(4);
  expect(kept).not.toContain(after.created.tracking_code);
  must(await createAndBuy("create-and-buy"), 201);
  must(await shop.buy(before.changed_and_bought, { service }, keyed("buy-changed")), 201);
  must(await shop.buy(before.bought_and_voided, { service }, keyed("buy-and-void")), 201);
  expect(await liveCodes(second)).toEqual([
    ...kept,
    expect.any(String),
    expect.any(String),
    expect.any(String),
  ]);
  await assertInvariants(second);
});

async function chargeCount(): Promise<number> {
  return (await readJournal(second)).filter(({ operation }) => operation === "charge").length;
}
