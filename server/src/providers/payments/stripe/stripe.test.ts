import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStripeServer, stripeKey } from "./stripe-server-world.ts";
import { aCharge, aStripe, failureOf, noAbort, type StripeWorld } from "./stripe-world.ts";
import { stripePayments } from "./stripe.ts";

let world: StripeWorld;
beforeAll(async () => {
  world = await aStripe();
});
afterAll(() => world.server.close());

test("a charge creates the intent, then confirms it, each under a key derived from its reference", async () => {
  const request = aCharge();
  const charge = await world.payments.charge(request, noAbort);
  const { account_id, transaction_id, reference, amount_cents, currency, payment_method } = request;
  const facts = { reference, amount_cents, currency, payment_method };
  expect(charge).toMatchObject({ ...facts, refunded_cents: 0 });
  expect(world.requestsOf(request)).toMatchObject([
    {
      operation: "create",
      key: reference,
      headers: { "stripe-version": "2026-10-28.endive", authorization: `Bearer ${stripeKey}` },
      params: {
        amount: "10050",
        currency: "cad",
        "metadata[reference]": reference,
        "metadata[account_id]": account_id,
        "metadata[transaction_id]": transaction_id,
      },
    },
    {
      operation: "confirm",
      id: charge.charge_id,
      key: `${reference}_confirm`,
      params: { off_session: "true", error_on_requires_action: "true" },
    },
  ]);
  expect(world.server.kept()[reference]).toBe(10_050);
  expect(await world.payments.findCharge(request, noAbort)).toEqual(charge);
});

test("the same charge again, also concurrently, is the same charge", async () => {
  const request = aCharge();
  const first = await world.payments.charge(request, noAbort);
  const again = await Promise.all([1, 2, 3].map(() => world.payments.charge(request, noAbort)));
  for (const charge of again) expect(charge).toEqual(first);
  expect(world.intentsOf(request).length).toBe(1);
});

test("a saved card is charged as its customer's, and only so", async () => {
  const saved = aCharge({ payment_method: "pm_saved", customer: "cus_1" });
  await world.payments.charge(saved, noAbort);
  expect(world.intentsOf(saved)).toMatchObject([{ customer: "cus_1", status: "succeeded" }]);
  const nobodys = aCharge({ payment_method: "pm_saved" });
  expect(await failureOf(world.payments.charge(nobodys, noAbort))).toMatchObject({
    kind: "refused",
    party_code: "payment_method_customer",
    decline_code: null,
  });
});

describe("a refusal", () => {
  test.each([
    ["pm_card_declined", "card_declined", "generic_decline"],
    ["pm_card_poor", "card_declined", "insufficient_funds"],
    ["pm_card_expired", "expired_card", "expired_card"],
    ["pm_card_3ds", "authentication_required", "authentication_required"],
  ])(
    "of %s states why, and nothing was charged",
    async (payment_method, party_code, decline_code) => {
      const request = aCharge({ payment_method });
      const failure = await failureOf(world.payments.charge(request, noAbort));
      expect(failure).toMatchObject({ party: "stripe", kind: "refused", party_code, decline_code });
      expect(await world.payments.findCharge(request, noAbort)).toBeNull();
      expect(world.intentsOf(request)).toMatchObject([{ status: "canceled" }]);
    },
  );

  test("for an unknown card carries no decline code", async () => {
    const failure = await failureOf(
      world.payments.charge(aCharge({ payment_method: "pm_x" }), noAbort),
    );
    expect(failure).toMatchObject({
      kind: "refused",
      party_code: "resource_missing",
      decline_code: null,
    });
  });

  test("of the credentials is refused with a message that discloses nothing to a client", async () => {
    const stranger = stripePayments({ secret_key: "sk_test_wrong", url: world.server.url });
    const failure = await failureOf(stranger.charge(aCharge(), noAbort));
    expect(failure).toMatchObject({ kind: "refused", party_code: "credentials_refused" });
    expect(failure.message).not.toContain("sk_");
  });

  test("by the rate limit did nothing and may be retried, on either call", async () => {
    for (const operation of ["create", "confirm"] as const) {
      const request = aCharge();
      world.server.disturb(operation, "429");
      const failure = await failureOf(world.payments.charge(request, noAbort));
      expect(failure).toMatchObject({ kind: "unreachable", party_code: "rate_limited" });
      expect(world.server.kept()[request.reference]).toBeUndefined();
    }
  });

  test("precedes any call for a currency that is not counted in hundredths", async () => {
    for (const currency of ["JPY", "KWD", "ISK"]) {
      const request = aCharge({ currency });
      const failure = await failureOf(world.payments.charge(request, noAbort));
      expect(failure).toMatchObject({ kind: "refused", party_code: "currency_not_supported" });
      expect(world.requestsOf(request)).toEqual([]);
    }
  });
});

describe("a refund", () => {
  test("is paid back once for each reference, in parts, and never more than was charged", async () => {
    const request = aCharge();
    const { charge_id } = await world.payments.charge(request, noAbort);
    const part = {
      reference: `${request.reference}_undo`,
      charge_reference: request.reference,
      charge_id,
      amount_cents: 6_000,
    };
    world.server.disturb("refund", "reset_after");
    expect((await failureOf(world.payments.refund(part, noAbort))).kind).toBe("unknown");
    const refund = await world.payments.refund(part, noAbort);
    expect(refund).toMatchObject({
      reference: part.reference,
      charge_id,
      amount_cents: 6_000,
      currency: "CAD",
    });
    expect(await world.payments.refund(part, noAbort)).toEqual(refund);
    expect(world.server.kept()[request.reference]).toBe(4_050);
    expect((await world.payments.findCharge(request, noAbort))?.refunded_cents).toBe(6_000);
    const excess = { ...part, reference: `${request.reference}_more` };
    expect(await failureOf(world.payments.refund(excess, noAbort))).toMatchObject({
      kind: "refused",
      party_code: "amount_too_large",
    });
  });

  test("of a charge that does not exist is refused", async () => {
    const none = {
      reference: randomUUID(),
      charge_reference: "none",
      charge_id: "pi_none",
      amount_cents: 1,
    };
    expect((await failureOf(world.payments.refund(none, noAbort))).kind).toBe("refused");
  });
});

test("an abort closes the connection, and no further call follows", async () => {
  const request = aCharge();
  world.server.disturb("create", "silence_after");
  const failure = await failureOf(world.payments.charge(request, world.server.timeoutSignal()));
  expect(failure).toMatchObject({ kind: "unknown", party_code: "timeout" });
  await expect.poll(() => world.requestsOf(request)).toMatchObject([{ is_gone: true }]);
  expect(world.requestsOf(request)).toMatchObject([{ operation: "create", status: null }]);
});

test("a Stripe that cannot be reached did nothing", async () => {
  const gone = await startStripeServer();
  const nobody = stripePayments({ secret_key: stripeKey, url: gone.url });
  await gone.close();
  expect((await failureOf(nobody.charge(aCharge(), noAbort))).kind).toBe("unreachable");
});

test("no failure carries the secret key", async () => {
  const secret_key = "sk_live_do_not_log_me";
  const leaky = stripePayments({ secret_key, url: world.server.url });
  world.server.disturb("create", { status: 500, text: "{}" }, "reset_before");
  for (let time = 0; time < 3; time++) {
    const failure = await failureOf(leaky.charge(aCharge(), noAbort));
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain(secret_key);
  }
});
