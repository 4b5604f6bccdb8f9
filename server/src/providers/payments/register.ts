import { PaymentError, type Payments, type Processor } from "./payments.ts";
import { simulatedPayments } from "./simulated.ts";
import { stripePayments } from "./stripe/stripe.ts";

/** Which card processor an account's money goes to. */
export interface PaymentsRegister {
  /** Every processor that can be called. */
  readonly all: readonly Payments[];
  /** The processor of an account's new charges: in the sandbox no real money moves, ever (decision 1). */
  forAccount(environment: "live" | "test"): Payments;
  /**
   * The processor that an attempt was sent to, whatever is configured by now. Throws `PaymentError`
   * `unknown` when it cannot be called any more, so that the attempt stays open.
   */
  named(party: Processor): Payments;
}

interface PaymentsOptions {
  simulator_url: string;
  /** Null without a key: then Stripe can be neither chosen nor called. */
  stripe: { secret_key: string; url: string } | null;
  live: "simulated" | "stripe";
}

export function createPayments({ simulator_url, stripe, live }: PaymentsOptions): PaymentsRegister {
  const simulated = simulatedPayments({ simulator_url });
  const processors: Record<Processor, Payments | null> = {
    payments: simulated,
    stripe: stripe && stripePayments(stripe),
  };
  const named = (party: Processor): Payments => {
    const payments = processors[party];
    if (payments) return payments;
    const message = "The card processor that was asked is no longer configured.";
    throw new PaymentError({ party, kind: "unknown", code: "not_configured", message });
  };
  const forLive = live === "stripe" ? named("stripe") : simulated;
  return {
    all: Object.values(processors).filter((payments) => payments !== null),
    forAccount: (environment) => (environment === "live" ? forLive : simulated),
    named,
  };
}
