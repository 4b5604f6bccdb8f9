import { randomUUID } from "node:crypto";
import { PaymentError, type ChargeRequest, type Payments } from "../payments.ts";
import type { Intent } from "./stripe-accounts-world.ts";
import {
  startStripeServer,
  stripeKey,
  type LoggedRequest,
  type StripeServer,
} from "./stripe-server-world.ts";
import { stripePayments } from "./stripe.ts";

/** A local Stripe, the provider that calls it, and the server's record of each request. */
export interface StripeWorld {
  server: StripeServer;
  payments: Payments;
  intentsOf(request: ChargeRequest): Intent[];
  requestsOf(request: ChargeRequest): LoggedRequest[];
}

export async function aStripe(): Promise<StripeWorld> {
  const server = await startStripeServer();
  const intentsOf = ({ reference }: ChargeRequest) =>
    [...server.intents.values()].filter(({ metadata }) => metadata["reference"] === reference);
  return {
    server,
    payments: stripePayments({ secret_key: stripeKey, url: server.url }),
    intentsOf,
    requestsOf(request) {
      const ids = new Set(intentsOf(request).map(({ id }) => id));
      return server.requests.filter(({ id, key }) => ids.has(id) || key === request.reference);
    },
  };
}

export const noAbort = new AbortController().signal;

export function aCharge(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    reference: `att_${randomUUID()}`,
    account_id: "acc_1",
    transaction_id: "txn_1",
    idempotency_key: null,
    amount_cents: 10_050,
    currency: "CAD",
    payment_method: "pm_card_visa",
    customer: null,
    ...changes,
  };
}

/** The error of a call that must fail, and with nothing but a `PaymentError`. */
export async function failureOf(call: Promise<unknown>): Promise<PaymentError> {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (failure instanceof PaymentError) return failure;
  throw new Error("the call did not fail with a PaymentError", { cause: failure });
}
