import { expect, test } from "vitest";
import type { ChargePage, ListedCharge, Reversal, ReversalPage } from "../payments.ts";
import { aCharge, aStripe, failureOf, noAbort } from "./stripe-world.ts";

/** What Stripe lists for a database that was set back and so lost charges. */

test("charges are listed with their metadata, and what took no money or belongs to others is left out", async () => {
  const { server, payments } = await aStripe();
  const requests = Array.from({ length: 101 }, (_each, index) =>
    aCharge({ transaction_id: `txn_${index}`, idempotency_key: index === 0 ? null : `k ${index}` }),
  );
  for (const request of requests) await payments.charge(request, noAbort);
  await failureOf(payments.charge(aCharge({ payment_method: "pm_card_declined" }), noAbort));
  const foreign = aCharge();
  await payments.charge(foreign, noAbort);
  [...server.intents.values()].at(-1)!.metadata = { reference: foreign.reference };

  const since = new Date(Date.now() - 60_000);
  const listed: ListedCharge[] = [];
  let cursor: string | null = null;
  do {
    const page: ChargePage = await payments.listCharges({ since, cursor }, noAbort);
    listed.push(...page.charges);
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(listed.reverse()).toEqual(
    requests.map(({ customer: _customer, ...request }) => ({
      ...request,
      charge_id: expect.stringMatching(/^pi_/) as string,
      refunded_cents: 0,
      charged_at: expect.any(Date) as Date,
    })),
  );
  expect(server.requests.filter(({ operation }) => operation === "list").length).toBe(2);
  const later = { since: new Date(Date.now() + 60_000), cursor: null };
  expect((await payments.listCharges(later, noAbort)).charges).toEqual([]);
  await server.close();
});

test("a payment that is being processed may yet be a charge: the list is not final", async () => {
  const { server, payments } = await aStripe();
  await failureOf(payments.charge(aCharge({ payment_method: "pm_card_slow" }), noAbort));
  const listing = payments.listCharges({ since: new Date(0), cursor: null }, noAbort);
  expect(await failureOf(listing)).toMatchObject({
    kind: "unknown",
    party_code: "payment_processing",
  });
  await server.close();
});

test("refunds made at Stripe and disputes are listed with their charge, and what Waybill paid back is not", async () => {
  const { server, payments, intentsOf } = await aStripe();
  const [refunded, disputed, ours] = [aCharge(), aCharge(), aCharge({ transaction_id: "txn_3" })];
  for (const request of [refunded, disputed, ours]) await payments.charge(request, noAbort);
  const [by_hand, contested, undone] = [refunded, disputed, ours].map(
    (request) => intentsOf(request)[0]!,
  );
  const created = Math.floor(Date.now() / 1000);
  const reversal = { amount: 2_050, created, metadata: {} };
  // More than a page of failed refunds precedes the one that succeeded.
  server.refunds.set("re_0", {
    ...reversal,
    id: "re_0",
    object: "refund",
    intent: by_hand!.id,
    status: "succeeded",
  });
  for (let index = 1; index <= 120; index += 1) {
    const id = `re_${index}`;
    const failed = { ...reversal, id, intent: by_hand!.id, status: "failed" };
    server.refunds.set(id, { ...failed, object: "refund" });
  }
  server.disputes.set("du_1", {
    ...reversal,
    id: "du_1",
    object: "dispute",
    status: "needs_response",
    intent: contested!.id,
  });
  contested!.latest_charge!.disputed = true;
  const undo = { reference: `${ours.reference}_undo`, charge_reference: ours.reference };
  await payments.refund({ ...undo, charge_id: undone!.id, amount_cents: 10_050 }, noAbort);

  const since = new Date(Date.now() - 60_000);
  const listed: Reversal[] = [];
  let cursor: string | null = null;
  do {
    const page: ReversalPage = await payments.listReversals({ since, cursor }, noAbort);
    listed.push(...page.reversals);
    cursor = page.next_cursor;
  } while (cursor !== null);
  const shown = listed.map(({ charge, ...each }) => ({ ...each, of: charge.reference }));
  const at = { amount_cents: 2_050, reversed_at: new Date(created * 1000) };
  expect(shown).toEqual([
    {
      ...at,
      kind: "dispute",
      reversal_id: "du_1",
      status: "needs_response",
      of: disputed.reference,
    },
    { ...at, kind: "refund", reversal_id: "re_0", status: "succeeded", of: refunded.reference },
  ]);
  expect(listed[0]!.charge.disputed_cents).toBe(10_050);
  await server.close();
});
