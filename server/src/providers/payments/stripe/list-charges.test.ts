import { expect, test } from "vitest";
import type { ChargePage, ListedCharge } from "../payments.ts";
import { aCharge, aStripe, failureOf, noAbort } from "./stripe-world.ts";

/** What Stripe tells a database that was set back, and so forgot what it charged. */

test("charges are listed with whose they are, and what took no money or is not ours is left out", async () => {
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
