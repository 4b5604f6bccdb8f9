import { afterEach, beforeEach, expect, test } from "vitest";
import { CarrierError, type Carrier } from "../../src/carriers/carrier.ts";
import { json } from "../../src/database/tables.ts";
import { lineOf } from "../../src/reconcile/finding.ts";
import { aClient, type DataOf, type Purchase, type TopUp } from "../client.ts";
import { assertInvariants, readJournal, type JournalEntry } from "../invariants.ts";
import { aLabelled, scheduled, showPickup } from "../pickups.ts";
import { actionsOf, reborn, reconcileHere, twoLives, type TwoLives } from "../set-back.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { anAccount, must, setDials, type TestAccount, type World } from "../world.ts";

/**
 * Findings that a reconciliation cannot decide by itself keep the database from being reconciled, until a
 * person has decided; and carriers' records of the past apply, not their present prices.
 */

const service = "ups.standard";

let lives: TwoLives;
let shop: TestAccount;
beforeEach(async () => {
  lives = await twoLives();
  shop = await anAccount(lives.first, { balance_cents: 100_000 });
});
afterEach(() => lives.close());

async function setBack(): Promise<World> {
  const second = await lives.setBack();
  shop = reborn(second, shop);
  return second;
}

async function isReconciled({ db }: World): Promise<boolean> {
  const restores = await db.selectFrom("restores").select("reconciled_at").execute();
  return restores.every(({ reconciled_at }) => reconciled_at !== null);
}

/** The carriers, one of them changed. */
const changing = (code: string, change: (carrier: Carrier) => Partial<Carrier>) => ({
  carriers: (all: readonly Carrier[]) =>
    all.map((carrier) =>
      carrier.descriptor.code === code ? { ...carrier, ...change(carrier) } : carrier,
    ),
});

test("a carrier that cannot list its labels, or is unavailable, is left open until it is accepted or answers", async () => {
  await lives.backUp();
  const second = await setBack();
  const silent = changing("fedex", ({ descriptor }) => ({
    descriptor: { ...descriptor, listsLabels: false },
    listLabels: () => Promise.reject(new Error("it was called all the same")),
  }));
  await setDials(second, { ups: { error_rate: 1, operations: ["look_ups"] } });
  const report = await reconcileHere(second, silent);
  expect(report.is_resolved).toBe(false);
  expect(actionsOf(report)).toEqual([
    "party cannot list what it sold: compare its labels with the shipments: by_hand, left",
    expect.stringMatching(/^party could not be asked \(.+\): wait, left$/),
  ]);
  await setDials(second, {});
  expect((await reconcileHere(second, silent)).is_resolved).toBe(false);
  expect(await isReconciled(second)).toBe(false);
  expect((await reconcileHere(second, { ...silent, accepted: ["fedex"] })).is_resolved).toBe(true);
  expect(await isReconciled(second)).toBe(true);
});

test("a label that its carrier refuses to void is a person's to settle, and its carrier is not asked again", async () => {
  await lives.backUp();
  const body = { ...aSteeredShipment("sim:used_label"), service };
  must(await shop.post<DataOf<Purchase>>("/labels", body), 201);
  const second = await setBack();
  const first = await reconcileHere(second);
  expect(first.is_resolved).toBe(false);
  // The carrier takes the first void, and rejects it then.
  const lost = first.findings.find(({ action }) => action === "by_hand")!;
  expect(lost.found).toMatch(/; ups refused to void it, and bills it \(.*was used.*\)$/);
  expect(lineOf(lost, lost.outcome)).toMatch(
    `settle it by hand, then run this with --accept ${lost.reference}`,
  );
  const tries = await triesOf(second);
  expect(tries.at(-1)).toMatchObject({ status: "refused" });
  for (const is_dry_run of [false, true]) {
    const again = await reconcileHere(second, { is_dry_run });
    expect(again.is_resolved).toBe(false);
    expect(again.findings).toContainEqual(is_dry_run ? { ...lost, outcome: "planned" } : lost);
  }
  expect(await triesOf(second)).toEqual(tries);
  expect((await reconcileHere(second, { accepted: [lost.reference] })).is_resolved).toBe(true);
});

/** The attempts at voiding labels without an owner. */
function triesOf({ db }: World) {
  const attempts = db.selectFrom("attempts").select(["id", "status"]).orderBy("sent_at");
  return attempts.where("kind", "=", "stray_label_void").execute();
}

test("a label is voided at the next run where its carrier refused the credentials alone", async () => {
  await lives.backUp();
  must(await shop.post<DataOf<Purchase>>("/labels", { ...aShipment(), service }), 201);
  const second = await setBack();
  const locked = changing("ups", () => ({
    async voidLabel() {
      const message = "UPS does not accept our credentials.";
      const exclusion = "carrier_credentials_invalid";
      const refusal = { carrier: "ups", carrier_code: "250002", message, exclusion } as const;
      throw new CarrierError({ kind: "refused", ...refusal });
    },
  }));
  const report = await reconcileHere(second, locked);
  expect(actionsOf(report)).toContainEqual(
    "label was missing here, and its shipment is not known here: void, UPS does not accept our credentials.",
  );
  expect(report.is_resolved).toBe(false);
  expect((await reconcileHere(second)).is_resolved).toBe(true);
});

