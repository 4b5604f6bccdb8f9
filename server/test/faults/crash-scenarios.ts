import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { vi, expect } from "vitest";
import type { CrashPoint } from "../../src/domain/scheduling/step.ts";
import type { DataOf, Pickup, Reply } from "../client.ts";
import { aLabelled, cancel, schedule } from "../pickups.ts";
import { aLabelOf, handOver } from "../manifests.ts";
import { aFreight, shop } from "../freight-shipments.ts";
import { aShipment, aSteeredShipment, ottawa, type ShipmentEntry } from "../shipments.ts";
import { anAccount, type TestAccount } from "../world.ts";
import type { RealCarrier } from "../real-connections.ts";
import { connectedScenarios } from "./connected-scenarios.ts";
import type { Rig } from "./crash-rig.ts";
import type { Exchange } from "./faulty-carrier.ts";
import { committed, edited } from "./spoiled-responses.ts";

/** What is under way when something is killed, and the points at which it can be. */
export interface Scenario {
  /** The crash points that it passes, in order. */
  points: readonly CrashPoint[];
  /** Of the operation that passes them. */
  kind: string;
  /** Prepares all that comes before the strike. */
  begin(rig: Rig): Promise<Scene>;
  /** How the client's retries end, once all is running again. */
  ends: string;
  /** It is like another scenario, with other work in the steps: by default a part of it is enough. */
  is_sampled?: boolean;
  /** The one carrier that there is a connection with; none when absent. */
  connected?: RealCarrier;
}

export interface Scene {
  account: TestAccount;
  /** The client's call, under one key; through another process with `by`. Rejects without a response. */
  call(by?: TestAccount): Promise<Reply<unknown>>;
  /** For what comes after the call: it is waited for, and the target is held only then. */
  prepared?(answer: Promise<unknown>): Promise<void>;
  /** The call was made and answered in `begin`: the strike is at the platform's background work. */
  is_asked?: boolean;
  /** Ends the carriers' faults. */
  mend(): void;
}

const openingCents = 40_000;
const nothing = () => undefined;

/** A draft, and the purchase of its label under a key: the cheapest, unless another service is named. */
async function aPurchase(
  rig: Rig,
  entry: ShipmentEntry = aShipment(),
  service = "cheapest",
): Promise<Scene> {
  const account = await anAccount(rig, { balance_cents: openingCents });
  const { id } = await account.create(entry);
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  await account.rates(id);
  const call = (by = account) => by.buy(id, { service }, key);
  return { account, call, mend: nothing };
}

/** The carrier resets the connection before it issues the label. Its late `forward` is a late issue. */
async function anUnsoldPurchase(rig: Rig): Promise<Scene & { exchange(): Exchange }> {
  const scene = await aPurchase(rig);
  let lost: Exchange | null = null;
  const spoiled = rig.carriers.faulty.spoil(
    { who: scene.account.account_id, operation: "purchase" },
    (exchange) => {
      lost ??= exchange;
      exchange.reset();
    },
    1,
  );
  return { ...scene, mend: spoiled.lift, exchange: () => lost! };
}

/** The label differs from the request, and stays so. */
async function aFlawedPurchase(rig: Rig, service?: string): Promise<Scene> {
  const scene = await aPurchase(rig, aShipment(), service);
  const flaw = edited((data) => {
    data["currency"] = "USD";
  });
  const spoils = (["purchase", "look_up"] as const).map((operation) =>
    rig.carriers.faulty.spoil({ who: scene.account.account_id, operation }, flaw),
  );
  return { ...scene, mend: () => spoils.forEach(({ lift }) => lift()) };
}

/** Marked absent, and issued after all: the watch finds it. */
async function aLateSale(rig: Rig): Promise<Scene> {
  const scene = await anUnsoldPurchase(rig);
  const { account_id } = scene.account;
  await scene.call();
  await vi.waitFor(
    async () => {
      const { rows } = await sql`SELECT FROM attempts
        WHERE account_id = ${account_id} AND status = 'absent'`.execute(rig.db);
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000, interval: 20 },
  );
  await scene.exchange().forward();
  return {
    ...scene,
    is_asked: true,
    // The watch polls after a minute; the test does not wait that long.
    async prepared() {
      await sql`UPDATE attempts SET look_at = now() + interval '500 milliseconds'
        WHERE account_id = ${account_id} AND status = 'absent'`.execute(rig.db);
    },
  };
}

async function aVoid(rig: Rig): Promise<Scene> {
  const account = await anAccount(rig, { balance_cents: openingCents });
  const { id } = await account.create(aShipment());
  await account.bought(id);
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  const call = (by = account) => by.post(`/shipments/${id}/void`, {}, key);
  return { account, call, mend: nothing };
}

