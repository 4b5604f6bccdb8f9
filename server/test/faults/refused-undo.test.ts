import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf } from "../client.ts";
import { assertInvariants, readJournal, referencesOf } from "../invariants.ts";
import { aSteeredShipment } from "../shipments.ts";
import { decide, soldFor, voidByHand, type Review } from "../reviews.ts";
import { aQuotedDraft, must, setDials } from "../world.ts";
import { untilSold } from "./moments.ts";
import { aRecovery } from "./recoveries.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";

/**
 * A label to be reversed that its carrier refuses to void: it is left to an operator after ten tries, and
 * the carrier is not called without end.
 */

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({}, { roles: ["api"] });
});
afterAll(() => world.close());

const openingCents = 40_000;

/** A purchase whose response was lost, and that was marked absent although the carrier issued the label. */
async function soldAfterGivenUp() {
  const { account, shipment } = await aQuotedDraft(
    world,
    openingCents,
    aSteeredShipment("sim:lost_answer"),
  );
  expect(outcomeOf(await account.buy(shipment.id))).toBe("409 purchase_pending");
  await untilSold(world, shipment.id);
  const { id } = shipment;
  // As after a lookup that found nothing, because the carrier was slower than its horizon.
  await sql`WITH freed AS (
      UPDATE holds SET status = 'released', resolved_at = now() WHERE account_id = ${account.account_id}
      RETURNING account_id, amount_cents),
    drafted AS (UPDATE shipments SET status = 'draft' WHERE id = ${id}),
    given_up AS (
      UPDATE attempts SET status = 'absent', resolved_at = now(), holder_id = NULL WHERE subject_id = ${id})
    UPDATE balances SET held_cents = held_cents - amount_cents FROM freed
    WHERE balances.account_id = freed.account_id`.execute(world.db);
  return { account, id };
}

/** Recovery runs so often, each time as soon as it is due; returns the attempt's status. */
async function recovered(id: string, times: number) {
  for (let time = 0; time < times; time++) {
    await sql`UPDATE attempts SET look_at = now()
      WHERE subject_id = ${id} AND look_at IS NOT NULL`.execute(world.db);
    await aRecovery(world).recover();
  }
  const { rows } = await sql<{ status: string; look_at: Date | null; undo_count: number }>`
    SELECT status, look_at, undo_count FROM attempts WHERE subject_id = ${id}`.execute(world.db);
  return rows[0]!;
}

const reviewOf = async (id: string) => {
  const { body } = await world.operator.get<{ data: Review[] }>("/reviews");
  return body.data.find(({ shipment_id }) => shipment_id === id);
};

test.each([
  ["refuses", 409],
  ["does not manage", 500],
])(
  "a label that appears late and that its carrier %s to void ends under review, and the money stays free",
  async (_word, error_status) => {
    const { account, id } = await soldAfterGivenUp();
    const dial = { error_rate: 1, ...(error_status === 500 ? {} : { error_status: 503 }) };
    await setDials(world, { "*": { ...dial, operations: ["voids"] } });
    expect((await recovered(id, 9)).status).toBe("absent");
    expect(await reviewOf(id)).toBeUndefined();
    expect(await recovered(id, 1)).toMatchObject({ status: "review", look_at: null });
    const review = (await reviewOf(id))!;
    expect(review).toMatchObject({ status: "open", last_failure: { code: "appeared_late" } });
    // Its shipment is a draft like any other, and can have another label meanwhile.
    await setDials(world, {});
    expect((await account.show(id)).status).toBe("draft");
    expect((await account.balance()).held).toBe(0);

    const sold = await soldFor(world, id);
    expect(outcomeOf(await decide(world, review, { decision: "stands" }))).toMatch(/^4/);
    await voidByHand(world, sold);
    must(await decide(world, review, { decision: "void" }), 200);
    expect(await recovered(id, 1)).toMatchObject({ status: "absent", look_at: null });
    expect(await account.balanceCents()).toBe(openingCents);
    await assertInvariants(world);
  },
);

test("a label that appears late is voided once, though the response to its void is lost, and costs nothing", async () => {
  const { account, id } = await soldAfterGivenUp();
  expect(await recovered(id, 4)).toMatchObject({ status: "absent", undo_count: 1 });
  const references = await referencesOf(world.db, id);
  const voids = (await readJournal(world)).filter(
    ({ operation, reference }) => operation === "void" && references.includes(reference),
  );
  expect(voids).toHaveLength(1);
  expect(await account.balanceCents()).toBe(openingCents);
  await assertInvariants(world);
});

/** A purchase whose response was lost, still open, and whose label another process has begun to reverse. */
async function beingTakenBack() {
  const { account, shipment } = await aQuotedDraft(
    world,
    openingCents,
    aSteeredShipment("sim:lost_answer"),
  );
  expect(outcomeOf(await account.buy(shipment.id))).toBe("409 purchase_pending");
  await untilSold(world, shipment.id);
  const failure = {
    kind: "refused",
    party: "canada_post",
    party_code: "price_changed",
    message: "Dearer.",
  };
  await sql`UPDATE attempts SET unwanted = true, begun_at = now() - interval '1 hour', failure = ${JSON.stringify(failure)}::jsonb
    WHERE subject_id = ${shipment.id}`.execute(world.db);
  return { account, id: shipment.id };
}

test("an effect whose reversal has begun is reversed and not kept, however valid it looks to the next process", async () => {
  const { account, id } = await beingTakenBack();
  await recovered(id, 4);
  expect((await account.show(id)).status).toBe("draft");
  expect(await account.balanceCents()).toBe(openingCents);
  await assertInvariants(world);
});

test("a label of an open purchase that its carrier does not void in ten tries ends under review, its money held", async () => {
  const { account, id } = await beingTakenBack();
  await setDials(world, { "*": { error_rate: 1, operations: ["voids"] } });
  expect(await recovered(id, 9)).toMatchObject({ status: "unknown", undo_count: 9 });
  expect(await reviewOf(id)).toBeUndefined();
  expect(await recovered(id, 1)).toMatchObject({ status: "review", look_at: null });
  await setDials(world, {});
  const review = (await reviewOf(id))!;
  expect(review).toMatchObject({ status: "open", last_failure: { code: "price_changed" } });
  expect((await account.show(id)).status).toBe("purchase_pending");
  expect((await account.balance()).held).toBeGreaterThan(0);

  await voidByHand(world, await soldFor(world, id));
  must(await decide(world, review, { decision: "void" }), 200);
  expect((await account.show(id)).status).toBe("draft");
  expect((await account.balance()).held).toBe(0);
  expect(await account.balanceCents()).toBe(openingCents);
  await assertInvariants(world);
});
