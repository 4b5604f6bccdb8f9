import fc from "fast-check";
import { expect, test } from "vitest";
import type { Charge, ChargeRequest, PaymentError } from "../payments.ts";
import type { Fault } from "./stripe-server-world.ts";
import { aCharge, aStripe, noAbort, type StripeWorld } from "./stripe-world.ts";

/**
 * Top-ups as `outbound/` makes them, with anything going wrong at any call: sent once, looked up until
 * the outcome is definite, and sometimes refunded. Whatever happened, Stripe kept what was credited.
 */

const aFault = fc.constantFrom<(Fault | undefined)[]>(
  undefined,
  undefined,
  undefined,
  "reset_before",
  "reset_after",
  "silence_before",
  "silence_after",
  "500_before",
  "500_saved",
  "500_after",
  "429",
  "409",
  "held",
);
/** So that most top-ups get as far as the call that moves the money. */
const aRareFault = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, aFault);
const aLook = fc.record({
  meanwhile: fc.constantFrom("nothing", "index", "next_day", "late_arrivals"),
  search: aFault,
  create: aFault,
  retrieve: aFault,
  cancel: aFault,
});
const aTopUp = fc.record({
  amount_cents: fc.integer({ min: 1_000, max: 1_000_000 }),
  payment_method: fc.constantFrom("pm_card_visa", "pm_card_visa", "pm_card_visa", "pm_card_poor"),
  create: aRareFault,
  confirm: aFault,
  looks: fc.array(aLook, { maxLength: 3 }),
  is_paid_back: fc.boolean(),
  refund: aFault,
});
type Look = ArbitraryOf<typeof aLook>;
type TopUp = ArbitraryOf<typeof aTopUp>;
type ArbitraryOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

test("whatever is lost, what Stripe captured less what it paid back is what was credited", async () => {
  const seen = { at_once: 0, found: 0, absent: 0 };
  const topUps = fc.array(aTopUp, { minLength: 1, maxLength: 4 });
  const property = fc.asyncProperty(topUps, async (plans) => {
    const world = await aStripe();
    const credited: Record<string, number> = {};
    for (const plan of plans) {
      const request = aCharge(plan);
      const { charge, looks } = await toppedUp(world, request, plan);
      seen[looks === 0 ? "at_once" : charge ? "found" : "absent"]++;
      if (charge && plan.is_paid_back) await paidBack(world, request, plan);
      else if (charge) credited[request.reference] = charge.amount_cents;
    }
    world.server.deliverHeld();
    expect(world.server.kept()).toEqual(credited);
    await world.server.close();
  });
  await fc.assert(property, { numRuns: 100 });
  // Each kind of ending was among them.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});

/** Sends once, then looks it up until its outcome is known. */
async function toppedUp(world: StripeWorld, request: ChargeRequest, plan: TopUp) {
  disturb(world, plan);
  const first = await sent(world.payments.charge(request, world.server.timeoutSignal()));
  if (first !== "unknown") return { charge: first, looks: 0 };
  for (const [index, look] of plan.looks.entries()) {
    const charge = await looked(world, request, look);
    if (charge !== "unknown") return { charge, looks: index + 1 };
  }
  disturb(world, {});
  let charge = await found(world.payments.findCharge(request, noAbort));
  // A call whose failure Stripe keeps for its key stays unknown until its index or its keys move on.
  if (charge === "unknown") {
    world.server.nextDay();
    charge = await found(world.payments.findCharge(request, noAbort));
  }
  if (charge === "unknown") throw new Error("an undisturbed lookup did not find out");
  return { charge, looks: plan.looks.length + 1 };
}

async function looked(world: StripeWorld, request: ChargeRequest, look: Look) {
  if (look.meanwhile === "index") world.server.index();
  if (look.meanwhile === "next_day") world.server.nextDay();
  if (look.meanwhile === "late_arrivals") world.server.deliverHeld();
  disturb(world, look);
  return found(world.payments.findCharge(request, world.server.timeoutSignal()));
}

/** Refunds the rest of a charge, as a reversal does, until nothing is left. */
async function paidBack(world: StripeWorld, request: ChargeRequest, plan: TopUp): Promise<void> {
  disturb(world, { refund: plan.refund });
  for (;;) {
    const charge = await world.payments.findCharge(request, noAbort);
    const amount_cents = charge!.amount_cents - charge!.refunded_cents;
    if (amount_cents === 0) return;
    const { reference: charge_reference } = request;
    const refund = { reference: `${charge_reference}_undo`, charge_reference, amount_cents };
    const { charge_id } = charge!;
    await world.payments
      .refund({ ...refund, charge_id }, world.server.timeoutSignal())
      .catch(() => world.server.nextDay());
  }
}

const operations = ["create", "confirm", "search", "retrieve", "cancel", "refund"] as const;
type Faults = Partial<Record<(typeof operations)[number], Fault | undefined>>;

/** The faults of each operation's next request, in place of those left from before. */
function disturb({ server }: StripeWorld, faults: Faults): void {
  for (const operation of operations) {
    const fault = faults[operation];
    server.disturb(operation, ...(fault === undefined ? [] : [fault]));
  }
}

type Outcome = Charge | null | "unknown";

/** As `perform` reads the error of the one call: only proof that nothing happened is a refusal. */
async function sent(call: Promise<Charge>): Promise<Outcome> {
  return call.catch((error: PaymentError) => (error.kind === "unknown" ? "unknown" : null));
}

/** As recovery reads an error of a lookup: it proves nothing. */
async function found(call: Promise<Charge | null>): Promise<Outcome> {
  return call.catch(() => "unknown" as const);
}
