import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator, type Simulator } from "../../carriers/simulator/simulator.ts";
import {
  PaymentError,
  type ChargePage,
  type ChargeRequest,
  type ListedCharge,
  type Payments,
} from "./payments.ts";
import { simulatedPayments } from "./simulated.ts";

const noAbort = new AbortController().signal;
let simulator: Simulator;
let payments: Payments;

beforeAll(async () => {
  const journal_path = join(await mkdtemp(join(tmpdir(), "payments-")), "journal.jsonl");
  simulator = await startSimulator({ host: "127.0.0.1", port: 0, journal_path });
  payments = simulatedPayments({ simulator_url: simulator.url });
});
afterAll(() => simulator.close());

const aCharge = (payment_method = "pm_card_visa") => ({
  reference: `ref_${randomUUID()}`,
  amount_cents: 10_000,
  currency: "CAD",
  payment_method,
  account_id: "acc_test",
  transaction_id: "txn_test",
  idempotency_key: null,
  customer: null,
});

const chargeOf = ({ reference, amount_cents, currency, payment_method }: ChargeRequest) => ({
  reference,
  amount_cents,
  currency,
  payment_method,
});

async function failureOf(call: Promise<unknown>): Promise<PaymentError> {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (failure instanceof PaymentError) return failure;
  throw new Error("the call did not fail with a PaymentError", { cause: failure });
}

async function journalOf(reference: string) {
  const { data } = (await (await fetch(`${simulator.url}/journal`)).json()) as {
    data: { reference: string; operation: string }[];
  };
  return data.filter((entry) => entry.reference === reference);
}

test("one reference is one charge, however often and however concurrently it is sent", async () => {
  const request = aCharge();
  const calls = Array.from({ length: 5 }, () => payments.charge(request, noAbort));
  const charges = await Promise.all(calls);
  expect(charges[0]).toMatchObject({ ...chargeOf(request), refunded_cents: 0 });
  for (const charge of charges) expect(charge).toEqual(charges[0]);
  expect(await payments.findCharge(request, noAbort)).toEqual(charges[0]);
  expect(await journalOf(request.reference)).toMatchObject([
    { carrier: "payments", operation: "charge", amount_cents: 10_000, tracking_code: null },
  ]);
});

test("a reference that another charge has is unknown, to be looked up, not refused", async () => {
  const request = aCharge();
  await payments.charge(request, noAbort);
  const failure = await failureOf(payments.charge({ ...request, amount_cents: 1 }, noAbort));
  expect(failure).toMatchObject({ kind: "unknown", party_code: "reference_reused" });
});

test("a declined card is refused with its decline code, an unknown one without, and nothing is charged", async () => {
  const declined = aCharge("pm_card_declined");
  expect(await failureOf(payments.charge(declined, noAbort))).toMatchObject({
    kind: "refused",
    party: "payments",
    party_code: "card_declined",
    decline_code: "generic_decline",
  });
  expect(await payments.findCharge(declined, noAbort)).toBeNull();
  for (const card of ["pm_card_dodo", "__proto__"]) {
    const failure = await failureOf(payments.charge(aCharge(card), noAbort));
    expect(failure).toMatchObject({ kind: "refused", decline_code: null });
  }
});

test("a charge whose response is lost is unknown, is found, and is not charged again", async () => {
  const request = aCharge("pm_card_lost_answer");
  expect((await failureOf(payments.charge(request, noAbort))).kind).toBe("unknown");
  const found = await payments.findCharge(request, noAbort);
  expect(found).toMatchObject(chargeOf(request));
  expect(await payments.charge(request, noAbort)).toEqual(found);
  expect((await journalOf(request.reference)).length).toBe(1);
});

test("charges are listed with their metadata, in pages, from their moment on", async () => {
  const before = new Date();
  const requests = Array.from({ length: 101 }, (_each, index) => ({
    ...aCharge(),
    transaction_id: `txn_${index}`,
    idempotency_key: index === 0 ? null : `key ${index}`,
  }));
  for (const request of requests) await payments.charge(request, noAbort);
  const listed: ListedCharge[] = [];
  let pages = 0;
  for (let cursor: string | null = "0"; cursor !== null; pages += 1) {
    const page: ChargePage = await payments.listCharges({ since: before, cursor }, noAbort);
    listed.push(...page.charges);
    cursor = page.next_cursor;
  }
  expect(pages).toBe(2);
  expect(listed).toEqual(
    requests.map(({ customer: _customer, ...request }) => ({
      ...request,
      charge_id: expect.any(String) as string,
      refunded_cents: 0,
      disputed_cents: 0,
      charged_at: expect.any(Date) as Date,
    })),
  );
  const later = { since: new Date(Date.now() + 60_000), cursor: null };
  expect(await payments.listCharges(later, noAbort)).toEqual({ charges: [], next_cursor: null });
});

describe("refunds", () => {
  test("refund in parts, each once, and never more than was charged", async () => {
    const request = aCharge();
    const charge = await payments.charge(request, noAbort);
    const part = {
      charge_id: charge.charge_id,
      reference: `ref_${randomUUID()}`,
      charge_reference: charge.reference,
      amount_cents: 6_000,
    };
    const refund = await payments.refund(part, noAbort);
    expect(refund).toMatchObject({ charge_id: charge.charge_id, amount_cents: 6_000 });
    expect(await payments.refund(part, noAbort)).toEqual(refund);
    const excess = { ...part, reference: `ref_${randomUUID()}` };
    expect((await failureOf(payments.refund(excess, noAbort))).kind).toBe("refused");
    const found = await payments.findCharge(request, noAbort);
    expect(found?.refunded_cents).toBe(6_000);
    expect(await journalOf(part.reference)).toMatchObject([{ operation: "charge_refund" }]);
  });

  test("of a charge that does not exist are refused", async () => {
    const request = {
      reference: "r",
      charge_reference: "none",
      charge_id: "ch_none",
      amount_cents: 1,
    };
    expect((await failureOf(payments.refund(request, noAbort))).kind).toBe("refused");
  });
});

describe("a processor that fails", () => {
  test.each([
    ["an empty response", 200, ""],
    ["a web page", 200, "<html></html>"],
    ["another shape", 200, '{"data": {"charge_id": 7}}'],
    ["a proxy's 404", 404, "<html></html>"],
    ["status 503", 503, '{"error": {"code": "down", "message": "Down."}}'],
  ])("with %s leaves the outcome unknown", async (_name, status, body) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const broken = simulatedPayments({ simulator_url: `http://127.0.0.1:${port}` });
    expect((await failureOf(broken.charge(aCharge(), noAbort))).kind).toBe("unknown");
    server.closeAllConnections();
    server.close();
    await once(server, "close");
    expect((await failureOf(broken.charge(aCharge(), noAbort))).kind).toBe("unreachable");
  });

  test("without a response is left within 250 ms of the abort", async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const hung = simulatedPayments({ simulator_url: `http://127.0.0.1:${port}` });
    const abort = AbortSignal.timeout(30);
    const call = failureOf(hung.charge(aCharge(), abort));
    await once(abort, "abort");
    const abortedAt = performance.now();
    expect(await call).toMatchObject({ kind: "unknown", party_code: "timeout" });
    expect(performance.now() - abortedAt).toBeLessThan(250);
    server.closeAllConnections();
    server.close();
  });
});
