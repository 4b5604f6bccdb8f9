import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CrashPoint } from "../../src/domain/scheduling/step.ts";
import { outcomeOf, type DataOf, type Purchase, type Reply } from "../client.ts";
import { assertInvariants, readJournal, referencesOf } from "../invariants.ts";
import { aSteeredShipment } from "../shipments.ts";
import { aQuotedDraft, setDials } from "../world.ts";
import * as moments from "./moments.ts";
import { aRecovery } from "./recoveries.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * Several processes that want to end one attempt: the one that made it and a recovery, two recoveries,
 * two watches for late effects. The platform serves the API alone; the recoveries are the test's own,
 * each of which can be held at any point while the others run.
 */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api"] });
});
afterEach(async () => {
  await setDials(world, {});
  await assertInvariants(world);
});
afterAll(() => world.close());

const openingCents = 40_000;

interface Bought {
  id: string;
  account_id: string;
  answer: Promise<Reply<DataOf<Purchase>>>;
  buy(): Promise<Reply<DataOf<Purchase>>>;
  /** The final state. */
  end(): Promise<string>;
}

/** A purchase under way at a slow carrier. */
async function buying(latency_ms: number, steering?: string): Promise<Bought> {
  const entry = steering ? aSteeredShipment(steering) : undefined;
  const { account, shipment, service, price_cents } = await aQuotedDraft(
    world,
    openingCents,
    entry,
  );
  const { id } = shipment;
  await setDials(world, { "*": { latency_ms, operations: ["purchases"] } });
  const key = { "idempotency-key": id };
  const buy = () => account.buy(id, { service }, key);
  const answer = buy();
  await moments.untilAttempted(world.db, { subject_id: id, kind: "label_purchase" });
  return {
    id,
    account_id: account.account_id,
    answer,
    buy,
    async end() {
      const { status } = await account.show(id);
      const paid = openingCents - (await account.balanceCents());
      const sold = await moments.soldLabels(world, id);
      return `${status}, ${paid === price_cents ? "paid" : paid}, ${sold} issued`;
    },
  };
}

const attemptOf = (id: string) => world.db.updateTable("attempts").where("subject_id", "=", id);

/** The attempt is due, as it is when its lease is over, or, if absent, after a minute. */
async function due(id: string, status: "open" | "absent" = "open"): Promise<void> {
  await attemptOf(id)
    .set("look_at", sql<Date>`now()`)
    .where("status", "in", status === "open" ? ["sent", "unknown"] : ["absent"])
    .execute();
}

/** Its carrier's horizon has passed. */
async function longAgo(id: string): Promise<void> {
  await attemptOf(id)
    .set("begun_at", sql<Date>`now() - interval '1 hour'`)
    .execute();
}

/** Recovers until nothing is due any more, as the worker's loop does. */
async function recoverAll(id: string): Promise<void> {
  await due(id);
  while ((await aRecovery(world).recover()) > 0) await due(id);
}

test.each<[CrashPoint, number]>([
  ["before look_up", 400],
  ["before look_again", 600],
])(
  "the holder's response arrives while a recovery is held %s: a recovery settles, and only it",
  async (point, latency_ms) => {
    const { id, answer, end, buy } = await buying(latency_ms);
    await due(id);
    const recovery = aRecovery(world, point);
    const recovering = recovery.recover();
    await recovery.standing;
    expect(outcomeOf(await answer)).toBe("409 purchase_pending");
    recovery.go();
    await recovering;
    await recoverAll(id);
    expect(await end()).toBe("purchased, paid, 1 issued");
    expect(outcomeOf(await buy())).toBe("201");
  },
);

test("a refusal arrives while a recovery has looked up too early: marked not executed once", async () => {
  const { id, answer, end } = await buying(600, "sim:refuse");
  await due(id);
  const recovery = aRecovery(world, "before look_again");
  const recovering = recovery.recover();
  await recovery.standing;
  expect(outcomeOf(await answer)).toBe("409 purchase_pending");
  recovery.go();
  await recovering;
  await longAgo(id);
  await recoverAll(id);
  expect(await end()).toBe("draft, 0, 0 issued");
});

test("the holder is settling when its attempt falls due: recoveries leave it alone", async () => {
  const { id, account_id, answer, end } = await buying(300);
  const lock = moments.balanceLock(world.database_url, account_id);
  await due(id);
  await lock.take();
  await moments.untilBackendWaits(world.db);
  expect(await Promise.all([aRecovery(world).recover(), aRecovery(world).recover()])).toEqual([
    0, 0,
  ]);
  await lock.release();
  expect(outcomeOf(await answer)).toBe("201");
  expect(await end()).toBe("purchased, paid, 1 issued");
});

test("five concurrent recoveries: one takes the attempt and settles it", async () => {
  const { id, answer, end } = await buying(0, "sim:lost_answer");
  expect(outcomeOf(await answer)).toBe("409 purchase_pending");
  await due(id);
  const taken = await Promise.all(Array.from({ length: 5 }, () => aRecovery(world).recover()));
  expect(taken).toContain(1);
  expect(await end()).toBe("purchased, paid, 1 issued");
});

test.each<CrashPoint>(["before look_up", "after look_up", "before keep", "before settle"])(
  "a recovery is held %s for longer than its lease, another settles: the first cannot",
  async (point) => {
    const { id, answer, end, buy } = await buying(0, "sim:lost_answer");
    expect(outcomeOf(await answer)).toBe("409 purchase_pending");
    await due(id);
    const first = aRecovery(world, point);
    const recovering = first.recover();
    await first.standing;
    await due(id);
    expect(await aRecovery(world).recover()).toBe(1);
    const bytes = (await buy()).bytes.toString();
    first.go();
    await recovering;
    expect(await end()).toBe("purchased, paid, 1 issued");
    expect((await buy()).bytes.toString()).toBe(bytes);
  },
);

test("a recovery is held before it marks not executed, another does so: the money is released once", async () => {
  const { id, answer, end } = await buying(900, "sim:refuse");
  await due(id);
  await longAgo(id);
  const first = aRecovery(world, "before mark_not_executed");
  const recovering = first.recover();
  await first.standing;
  await due(id);
  expect(await aRecovery(world).recover()).toBe(1);
  first.go();
  await recovering;
  expect(outcomeOf(await answer)).toBe("409 purchase_pending");
  expect(await end()).toBe("draft, 0, 0 issued");
});

test("the label appears while it is being marked not executed: recoveries void it once, and it can be bought again", async () => {
  const { id, answer, end, buy } = await buying(700);
  await due(id);
  await longAgo(id);
  const recovery = aRecovery(world, "before mark_not_executed");
  const recovering = recovery.recover();
  await recovery.standing;
  await moments.untilSold(world, id);
  expect(outcomeOf(await answer)).toBe("409 purchase_pending");
  recovery.go();
  await recovering;
  expect(await end()).toBe("draft, 0, 1 issued");
  await setDials(world, {});
  expect((await buy()).status).toBe(201);

  await due(id, "absent");
  const first = aRecovery(world, "before undo");
  const watching = first.recover();
  await first.standing;
  await due(id, "absent");
  expect(await aRecovery(world).recover()).toBe(1);
  first.go();
  await watching;
  const references = await referencesOf(world.db, id);
  const voids = (await readJournal(world)).filter(
    ({ operation, reference }) => operation === "void" && references.includes(reference),
  );
  expect(voids).toHaveLength(1);
  expect(await end()).toBe("purchased, paid, 2 issued");
});