/** The carrier voids, and its response is lost. */
async function anUnheardVoid(rig: Rig): Promise<Scene> {
  const scene = await aVoid(rig);
  const lost = committed(({ reset }) => reset());
  const calls = { who: scene.account.account_id, operation: "void" } as const;
  return { ...scene, mend: rig.carriers.faulty.spoil(calls, lost, 1).lift };
}

/** Two carriers of one pickup, called under one key. */
async function aPickup(rig: Rig): Promise<Scene> {
  const account = await anAccount(rig, { balance_cents: openingCents });
  // On a busy machine a purchase may not be sent in time, the lease being short.
  const bought = (carrier: "ups" | "purolator") =>
    vi.waitFor(() => aLabelled(account, carrier), { timeout: 20_000, interval: 100 });
  const shipment_ids = [await bought("ups"), await bought("purolator")];
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  const call = (by = account) => schedule(by, { shipment_ids }, key);
  return { account, call, mend: nothing };
}

async function aPickupCancel(rig: Rig): Promise<Scene> {
  const { account, call: book } = await aPickup(rig);
  const { body } = (await book()) as Reply<DataOf<Pickup>>;
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  const call = (by = account) => cancel(by, body.data.id, key);
  return { account, call, mend: nothing };
}

/** Labels from two places, which are two calls under one key. Of one the answer may be lost. */
async function aManifest(rig: Rig, steering: string | null = null): Promise<Scene> {
  const account = await anAccount(rig, { balance_cents: openingCents });
  const bought = (address2: string | null, address1: string) =>
    vi.waitFor(() => aLabelOf(account, { ...ottawa, address1, address2 }), {
      timeout: 20_000,
      interval: 100,
    });
  const shipment_ids = [
    await bought(steering, ottawa.address1),
    await bought(null, "90 Elgin Street"),
  ];
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  const call = (by = account) => handOver(by, shipment_ids, key);
  return { account, call, mend: nothing };
}

/** Freight and its booking under a key; the documents are drawn before it is settled. */
async function aBooking(rig: Rig, steering: string | null = null): Promise<Scene> {
  const account = await anAccount(rig, { balance_cents: 500_000 });
  const { id } = await account.create(aFreight({ to_address: { ...shop, address2: steering } }));
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  const call = (by = account) => by.buy(id, { service: "cheapest" }, key);
  return { account, call, mend: nothing };
}

/** A booking that stands, and its cancellation. With `sim:lost_answer` neither gets a response at once. */
async function aCancelling(rig: Rig, steering: string | null = null): Promise<Scene> {
  const account = await anAccount(rig, { balance_cents: 500_000 });
  const { id } = await account.create(aFreight({ to_address: { ...shop, address2: steering } }));
  await account.buy(id, { service: "cheapest" });
  // The observer recovers nothing now, and the target is not held yet.
  await vi.waitFor(async () => expect((await account.show(id)).status).toBe("booked"), {
    timeout: 20_000,
    interval: 20,
  });
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  const call = (by = account) => by.post(`/ltl/${id}/cancel`, {}, key);
  return { account, call, mend: nothing };
}

async function aTopUp(rig: Rig, payment_method_id = "pm_card_visa"): Promise<Scene> {
  const account = await anAccount(rig, { balance_cents: 0 });
  const key = { "idempotency-key": `crash-${randomUUID()}` };
  const call = (by = account) =>
    by.post("/credits/top-up", { amount: 61.23, payment_method_id }, key);
  return { account, call, mend: nothing };
}

/** Recovery polls every second, usually without work: it is held once there is some. */
const afterAnswer = (scene: Scene): Scene => ({
  ...scene,
  async prepared(answer) {
    await answer;
  },
});

const purchase = { kind: "label_purchase", ends: "201" } as const;
const manifest = { kind: "manifest", ends: "201" } as const;
const cancelling = { kind: "ltl_cancel", ends: "200", is_sampled: true } as const;
const topUp = { kind: "top_up", ends: "201" } as const;

