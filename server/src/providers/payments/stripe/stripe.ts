import { connections } from "../../../transport/http-call.ts";
import type { Payments } from "../payments.ts";
import type { StripeCalls } from "./calls.ts";

/**
 * Stripe. A charge is two calls (docs/adr/0011): one that creates the intent and moves no money, one
 * that confirms it and does, each with an idempotency key derived from the reference. In between, a
 * lookup has what it needs: an intent that can be found again by repeating the first call, and that
 * can be cancelled, after which no confirmation, however late, can charge.
 *
 * Stripe's library is large, and loaded with the first call.
 */
export function stripePayments(options: { secret_key: string; url: string }): Payments {
  const timeoutSeconds = 20;
  const connection = { ...options, agent: connections(), timeout_ms: timeoutSeconds * 1_000 };
  let loading: Promise<StripeCalls> | undefined;
  const calls = () =>
    (loading ??= import("./calls.ts").then(({ stripeCalls }) => stripeCalls(connection)));

  return {
    party: "stripe",
    timeoutSeconds,
    // A lookup is final: what it did not find charged, it has cancelled.
    commitHorizonSeconds: 0,

    charge: async (request, signal) => (await calls()).charge(request, signal),
    findCharge: async (request, signal) => (await calls()).findCharge(request, signal),
    listCharges: async (request, signal) => (await calls()).listCharges(request, signal),
    listReversals: async (request, signal) => (await calls()).listReversals(request, signal),
    refund: async (request, signal) => (await calls()).refund(request, signal),
  };
}
