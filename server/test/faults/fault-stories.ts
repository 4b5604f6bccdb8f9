import { expect, vi } from "vitest";
import { sql } from "kysely";
import { outcomeOf, type DataOf, type Reply, type Shipment, type TopUp } from "../client.ts";
import { labelsIn, readJournal, referencesOf } from "../invariants.ts";
import { aShipment, boston, type ShipmentEntry } from "../shipments.ts";
import { anAccount, type TestAccount } from "../world.ts";
import { takesItsTime, type Cell } from "./cell.ts";
import { chargeCells } from "./charge-cells.ts";
import { labelCells } from "./label-cells.ts";
import type { Spoiled } from "./faulty-carrier.ts";
import type { FaultyWorld } from "./faulty-world.ts";

/** What a client does in a cell, and what must be true of it when the fault is over. */

export interface Ending {
  /** What the client was told: at first, and at last. */
  told: string;
  problems: string[];
}

/** Every cell. Those that wait for time-outs begin first, and wait together. */
export function allCells(redirectTo: string): Cell[] {
  const cells = [...labelCells(redirectTo), ...chargeCells(redirectTo)];
  const isSlow = ({ name }: Cell) => takesItsTime.some((slow) => name.includes(slow));
  return [...cells.filter(isSlow), ...cells.filter((cell) => !isSlow(cell))];
}

const atOnce = 40;

/** Runs every cell, some at the same time. Each ends by its own promise, which never rejects. */
export function runAll(world: FaultyWorld, cells: readonly Cell[]): Map<string, Promise<Ending>> {
  const waiting = [...cells.entries()];
  const ends = cells.map(() => Promise.withResolvers<Ending>());
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, cell] = next;
      ends[place]!.resolve(
        await run(world, cell, place).catch((error: unknown) => ({
          told: "",
          problems: [String(error)],
        })),
      );
    }
  };
  for (let worker = 0; worker < atOnce; worker += 1) void work();
  return new Map(cells.map(({ name }, place) => [name, ends[place]!.promise]));
}

async function run(world: FaultyWorld, cell: Cell, place: number): Promise<Ending> {
  const scene = await stories[cell.story](world, cell, place);
  const spoils = cell.spoils.map(({ operation, fault, times }) =>
    world.faulty.spoil({ who: scene.who, operation }, fault, times),
  );
  const first = await scene.act();
  await untilStruck(cell, spoils);
  for (const spoiled of spoils) spoiled.lift();
  await untilAtRest(world, scene.account);
  const problems: string[] = [];
  const claim = (what: string, actual: unknown, wanted: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(wanted))
      problems.push(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`);
  };
  if (!cell.first.includes(scene.outcome(first)))
    claim("told first", scene.outcome(first), cell.first);
  claim("at rest", await scene.state(), scene.states[cell.ends]);
  const last = await scene.act();
  await untilAtRest(world, scene.account);
  const isFinal = scene.outcome(first) === "409 rate_changed";
  claim("told at last", scene.outcome(last), isFinal ? "409 rate_changed" : scene.done);
  claim("at the end", await scene.state(), scene.states[isFinal ? "not_done" : "done"]);
  const again = await scene.act();
  claim("same bytes", again.bytes.equals(last.bytes), true);
  return { told: `${scene.outcome(first)}, then ${scene.outcome(last)}`, problems };
}

function untilStruck(cell: Cell, spoils: readonly Spoiled[]): Promise<void> {
  return vi.waitFor(
    () => {
      const hits = spoils.map((spoiled, place) =>
        Math.min(spoiled.hits(), cell.spoils[place]!.hits),
      );
      expect(hits).toEqual(cell.spoils.map((spoil) => spoil.hits));
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Nothing of this account is under way. */
function untilAtRest({ db }: FaultyWorld, { account_id }: TestAccount): Promise<void> {
  return vi.waitFor(
    async () => {
      const { rows } = await sql`
        SELECT status FROM attempts WHERE account_id = ${account_id} AND status IN ('sent', 'unknown', 'review')
        UNION ALL SELECT refund_status FROM shipments
        WHERE account_id = ${account_id} AND refund_status = 'pending'`.execute(db);
      expect(rows).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
}

/** What the books, the shipment and the carriers say about a cell, each in its own words. */
type State = Record<string, unknown>;

interface Scene {
  account: TestAccount;
  /** By which the proxy knows the calls of this cell. */
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

const stories: Record<
  Cell["story"],
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
    // The processor is told of no account: the amount is what tells the cells apart.
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
};

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

/** What the processor charged and did not pay back, over all charges of about this amount. */
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