export const scenarios: Record<string, Scenario> = {
  ...connectedScenarios,
  "a purchase": {
    ...purchase,
    points: ["before begin", "before send", "before keep", "before settle", "after settle"],
    begin: aPurchase,
  },
  "a refused purchase": {
    ...purchase,
    points: ["before mark_not_executed", "after mark_not_executed"],
    begin: (rig) => aPurchase(rig, aSteeredShipment("sim:refuse")),
    ends: "502 carrier_error",
  },
  "a purchase whose response is lost": {
    ...purchase,
    points: ["before suspend", "before look_up", "before keep", "before settle", "after settle"],
    begin: (rig) => aPurchase(rig, aSteeredShipment("sim:lost_answer")),
  },
  "the take-over of a lost response": {
    kind: "*",
    ends: "201",
    points: ["before take_over"],
    begin: (rig) => aPurchase(rig, aSteeredShipment("sim:lost_answer")).then(afterAnswer),
  },
  "a purchase that never arrived": {
    ...purchase,
    points: ["before look_again", "before mark_not_executed", "after mark_not_executed"],
    begin: anUnsoldPurchase,
  },
  "a label that cannot be kept": {
    ...purchase,
    points: [
      "before look_up",
      "before mark_for_reversal",
      "before undo",
      "before mark_not_executed",
    ],
    begin: (rig) => aFlawedPurchase(rig),
  },
  "a label that was issued after it was marked absent": {
    ...purchase,
    points: [
      "before look_up",
      "before mark_for_reversal",
      "before undo",
      "before look_again",
      "after look_again",
    ],
    begin: aLateSale,
  },
  "a recovery of an absent purchase": {
    kind: "*",
    ends: "201",
    points: ["before take_over"],
    begin: aLateSale,
  },
  "a void": {
    kind: "label_void",
    ends: "200",
    points: ["before begin", "before send", "before settle", "after settle"],
    begin: aVoid,
  },
  "a void whose response is lost": {
    kind: "label_void",
    ends: "200",
    points: ["before suspend", "before look_up", "before settle"],
    begin: anUnheardVoid,
  },
  // The other carrier of the same pickup continues.
  "a pickup": {
    kind: "pickup",
    ends: "201",
    points: ["before send", "before settle"],
    begin: aPickup,
  },
  "a pickup's cancellation": {
    kind: "pickup_cancel",
    ends: "200",
    points: ["before settle"],
    begin: aPickupCancel,
  },
  "a manifest": {
    ...manifest,
    points: ["before begin", "before send", "after send", "before settle", "after settle"],
    begin: aManifest,
  },
  "a manifest whose response is lost": {
    ...manifest,
    points: ["before suspend", "before look_up", "before settle"],
    begin: (rig) => aManifest(rig, "sim:lost_answer"),
  },
  "a booking": {
    ...purchase,
    is_sampled: true,
    points: ["before begin", "before send", "before keep", "before settle", "after settle"],
    begin: aBooking,
  },
  "a booking whose response is lost": {
    ...purchase,
    is_sampled: true,
    points: ["before suspend", "before look_up", "before keep", "before settle"],
    begin: (rig) => aBooking(rig, "sim:lost_answer"),
  },
  "the cancellation of a booking": {
    ...cancelling,
    points: ["before begin", "before send", "before settle", "after settle"],
    begin: aCancelling,
  },
  "a cancellation whose response is lost": {
    ...cancelling,
    points: ["before suspend", "before look_up", "before settle"],
    begin: (rig) => aCancelling(rig, "sim:lost_answer"),
  },
  "a top-up": {
    ...topUp,
    points: ["before begin", "before send", "before settle", "after settle"],
    begin: aTopUp,
  },
  "a declined top-up": {
    ...topUp,
    points: ["before mark_not_executed", "after mark_not_executed"],
    begin: (rig) => aTopUp(rig, "pm_card_declined"),
    ends: "402 payment_failed",
  },
  "a purchase that a lookup shows late and never disproves": {
    ...purchase,
    points: [
      "before suspend",
      "before look_up",
      "before look_again",
      "after look_again",
      "before keep",
      "before settle",
    ],
    begin: (rig) => aPurchase(rig, aSteeredShipment("sim:lost_answer;lag=fedex:5"), "fedex.ground"),
  },
  "a label whose file is late": {
    ...purchase,
    points: ["before keep", "before settle", "after settle"],
    begin: (rig) => aPurchase(rig, aSteeredShipment("sim:late_file=*:3")),
  },
  "a label whose price is not told": {
    ...purchase,
    is_sampled: true,
    points: ["before keep", "before settle", "after settle"],
    begin: (rig) => aPurchase(rig, aSteeredShipment("sim:late_price=*")),
  },
  // Whether it was voided shows in a lookup, too, which proves nothing else.
  "a flawed label that a lookup never disproves": {
    ...purchase,
    points: ["before mark_for_reversal", "before undo", "before mark_not_executed"],
    begin: (rig) => aFlawedPurchase(rig, "fedex.ground"),
  },
  "a flawed label of a carrier without a void": {
    ...purchase,
    points: ["before look_up", "before keep", "before settle", "after settle"],
    begin: (rig) => aFlawedPurchase(rig, "purolator.ground"),
  },
  "a purchase that is answered by an empty 200": {
    ...purchase,
    points: ["before suspend", "before look_up", "before settle"],
    begin: (rig) => aPurchase(rig, aSteeredShipment("sim:empty_ok=*")),
  },
  "a top-up whose response is lost": {
    ...topUp,
    points: ["before suspend", "before look_up", "before settle"],
    begin: (rig) => aTopUp(rig, "pm_card_lost_answer"),
  },
};
