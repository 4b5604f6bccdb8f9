import {
  outcomeOf,
  type DataOf,
  type Pickup,
  type Reply,
  type Shipment,
  type TopUp,
} from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { labelsIn, readJournal, referencesOf, type JournalEntry } from "../invariants.ts";
import { aLabelled, cancel, schedule, scheduled } from "../pickups.ts";
import { aShipment, boston, type ShipmentEntry } from "../shipments.ts";
import { anAccount, must, type TestAccount } from "../world.ts";
import type { Cell } from "./cell.ts";
import type { FaultyWorld } from "./faulty-world.ts";

/** The client's calls in a cell, before and while the fault strikes. */

/** The state of a cell in the ledger, the shipment and the carriers, each with fields of its own. */
type State = Record<string, unknown>;

export interface Scene {
  account: TestAccount;
  /** The id by which the proxy recognises the calls of this cell. */
  who: string;
  /** The client's one call, always with the same key. */
  act(): Promise<Reply<unknown>>;
  outcome(reply: Reply<unknown>): string;
  /** The outcome of a call that did it. */
  done: string;
  state(): Promise<State>;
  states: Record<"done" | "not_done", State>;
}

const openingCents = 30_000;
const key = { "idempotency-key": "the one key" };

export const scenes: Record<
  Cell["scenario"],
  (world: FaultyWorld, cell: Cell, place: number) => Promise<Scene>
> = {
  async purchase(world, cell) {
    const { account, shipment, service } = await aDraft(world, cell);
    const sums = () => labelState(world, account, shipment.id);
    return {
      account,
      who: account.account_id,
      act: () => account.buy(shipment.id, { service }, key),
      outcome: outcomeOf,
      done: "201",
      state: sums,
      states: {
        done: { status: "purchased", live_labels: 1, paid: true, held: 0 },
        not_done: { status: "draft", live_labels: 0, paid: false, held: 0 },
      },
    };
  },

  async void(world, cell) {
    const { account, shipment, service } = await aDraft(world, cell);
    await account.bought(shipment.id, { service });
    return {
      account,
      who: account.account_id,
      act: () => account.post(`/shipments/${shipment.id}/void`, undefined, key),
      outcome: outcomeOf,
      done: "200",
      state: () => labelState(world, account, shipment.id),
      states: {
        done: { status: "voided", live_labels: 0, paid: false, held: 0 },
        not_done: { status: "purchased", live_labels: 1, paid: true, held: 0 },
      },
    };
  },

  async top_up(world, _cell, place) {
    const account = await anAccount(world, { balance_cents: 0 });
    // The processor gets no account: the amount distinguishes the cells.
    const cents = 100_000 + 1_000 * place;
    return {
      account,
      who: String(cents),
      act: () => account.post("/credits/top-up", { amount: cents / 100 }, key),
      outcome(reply) {
        const { data } = reply.body as Partial<DataOf<TopUp>>;
        return data ? `${reply.status} ${data.status}` : outcomeOf(reply);
      },
      done: "201 succeeded",
      state: async () => ({
        balance: await account.balanceCents(),
        kept: await keptCents(world, cents),
      }),
      states: { done: { balance: cents, kept: cents }, not_done: { balance: 0, kept: 0 } },
    };
  },

  async pickup(world) {
    const account = await anAccount(world, { balance_cents: openingCents });
    const shipment_ids = [await aLabelled(account, "ups")];
    const paid = await account.balanceCents();
    return {
      account,
      who: account.account_id,
      act: () => schedule(account, { shipment_ids }, key),
      outcome: outcomeOfPickup,
      done: "201 confirmed",
      state: () => driverState(world, account, paid),
      states: { done: comes, not_done: staysAway },
    };
  },

  async call_off(world) {
    const account = await anAccount(world, { balance_cents: openingCents });
    const id = await aLabelled(account, "ups");
    const paid = await account.balanceCents();
    const pickup = await scheduled(account, id);
    return {
      account,
      who: account.account_id,
      act: () => cancel(account, pickup.id, key),
      outcome: outcomeOf,
      done: "200",
      state: () => driverState(world, account, paid),
      states: { done: staysAway, not_done: comes },
    };
  },

  async booking(world) {
    const account = await anAccount(world, { balance_cents: freightCents });
    const { id } = await account.create(aFreight());
    await account.rates(id);
    return {
      account,
      who: account.account_id,
      act: () => account.buy(id, { service: truck }, key),
      outcome: outcomeOf,
      done: "201",
      state: () => truckState(world, account, id),
      states: { done: booked, not_done: { ...unbooked, status: "draft" } },
    };
  },

  async cancel(world) {
    const account = await anAccount(world, { balance_cents: freightCents });
    const { id } = await account.create(aFreight());
    must(await account.buy(id, { service: truck }), 201);
    return {
      account,
      who: account.account_id,
      act: () => account.post(`/ltl/${id}/cancel`, undefined, key),
      outcome: outcomeOf,
      done: "200",
      state: () => truckState(world, account, id),
      states: { done: { ...unbooked, status: "cancelled" }, not_done: booked },
    };
  },
};

