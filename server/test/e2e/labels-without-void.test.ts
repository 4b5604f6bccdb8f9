import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { outcomeOf, type Failure } from "../client.ts";
import { aFreight } from "../freight-shipments.ts";
import { readJournal } from "../invariants.ts";
import { carriersWith, openingCents, untilStatus } from "../other-carriers.ts";
import { decide, untilUnderReview } from "../reviews.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { anAccount, aPlatform, must, type World } from "../world.ts";

/** Carriers that void no labels: what they sell is kept, whatever is wrong with it. */

describe("of carriers without a void", () => {
  let world: World;
  let flaw: (carrier: Carrier) => Pick<Carrier, "buyLabel" | "lookUpLabel">;
  const flawed = (carrier: Carrier): Carrier => ({
    ...carrier,
    buyLabel: (request, signal) => flaw(carrier).buyLabel(request, signal),
    lookUpLabel: (sent, signal) => flaw(carrier).lookUpLabel(sent, signal),
  });
  beforeAll(async () => {
    flaw = (carrier) => carrier;
    world = await aPlatform({}, { carriers: carriersWith({ voids: { kind: "none" } }, flawed) });
  });
  afterAll(() => world.close());

  test("a merchant's void is refused with the reason, and so is a booking's cancellation", async () => {
    const account = await anAccount(world, { balance_cents: 500_000 });
    const { id } = await account.create(aShipment());
    await account.bought(id);
    const refused = await account.post<Failure>(`/shipments/${id}/void`);
    expect(outcomeOf(refused)).toBe("409 not_voidable");
    expect(refused.body.error.details).toEqual({
      status: "purchased",
      reason: "carrier_has_no_void",
    });
    const freight = await account.create(aFreight());
    await account.bought(freight.id);
    const kept = await account.post<Failure>(`/ltl/${freight.id}/cancel`);
    expect(outcomeOf(kept)).toBe("409 not_cancellable");
    expect(kept.body.error.details).toMatchObject({ reason: "carrier_has_no_void" });
    const voids = (await readJournal(world)).filter(({ operation }) => operation !== "label");
    expect(voids.map(({ operation }) => operation)).toEqual(["ltl_booking"]);
  });

  test("a label that is more expensive than quoted is kept: the merchant pays the quote, the platform the rest", async () => {
    const dearer = 7_25;
    flaw = ({ buyLabel, lookUpLabel }) => ({
      async buyLabel(request, signal) {
        const label = await buyLabel(request, signal);
        const cost = { ...label.cost!, amount_cents: label.cost!.amount_cents + dearer };
        return { ...label, cost };
      },
      async lookUpLabel(sent, signal) {
        const label = await lookUpLabel(sent, signal);
        if (!label) return null;
        const cost = { ...label.cost!, amount_cents: label.cost!.amount_cents + dearer };
        return { ...label, cost };
      },
    });
    const account = await anAccount(world, { balance_cents: openingCents });
    const { id } = await account.create(aShipment());
    const bought = await account.bought(id);
    flaw = (carrier) => carrier;
    expect(bought.cost!.total).toBe(bought.rate.total);
    const { rows } = await sql<{ book: string; cents: number }>`
      SELECT book, sum(amount_cents)::int AS cents FROM ledger_entries
      WHERE account_id = ${account.account_id} AND book IN ('losses', 'carrier_payable', 'carrier_costs')
      GROUP BY book ORDER BY book`.execute(world.db);
    const [costs, payable, losses] = rows;
    expect(rows.map(({ book }) => book)).toEqual(["carrier_costs", "carrier_payable", "losses"]);
    expect(losses!.cents).toBe(-dearer);
    expect(payable!.cents).toBe(-costs!.cents + dearer);
    const review = await untilUnderReview(world, id);
    expect(review).toMatchObject({ kind: "label_flaw", status: "open", held: null });
    expect(review.advice).toContain(bought.tracking_code);
    must(await decide(world, review, { decision: "stands", note: "claimed back" }), 200);
    expect((await account.show(id)).status).toBe("purchased");
  });

  test("a label whose file cannot be printed is kept, and its file is fetched anew", async () => {
    flaw = ({ buyLabel, lookUpLabel }) => ({
      buyLabel: async (request, signal) => ({ ...(await buyLabel(request, signal)), files: [] }),
      async lookUpLabel(sent, signal) {
        const label = await lookUpLabel(sent, signal);
        return label && { ...label, files: "lost" };
      },
    });
    const account = await anAccount(world);
    const { id } = await account.create(aShipment());
    const bought = await account.bought(id);
    flaw = (carrier) => carrier;
    expect(bought.label_status).toBe("pending");
    const review = await untilUnderReview(world, id);
    expect(review.kind).toBe("label_flaw");
    await vi.waitFor(async () => expect((await account.show(id)).label_status).toBe("ready"), {
      timeout: 20_000,
      interval: 100,
    });
    must(await decide(world, review, { decision: "void" }), 200);
    expect(await verifyLedger(world.db)).toEqual([]);
  });
});

