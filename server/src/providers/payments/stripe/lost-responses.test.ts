import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "./stripe-server-world.ts";
import { aCharge, aStripe, failureOf, noAbort, type StripeWorld } from "./stripe-world.ts";

let world: StripeWorld;
beforeAll(async () => {
  world = await aStripe();
});
afterAll(() => world.server.close());

const lost: Fault[] = [
  "reset_before",
  "reset_after",
  "silence_before",
  "silence_after",
  "500_before",
  "500_saved",
  "500_after",
  "409",
];

const committed: Fault[] = ["reset_after", "silence_after", "500_after"];

describe("an unknown outcome", () => {
  test.each(lost)(
    "of creating (%s): the lookup finds none, and no charge can follow",
    async (fault) => {
      const request = aCharge();
      world.server.disturb("create", fault);
      const failure = await failureOf(world.payments.charge(request, world.server.timeoutSignal()));
      expect(failure.kind).toBe("unknown");
      expect(await world.payments.findCharge(request, noAbort)).toBeNull();
      // A process that was stopped between the calls continues.
      expect((await failureOf(world.payments.charge(request, noAbort))).kind).toBe("unknown");
      expect(await world.payments.findCharge(request, noAbort)).toBeNull();
      expect(world.server.kept()[request.reference]).toBeUndefined();
    },
  );

  test.each(lost)(
    "of confirming (%s): the lookup finds what happened, once and for all",
    async (fault) => {
      const request = aCharge();
      world.server.disturb("confirm", fault);
      const failure = await failureOf(world.payments.charge(request, world.server.timeoutSignal()));
      expect(failure.kind).toBe("unknown");
      const wasCharged = world.server.kept()[request.reference] === 10_050;
      expect(wasCharged).toBe(committed.includes(fault));
      const found = await world.payments.findCharge(request, noAbort);
      expect(found === null).toBe(!wasCharged);
      expect(await world.payments.findCharge(request, noAbort)).toEqual(found);
      expect(world.intentsOf(request)).toMatchObject([
        { status: wasCharged ? "succeeded" : "canceled" },
      ]);
      // Only recovery retries: one reset is one request.
      expect(
        world.requestsOf(request).filter(({ operation }) => operation === "confirm").length,
      ).toBe(1);
    },
  );

  test("a confirmation that arrives after the lookup cannot charge", async () => {
    const request = aCharge();
    world.server.disturb("confirm", "held");
    expect((await failureOf(world.payments.charge(request, noAbort))).kind).toBe("unknown");
    expect(await world.payments.findCharge(request, noAbort)).toBeNull();
    const [late] = world.server.deliverHeld();
    expect(late).toMatchObject({
      status: 400,
      body: { error: { code: "payment_intent_unexpected_state" } },
    });
    expect(world.server.kept()[request.reference]).toBeUndefined();
  });

  test("an intent that arrives after the lookup is the one that was cancelled", async () => {
    const request = aCharge();
    world.server.disturb("create", "held");
    expect((await failureOf(world.payments.charge(request, noAbort))).kind).toBe("unknown");
    expect(await world.payments.findCharge(request, noAbort)).toBeNull();
    const [late] = world.server.deliverHeld();
    expect(late).toMatchObject({ status: 200, replayed: true });
    expect(world.intentsOf(request)).toMatchObject([{ status: "canceled" }]);
  });

  test("is found by its reference when the idempotency keys have expired", async () => {
    const charged = aCharge();
    const dropped = aCharge();
    world.server.disturb("confirm", "reset_after", "reset_before");
    for (const request of [charged, dropped])
      expect((await failureOf(world.payments.charge(request, noAbort))).kind).toBe("unknown");
    world.server.nextDay();
    expect(await world.payments.findCharge(charged, noAbort)).toMatchObject({
      amount_cents: 10_050,
    });
    expect(await world.payments.findCharge(dropped, noAbort)).toBeNull();
    expect(world.intentsOf(charged).length + world.intentsOf(dropped).length).toBe(2);
  });

  test("stays open while the payment is processed, and while a lookup fails", async () => {
    const slow = aCharge({ payment_method: "pm_card_slow" });
    expect(await failureOf(world.payments.charge(slow, noAbort))).toMatchObject({
      kind: "unknown",
      party_code: "payment_processing",
    });
    expect((await failureOf(world.payments.findCharge(slow, noAbort))).kind).toBe("unknown");
    expect(world.requestsOf(slow).map(({ operation }) => operation)).not.toContain("cancel");

    const request = aCharge();
    world.server.disturb("confirm", "reset_before");
    await failureOf(world.payments.charge(request, noAbort));
    for (const operation of ["search", "retrieve", "cancel"] as const) {
      world.server.disturb(operation, "500_after");
      expect((await failureOf(world.payments.findCharge(request, noAbort))).kind).toBe("unknown");
    }
    expect(await world.payments.findCharge(request, noAbort)).toBeNull();
  });
});

describe("a response that is not Stripe's", () => {
  test.each([
    [200, ""],
    [200, "<html></html>"],
    [200, "null"],
    [200, "7"],
    [200, "[]"],
    [200, "{}"],
    [200, '{"id": "pi_1", "object": "payment_intent", "status": "succeeded"}'],
    [204, "{}"],
    [302, '{"id": "pi_1"}'],
    [402, "<html></html>"],
    [402, '{"error": "declined"}'],
    [402, '{"error": {"message": "Payment required by your proxy."}}'],
    [404, '{"error": {}}'],
    [404, '{"message": "no such route"}'],
    [429, '{"error": {"message": "A proxy\'s limit."}}'],
    [503, '{"error": {"type": "card_error", "code": "card_declined"}}'],
  ])("(status %i, %s) proves nothing, and the payment is found", async (status, text) => {
    const request = aCharge();
    world.server.disturb("confirm", { status, text });
    expect((await failureOf(world.payments.charge(request, noAbort))).kind).toBe("unknown");
    expect(await world.payments.findCharge(request, noAbort)).toBeNull();
  });

  test("but another payment of Stripe's is not taken for it", async () => {
    const other = await world.payments.charge(aCharge(), noAbort);
    const text = JSON.stringify(world.server.intents.get(other.charge_id));
    const request = aCharge();
    world.server.disturb("confirm", { status: 200, text });
    expect(await failureOf(world.payments.charge(request, noAbort))).toMatchObject({
      kind: "unknown",
      party_code: "other_payment",
    });
  });
});