function outcomeOfPickup(reply: Reply<unknown>): string {
  const { data } = reply.body as Partial<DataOf<Pickup>>;
  return data ? `${reply.status} ${data.status}` : outcomeOf(reply);
}

const comes = { drivers: 1, paid: true, in_pickup: true, held: 0 };
const staysAway = { drivers: 0, paid: false, in_pickup: false, held: 0 };

/** The pickups in the carrier's journal, and the state of the account and its one shipment. */
async function driverState(
  world: FaultyWorld,
  account: TestAccount,
  without_cents: number,
): Promise<State> {
  const ofUs = (entry: JournalEntry & { account_id?: string }) =>
    entry.account_id === account.account_id;
  const journal = await readJournal(world);
  const asked = journal.filter((entry) => entry.operation === "pickup" && ofUs(entry));
  const off = journal.filter(({ operation }) => operation === "pickup_cancel");
  const live = asked.filter(({ pickup_id }) => !off.some((entry) => entry.pickup_id === pickup_id));
  const [shipment] = (await account.get<{ data: Shipment[] }>("/shipments")).body.data;
  const { held } = await account.balance();
  return {
    drivers: live.length,
    paid: (await account.balanceCents()) < without_cents,
    in_pickup: shipment!.pickup_id !== null,
    held,
  };
}

const truck = "day_ross.domestic_standard";
const freightCents = 500_000;
const booked = { live_bookings: 1, paid: true, held: 0, status: "booked" };
const unbooked = { live_bookings: 0, paid: false, held: 0 };

async function truckState(world: FaultyWorld, account: TestAccount, id: string): Promise<State> {
  const { status } = await account.show(id);
  const { held } = await account.balance();
  const journal = await readJournal(world);
  const off = journal.filter(({ operation }) => operation === "ltl_cancel");
  const live = labelsIn(journal, await referencesOf(world.db, id)).filter(
    ({ booking_id }) => !off.some((entry) => entry.booking_id === booking_id),
  );
  const paid = (await account.balanceCents()) < freightCents;
  return { live_bookings: live.length, paid, held, status };
}

/** A draft on a lane of the cell's carrier, and that carrier's cheapest service on it. */
async function aDraft(world: FaultyWorld, { carrier }: Cell) {
  const account = await anAccount(world, { balance_cents: openingCents });
  const shipment = await account.create(carrier === "usps" ? withinTheStates : aShipment());
  const { data } = await account.rates(shipment.id);
  const { service } = data.find((rate) => rate.carrier.code === carrier)!;
  return { account, shipment, service };
}

const withinTheStates: ShipmentEntry = aShipment({
  from_address: { ...boston, name: "Back Bay Books" },
  to_address: {
    ...boston,
    address1: "1 Pike Street",
    city: "Seattle",
    province_code: "WA",
    postal_code: "98101",
  },
});

async function labelState(
  world: FaultyWorld,
  account: TestAccount,
  shipmentId: string,
): Promise<State> {
  const { status } = (await account.get<DataOf<Shipment>>(`/shipments/${shipmentId}`)).body.data;
  const { held } = await account.balance();
  const journal = await readJournal(world);
  const references = await referencesOf(world.db, shipmentId);
  const voided = journal.filter(({ operation }) => operation === "void").map((v) => v.reference);
  const live = labelsIn(journal, references).filter(({ reference }) => !voided.includes(reference));
  return {
    status,
    live_labels: live.length,
    paid: (await account.balanceCents()) < openingCents,
    held,
  };
}

/** The processor's charges less refunds, over all charges of about this amount. */
async function keptCents(world: FaultyWorld, cents: number): Promise<number> {
  const journal = await readJournal(world);
  const charges = journal.filter((e) => e.operation === "charge" && e.amount_cents === cents);
  const references = charges.map(({ reference }) => reference);
  const refunds = journal.filter(
    (e) => e.operation === "charge_refund" && references.includes(e.charge_reference ?? ""),
  );
  const sum = (entries: typeof journal) =>
    entries.reduce((total, { amount_cents = 0 }) => total + amount_cents, 0);
  return sum(charges) - sum(refunds);
}