describe("of carriers that do not bill what is not scanned", () => {
  let world: World;
  beforeAll(async () => {
    const voids = { kind: "by_not_using", unscanned_days: 10 } as const;
    world = await aPlatform({}, { carriers: carriersWith({ voids }) });
  });
  afterAll(() => world.close());

  const daysAgo = (id: string, days: number) =>
    sql`UPDATE shipments SET refund_check_at = now(), refund_requested_at = now() - make_interval(days => ${days})
      WHERE id = ${id}`.execute(world.db);

  /** Until the next check is due later, because one was begun. */
  const untilTaken = (id: string) =>
    vi.waitFor(
      async () => {
        const row = await world.db
          .selectFrom("shipments")
          .select(["refund_check_at", "refund_status"])
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        expect(row.refund_status).toBe("pending");
        expect(row.refund_check_at!.getTime()).toBeGreaterThan(Date.now());
      },
      { timeout: 10_000, interval: 50 },
    );

  test("a void is pending without a call, and approved once it was not scanned for so many days", async () => {
    const account = await anAccount(world, { balance_cents: openingCents });
    const { id } = await account.create(aShipment());
    await account.bought(id);
    must(await account.post(`/shipments/${id}/void`), 200);
    expect((await account.show(id)).refund).toMatchObject({ status: "pending" });
    // Where the first check approves it, there is no second one.
    for (const _ of ["first", "second"]) {
      await daysAgo(id, 9);
      await untilTaken(id);
    }
    expect((await account.show(id)).refund).toMatchObject({ status: "pending" });
    await daysAgo(id, 10);
    await vi.waitFor(
      async () => expect((await account.show(id)).refund).toMatchObject({ status: "approved" }),
      { timeout: 10_000, interval: 50 },
    );
    expect(await account.balanceCents()).toBe(openingCents);
    expect((await readJournal(world)).map(({ operation }) => operation)).toEqual(["label"]);
  });

  test("a scan rejects it, and the label is live and paid", async () => {
    const account = await anAccount(world, { balance_cents: openingCents });
    const { id } = await account.create(aSteeredShipment("sim:track=delivered"));
    await account.bought(id);
    const paid = await account.balanceCents();
    must(await account.post(`/shipments/${id}/void`), 200);
    // The parcel is scanned: the clock of itineraries is set ahead.
    await fetch(`${world.simulator_url}/clock`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ahead_seconds: 40 * 86_400 }),
    });
    await daysAgo(id, 11);
    await vi.waitFor(
      async () => expect((await account.show(id)).refund).toMatchObject({ status: "rejected" }),
      { timeout: 10_000, interval: 50 },
    );
    await untilStatus(account, id, { status: "purchased", seconds: 1 }).catch(async () =>
      expect(["in_transit", "delivered"]).toContain((await account.show(id)).status),
    );
    expect(await account.balanceCents()).toBe(paid);
  });
});
