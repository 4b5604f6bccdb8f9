import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Carrier } from "../../src/carriers/carrier.ts";
import { outcomeOf } from "../client.ts";
import { readJournal } from "../invariants.ts";
import {
  anUnheardPurchase,
  attemptsOf,
  carriersWith,
  lookNow,
  openingCents,
  untilStatus,
} from "../other-carriers.ts";
import { decide, soldFor, untilUnderReview, voidByHand } from "../reviews.ts";
import { aSteeredShipment } from "../shipments.ts";
import { hint } from "../unlike-catalogue.ts";
import { aPlatform, anAccount, must, type World } from "../world.ts";

/**
 * Purchases that were not heard of, at carriers whose lookups find a label late: not finding it proves
 * nothing, so no money is given back for it unless the operator has chosen so.
 */

const held = async (world: World, id: string) => {
  const { rows } = await sql<{ status: string }>`
    SELECT holds.status FROM holds JOIN attempts ON holds.id = attempts.input ->> 'hold_id'
    WHERE attempts.subject_id = ${id} ORDER BY attempts.id DESC LIMIT 1`.execute(world.db);
  return rows[0]?.status;
};

describe.concurrent("while the operator holds them", () => {
  let world: World;
  beforeAll(async () => {
    world = await aPlatform({}, { carriers: carriersWith({ lookUp: hint }) });
  });
  afterAll(() => world.close());

  test("one that shows late settles once it shows, and its money is held until then", async () => {
    const { account, id } = await anUnheardPurchase(world, "lag=*:14");
    // Long after a proof of absence would have released it.
    await vi.waitFor(
      async () => expect((await attemptsOf(world.db, id))[0]!.look_count).toBeGreaterThan(3),
      { timeout: 15_000, interval: 20 },
    );
    expect((await account.show(id)).status).toBe("purchase_pending");
    expect(await held(world, id)).toBe("held");
    await untilStatus(account, id, { status: "purchased", seconds: 40 });
    const [attempt] = await attemptsOf(world.db, id);
    expect(attempt!.status).toBe("settled");
    const { cost } = await account.show(id);
    expect(await account.balanceCents()).toBe(openingCents - Math.round(cost!.total * 100));
    const sold = (await readJournal(world)).filter(({ operation }) => operation === "label");
    expect(sold.filter(({ reference }) => reference === attempt!.id)).toHaveLength(1);
  });

  test("one that shows as void is released: that proves it", async () => {
    const { account, id } = await anUnheardPurchase(world, "lag=*:6");
    await voidByHand(world, await soldFor(world, id));
    await untilStatus(account, id, { status: "draft", seconds: 40 });
    expect(await account.balanceCents()).toBe(openingCents);
    expect((await attemptsOf(world.db, id))[0]!.status).toBe("absent");
  });

  test("what a lookup does not tell of its price is taken to be what was quoted, and is marked", async () => {
    const { account, id } = await anUnheardPurchase(world, "late_price=*");
    await untilStatus(account, id, { status: "purchased", seconds: 20 });
    const row = await world.db
      .selectFrom("shipments")
      .select(["cost_unconfirmed", "carrier_cost_cents"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const [attempt] = await attemptsOf(world.db, id);
    const label = (await readJournal(world)).find(
      (entry) => entry.operation === "label" && entry.reference === attempt!.id,
    );
    expect(row).toEqual({ cost_unconfirmed: true, carrier_cost_cents: label!.amount_cents });
  });
});

const proof = { by: "reference", absence: "proof", after_seconds: 3 } as const;

describe("of a carrier that tells its price only in its answer", () => {
  const silent = (carrier: Carrier): Carrier => ({
    ...carrier,
    async buyLabel(request, signal) {
      const label = await carrier.buyLabel(request, signal);
      return { ...label, cost: { ...label.cost!, amount_cents: label.cost!.amount_cents + 100 } };
    },
    async lookUpLabel(sent, signal) {
      const found = await carrier.lookUpLabel(sent, signal);
      return found && { ...found, cost: null };
    },
  });

  test.each([
    ["does not show it yet", hint, "sim:lag=*:3600"],
    ["shows it without its price", proof, "sim:track=stuck"],
  ])(
    "a label that is more expensive than quoted is voided, though its lookup %s",
    async (_how, lookUp, steering) => {
      const world = await aPlatform({}, { carriers: carriersWith({ lookUp }, silent) });
      try {
        const account = await anAccount(world, { balance_cents: openingCents });
        const { id } = await account.create(aSteeredShipment(steering));
        expect(outcomeOf(await account.buy(id))).toBe("409 rate_changed");
        expect(await account.balanceCents()).toBe(openingCents);
        const journal = await readJournal(world);
        expect(journal.map(({ operation }) => operation)).toEqual(["label", "void"]);
      } finally {
        await world.close();
      }
    },
  );
});

describe.concurrent("once they have been open for too long", () => {
  let world: World;
  beforeAll(async () => {
    const settings = { WAYBILL_REVIEW_AFTER_MINUTES: "0" };
    world = await aPlatform(settings, { carriers: carriersWith({ lookUp: hint }) });
  });
  afterAll(() => world.close());

  test("an operator is asked, the hold stays, and a label that shows before the decision settles", async () => {
    const { account, id } = await anUnheardPurchase(world, "lag=*:4");
    const review = await untilUnderReview(world, id);
    expect(review.status).toBe("open");
    expect((await account.show(id)).status).toBe("purchase_pending");
    expect(await held(world, id)).toBe("held");
    expect((await attemptsOf(world.db, id))[0]!.look_at).not.toBeNull();
    await vi.waitFor(
      async () => {
        await lookNow(world.db, id);
        expect((await account.show(id)).status).toBe("purchased");
      },
      { timeout: 20_000, interval: 500 },
    );
    expect(outcomeOf(await decide(world, review, { decision: "void" }))).toBe("404 not_found");
    expect((await account.show(id)).status).toBe("purchased");
  });

  test("a decision that it is void frees the money, and a label that shows afterwards is voided", async () => {
    const { account, id } = await anUnheardPurchase(world, "lag=*:4");
    const review = await untilUnderReview(world, id);
    must(await decide(world, review, { decision: "void" }), 200);
    expect((await account.show(id)).status).toBe("draft");
    expect(await account.balanceCents()).toBe(openingCents);
    const { reference } = review;
    const voids = async () =>
      (await readJournal(world)).filter(
        (entry) => entry.operation === "void" && entry.reference === reference,
      );
    await vi.waitFor(
      async () => {
        await lookNow(world.db, id);
        expect(await voids()).toHaveLength(1);
      },
      { timeout: 20_000, interval: 500 },
    );
    expect(await account.balanceCents()).toBe(openingCents);
  });
});

describe.concurrent("where the operator has them released and watched", () => {
  test("the money is free after the carrier's horizon, and a label that shows later is voided", async () => {
    const world = await aPlatform(
      {},
      {
        carriers: carriersWith({ lookUp: hint }),
        unheard_policy: async () => "release_and_watch",
      },
    );
    try {
      const { account, id } = await anUnheardPurchase(world, "lag=*:12");
      await untilStatus(account, id, { status: "draft", seconds: 30 });
      expect(await account.balanceCents()).toBe(openingCents);
      await vi.waitFor(
        async () => {
          await lookNow(world.db, id);
          const journal = await readJournal(world);
          expect(journal.map(({ operation }) => operation)).toEqual(["label", "void"]);
        },
        { timeout: 25_000, interval: 500 },
      );
      expect(await account.balanceCents()).toBe(openingCents);
    } finally {
      await world.close();
    }
  });

  test("a label that shows later and cannot be voided is an operator's concern, not a log line", async () => {
    const world = await aPlatform(
      {},
      {
        carriers: carriersWith({ lookUp: hint, voids: { kind: "none" } }),
        unheard_policy: async () => "release_and_watch",
      },
    );
    try {
      const { account, id } = await anUnheardPurchase(world, "lag=*:12");
      await untilStatus(account, id, { status: "draft", seconds: 30 });
      await vi.waitFor(
        async () => {
          await lookNow(world.db, id);
          expect((await attemptsOf(world.db, id))[0]!.status).toBe("review");
        },
        { timeout: 25_000, interval: 500 },
      );
      const review = await untilUnderReview(world, id);
      expect(review).toMatchObject({ status: "open", last_failure: { code: "appeared_late" } });
      expect((await account.show(id)).status).toBe("draft");
      expect(await account.balanceCents()).toBe(openingCents);
      const decided = must(await decide(world, review, { decision: "void" }), 200).data;
      expect(decided.status).toBe("void");
      // It stays there: a lookup would find it again, and ask for another decision each time.
      expect(await attemptsOf(world.db, id)).toMatchObject([{ status: "absent", look_at: null }]);
    } finally {
      await world.close();
    }
  });
});

describe("at a carrier whose lookups prove what they do not find", () => {
  test("what never arrived is released within thirty seconds of its horizon", async () => {
    const world = await aPlatform({}, { carriers: carriersWith({ lookUp: proof }) });
    try {
      const began = Date.now();
      const { account, id } = await anUnheardPurchase(world, "lag=*:3600");
      await untilStatus(account, id, { status: "draft", seconds: 33 });
      expect(Date.now() - began).toBeGreaterThan(3_000);
      expect(await account.balanceCents()).toBe(openingCents);
    } finally {
      await world.close();
    }
  });
});
