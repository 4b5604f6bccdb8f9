import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { newId } from "../../src/domain/values/ids.ts";
import { countOutcomes, outcomeOf, type DataOf, type TopUp } from "../client.ts";
import { assertInvariants, readJournal, untilAtRest } from "../invariants.ts";
import {
  aLostPurchase,
  aPlatformOfBlindCarriers,
  decide,
  openingCents,
  soldFor,
  stands,
  untilUnderReview,
  voidByHand,
} from "../reviews.ts";
import { aShipment, aSteeredShipment } from "../shipments.ts";
import { aPlatform, anAccount, aQuotedDraft, must, setDials, type World } from "../world.ts";
import { untilAttempted, untilSold } from "./moments.ts";

/** Operators' decisions against each other, against late responses, and about unavailable parties. */

describe("carriers that find nothing by reference", () => {
  let world: World;
  beforeAll(async () => {
    world = await aPlatformOfBlindCarriers();
  });
  afterEach(async () => {
    await setDials(world, {});
    await assertInvariants(world);
  });
  afterAll(async () => {
    await world.close();
  });

  const fileOf = (words: string) => Buffer.from(`%PDF-1.7\n${words}\n%%EOF\n`);

  test("of many concurrent decisions one wins, with its own file", async () => {
    const { retry, review, sold } = await aLostPurchase(world);
    const notes = Array.from({ length: 12 }, (_each, index) => `operator ${index}`);
    const replies = await Promise.all(
      notes.map((note) =>
        decide(world, review, {
          ...stands(sold, { label_base64: fileOf(note).toString("base64") }),
          note,
        }),
      ),
    );
    expect(countOutcomes(replies)).toEqual({ "200": 1, "409 conflict": 11 });
    const winner = replies.find(({ status }) => status === 200)!.body.data.decision!.note!;
    const { label_url } = must(await retry(), 201).data;
    const file = Buffer.from(await (await fetch(label_url!)).arrayBuffer());
    expect(file.equals(fileOf(winner))).toBe(true);
  });

  test("stands ∥ void: one of them happened, and the other was refused", async () => {
    const races = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { account, id, review, sold } = await aLostPurchase(world);
        const [stood, voided] = await Promise.all([
          decide(world, review, stands(sold)),
          decide(world, review, { decision: "void" }),
        ]);
        if (voided.status === 200) await voidByHand(world, sold);
        return { account, id, outcomes: [outcomeOf(stood), outcomeOf(voided)] };
      }),
    );
    for (const { account, id, outcomes } of races) {
      expect(outcomes.toSorted()).toEqual(["200", "409 conflict"]);
      const { status } = await account.show(id);
      expect(status).toBe(outcomes[0] === "200" ? "purchased" : "draft");
      if (status === "draft") expect(await account.balanceCents()).toBe(openingCents);
    }
  });

  test("one decision sent many times concurrently is one decision, and all get the same response", async () => {
    const { review, sold } = await aLostPurchase(world);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => decide(world, review, stands(sold))),
    );
    expect(countOutcomes(replies)).toEqual({ "200": 8 });
    expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1);
  });

  test("a decision ∥ the late response to the process that lost the attempt: the label is paid once", async () => {
    const drafts = await Promise.all(
      Array.from({ length: 6 }, () => aQuotedDraft(world, openingCents)),
    );
    await setDials(world, { "*": { latency_ms: 3000, operations: ["purchases"] } });
    const answers = drafts.map(({ account, shipment, service }) =>
      account.buy(shipment.id, { service }),
    );
    for (const { shipment } of drafts)
      await untilAttempted(world.db, { subject_id: shipment.id, kind: "label_purchase" });
    // All processes take this one for dead, while its calls continue.
    await world.db
      .updateTable("attempts")
      .set({ holder_id: newId("prc") })
      .where("status", "=", "sent")
      .execute();
    await Promise.all(
      drafts.map(async ({ account, shipment: { id } }) => {
        const review = await untilUnderReview(world, id);
        // The dead process has not marked the outcome as open; that it is under review does.
        expect((await account.show(id)).status).toBe("purchase_pending");
        expect(review.last_failure).toBeNull();
        await untilSold(world, id);
        must(await decide(world, review, stands(await soldFor(world, id))), 200);
        expect((await account.show(id)).status).toBe("purchased");
      }),
    );
    for (const answer of answers) expect(outcomeOf(await answer)).toBe("409 purchase_pending");
  });
});