test("charges that others refunded are left to a person", async () => {
  const pay = async (amount: number) =>
    must(await shop.post<DataOf<TopUp>>("/credits/top-up", { amount }), 201);
  await pay(30);
  await lives.backUp();
  await pay(40);
  await pay(50);
  const [known, forgotten, whole] = (await journalOf("charge")) as [
    JournalEntry,
    JournalEntry,
    JournalEntry,
  ];
  for (const { reference, amount_cents } of [
    { ...known, amount_cents: 100 },
    { ...forgotten, amount_cents: 100 },
    { ...whole, amount_cents: 5000 },
  ]) {
    const refund = { reference: `by-hand-${reference}`, charge_reference: reference, amount_cents };
    must(await aClient(lives.first.simulator_url, "").post("/payments/refunds", refund), 201);
  }
  const second = await setBack();
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "charge was missing here, and refunded in part: by_hand, left",
    "charge was missing here, and was refunded since: nothing, left",
    "charge was refunded at the processor, in part or whole, and is credited here: by_hand, left",
  ]);
  expect(report.is_resolved).toBe(false);
  const accepted = [known.reference, forgotten.reference];
  expect((await reconcileHere(second, { accepted })).is_resolved).toBe(true);
  expect(await shop.balanceCents()).toBe(103_000);
});

async function journalOf(operation: string): Promise<JournalEntry[]> {
  return (await readJournal(lives.first)).filter((entry) => entry.operation === operation);
}

test("a purchase that is absent here and live at its carrier is voided there", async () => {
  const { id } = await shop.create(aShipment());
  await lives.backUp();
  await shop.bought(id, { service });
  must(await shop.post("/credits/top-up", { amount: 25 }), 201);
  const second = await setBack();
  for (const { operation, reference, carrier } of await readJournal(second)) {
    await second.db
      .insertInto("attempts")
      .values({
        account_id: shop.account_id,
        id: reference,
        reference,
        subject_id: id,
        party: carrier,
        kind: operation === "label" ? "label_purchase" : "top_up",
        status: "refused",
        input: json({}),
        sent_at: new Date(),
        look_at: null,
        resolved_at: new Date(),
        holder_id: null,
        idempotency_key: null,
        failure: null,
      })
      .execute();
  }
  const report = await reconcileHere(second);
  expect(actionsOf(report)).toEqual([
    "charge was marked not executed here: refund, done",
    "label was marked not executed here and is live there: void, done",
  ]);
  expect(report.is_resolved).toBe(true);
  await assertInvariants(second);
});

test("a label that is void here and live there is voided there again", async () => {
  const { id } = await shop.create(aShipment());
  await shop.bought(id, { service });
  must(await shop.post(`/shipments/${id}/void`), 200);
  await lives.backUp();
  const second = await setBack();
  let voids = 0;
  // A carrier that has lost the void until it is sent again.
  const forgetful = changing("ups", (ups) => ({
    async listLabels(request, signal) {
      const page = await ups.listLabels(request, signal);
      const labels = page.labels.map((label) => ({
        ...label,
        voided: voids > 0,
        refund: "none" as const,
      }));
      return { ...page, labels };
    },
    async voidLabel(request, signal) {
      voids += 1;
      return ups.voidLabel(request, signal);
    },
  }));
  const report = await reconcileHere(second, forgetful);
  expect(actionsOf(report)).toEqual(["label is void here and live there: void, done"]);
  expect(report.is_resolved).toBe(true);
  await assertInvariants(second);
});

test("a missing label costs what it cost, whatever its carrier charges today", async () => {
  const { id } = await shop.create(aShipment());
  await lives.backUp();
  const { cost } = await shop.bought(id, { service });
  const balance = await shop.balanceCents();
  const second = await setBack();
  const dearer = changing("ups", (ups) => ({
    async quote(request, signal) {
      const quote = await ups.quote(request, signal);
      const rates = quote.rates.map((rate) => ({ ...rate, base_cents: rate.base_cents + 700 }));
      return { ...quote, rates };
    },
  }));
  expect((await reconcileHere(second, dearer)).is_resolved).toBe(true);
  expect((await shop.show(id)).cost).toEqual(cost);
  expect(await shop.balanceCents()).toBe(balance);
  await assertInvariants(second);
});

test("a moment after the backup is refused as the start", async () => {
  await lives.backUp();
  const second = await setBack();
  await expect(reconcileHere(second, { since: new Date() })).rejects.toThrow("may be missing, too");
  const longAgo = new Date(Date.now() - 86_400_000);
  expect((await reconcileHere(second, { since: longAgo })).is_resolved).toBe(true);
});

test("an item that a carrier lists twice is one", async () => {
  const { id } = await shop.create(aShipment());
  const fetched = await aLabelled(shop, "ups");
  await lives.backUp();
  const { tracking_code } = await shop.bought(id, { service });
  const pickup = await scheduled(shop, fetched);
  const second = await setBack();
  const twice = changing("ups", (ups) => ({
    async listLabels(request, signal) {
      const page = await ups.listLabels(request, signal);
      return { ...page, labels: [...page.labels, ...page.labels] };
    },
    pickups: {
      ...ups.pickups!,
      async list(request, signal) {
        const page = await ups.pickups!.list(request, signal);
        return { ...page, pickups: [...page.pickups, ...page.pickups] };
      },
    },
  }));
  const report = await reconcileHere(second, twice);
  expect(actionsOf(report)).toEqual([
    "label was missing here: rebook, done",
    "pickup was missing here: rebook, done",
  ]);
  expect(report.is_resolved).toBe(true);
  expect(await shop.show(id)).toMatchObject({ status: "purchased", tracking_code });
  expect((await showPickup(shop, pickup.id)).status).toBe("confirmed");
  await assertInvariants(second);
});

test("a carrier whose list never ends counts as unavailable", async () => {
  await lives.backUp();
  const second = await setBack();
  const endless = changing("ups", () => ({
    listLabels: async () => ({ labels: [], next_cursor: "1" }),
  }));
  const report = await reconcileHere(second, endless);
  expect(actionsOf(report)).toEqual(["party could not be asked (its list never ends): wait, left"]);
});