describe("a party that was unavailable for too long", () => {
  let world: World;
  beforeAll(async () => {
    world = await aPlatform({ WAYBILL_REVIEW_AFTER_MINUTES: "0" });
  });
  afterEach(async () => {
    await setDials(world, {});
    await assertInvariants(world);
  });
  afterAll(async () => {
    await world.close();
  });

  test("leaves a purchase to the operator, and is not called any more", async () => {
    const { account, shipment, service, carrier } = await aQuotedDraft(
      world,
      openingCents,
      aSteeredShipment("sim:lost_answer"),
    );
    const { id } = shipment;
    await setDials(world, {
      [carrier]: { error_rate: 1, error_status: 401, operations: ["look_ups"] },
    });
    expect(outcomeOf(await account.buy(id, { service }))).toBe("409 purchase_pending");
    const review = await untilUnderReview(world, id);
    expect(review.last_failure).toMatchObject({ kind: "refused" });
    await setDials(world, {});
    // The carrier could answer by now, but the operator has it: recovery leaves it alone.
    must(await decide(world, review, stands(await soldFor(world, id))), 200);
    expect(await account.show(id)).toMatchObject({ status: "purchased" });
  });

  test.each([
    ["stands", { refund: "approved" }, "voided"],
    ["stands", {}, "voided"],
    ["void", {}, "purchased"],
  ])(
    "leaves a void to the operator: %s, with %j, makes the shipment %s",
    async (decision, more, status) => {
      const account = await anAccount(world, { balance_cents: openingCents });
      const { id } = await account.create(aShipment());
      const { cost } = await account.bought(id);
      await setDials(world, { "*": { error_rate: 1, error_status: 500, operations: ["voids"] } });
      expect(outcomeOf(await account.post(`/shipments/${id}/void`))).toBe("409 purchase_pending");
      const review = await untilUnderReview(world, id);
      expect(review).toMatchObject({ kind: "label_void", shipment_id: id, held: null });
      await setDials(world, {});
      if (decision === "stands") await voidByHand(world, await soldFor(world, id));
      const bad = must(await decide(world, review, { decision, refund: "maybe", label: 1 }), 422);
      expect(Object.keys(bad.error.details).toSorted()).toEqual(["label", "refund"]);
      must(await decide(world, review, { decision, ...more }), 200);
      await untilAtRest(world.db);
      expect((await account.show(id)).status).toBe(status);
      const paid = status === "voided" ? 0 : Math.round(cost!.total * 100);
      expect(await account.balanceCents()).toBe(openingCents - paid);
    },
  );

  test("a void whose response was lost is not reversed because the carrier now refuses the credentials", async () => {
    const { account, shipment, service, carrier } = await aQuotedDraft(
      world,
      openingCents,
      aSteeredShipment("sim:lost_answer"),
    );
    const { id } = shipment;
    await account.buy(id, { service });
    await untilAtRest(world.db);
    // The first void is carried out and its response lost; a later refusal of the credentials proves
    // nothing.
    const voids = world.db
      .selectFrom("attempts")
      .select("status")
      .where("kind", "=", "label_void")
      .where("subject_id", "=", id);
    const pending = await account.post(`/shipments/${id}/void`);
    await setDials(world, { [carrier]: { error_rate: 1, error_status: 401 } });
    expect(outcomeOf(pending)).toBe("409 purchase_pending");
    const review = await untilUnderReview(world, id);
    expect(await voids.execute()).toEqual([{ status: "review" }]);
    must(await decide(world, review, { decision: "stands" }), 200);
    await setDials(world, {});
    await untilAtRest(world.db);
    expect(await account.balanceCents()).toBe(openingCents);
  });

  test("leaves a top-up to the operator: stands, and the account has its credit", async () => {
    const { account, topUp, review } = await aLostTopUp();
    expect(review).toMatchObject({ kind: "top_up", shipment_id: null, held: null });
    expect((await topUp()).body.data.status).toBe("pending");
    const charge = { charge_id: "ch_seen_by_hand" };
    must(await decide(world, review, { decision: "stands", charge }), 200);
    expect((await topUp()).body.data).toMatchObject({ status: "succeeded", balance_after: 50 });
    expect(await account.balanceCents()).toBe(5000);
  });

  test("an effect that was decided void and exists nevertheless is reversed at the other side", async () => {
    const steered = aSteeredShipment("sim:lost_answer");
    const { account, shipment, service } = await aQuotedDraft(world, openingCents, steered);
    const { id } = shipment;
    await setDials(world, { "*": { error_rate: 1, operations: ["look_ups"] } });
    expect(outcomeOf(await account.buy(id, { service }))).toBe("409 purchase_pending");
    const purchase = await untilUnderReview(world, id);
    const charge = await aLostTopUp();
    for (const { review, payer } of [
      { review: purchase, payer: account },
      { review: charge.review, payer: charge.account },
    ]) {
      const opening = review === purchase ? openingCents : 0;
      must(await decide(world, review, { decision: "void", note: "I did not find it" }), 200);
      expect(await payer.balanceCents()).toBe(opening);
    }
    await world.db.updateTable("attempts").set({ look_at: new Date() }).execute();
    await vi.waitFor(
      async () => {
        const journal = await readJournal(world);
        const undone = journal.map((each) => [
          each.operation,
          each.label_id ?? each.charge_reference,
        ]);
        expect(undone).toContainEqual(["void", (await soldFor(world, id)).label_id]);
        expect(undone).toContainEqual(["charge_refund", charge.review.reference]);
      },
      { timeout: 20_000, interval: 50 },
    );
  });

  /**
   * A top-up whose charge was made, its response lost, and the processor unavailable when recovery
   * called.
   */
  async function aLostTopUp() {
    const account = await anAccount(world, { balance_cents: 0 });
    const body = { amount: 50, payment_method_id: "pm_card_lost_answer" };
    const topUp = () =>
      account.post<DataOf<TopUp>>("/credits/top-up", body, { "idempotency-key": "lost charge" });
    const { id } = must(await topUp(), 201).data;
    await setDials(world, { payments: { error_rate: 1, error_status: 503 } });
    const review = await untilUnderReview(world, id);
    await setDials(world, {});
    return { account, topUp, review };
  }
});

test("of two items that are given one label at once, one stands, and the other is refused at the field", async () => {
  // A world of its own: the label may end at the shipment that did not buy it, as the operator said.
  const world = await aPlatformOfBlindCarriers();
  onTestFinished(() => world.close());
  const items = [await aLostPurchase(world), await aLostPurchase(world)];
  const { sold } = items[0]!;
  const replies = await Promise.all(items.map(({ review }) => decide(world, review, stands(sold))));
  expect(countOutcomes(replies)).toEqual({ "200": 1, "422 validation_failed": 1 });
  const refused = replies.find(({ status }) => status === 422)!;
  expect(refused.bytes.toString()).toContain("label.tracking_code");
});
