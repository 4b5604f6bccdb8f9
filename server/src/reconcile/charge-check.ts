import { fromCents, type Cents } from "../domain/values/money.ts";
import { oneByOne, type OutboundOperation } from "../outbound/operation.ts";
import { PaymentError, type Processor } from "../providers/payments/payments.ts";

/** What an operator is shown of a charge that differs between the processor and the ledger. */
interface ChargeCheck {
  transaction_id: string;
  charge_id: string;
  charge_reference: string;
  amount_cents: Cents;
  currency: string;
  /** What happened there, as the rest of a sentence that begins with the charge. */
  what: string;
}

/**
 * A review without any outside call: it is about something that has happened at the card processor, and only
 * a person can decide what it means for the account. It is an attempt of unknown outcome without lookup, so
 * that it is listed, counted and decided like every other review. Its decision moves no money.
 */
export function chargeCheck(): OutboundOperation<ChargeCheck, null, null, void> {
  return {
    kind: "charge_check",
    timeoutSeconds: () => 1,
    lookUp: () => null,
    recovery: { by: "find", find: async () => null },
    review: {
      evidence: {},
      advice: ({ party, input }) => {
        const { charge_id, charge_reference, transaction_id, amount_cents, currency, what } = input;
        return (
          `Look at ${charge_id} at ${party}, which paid for top-up ${transaction_id} of ${fromCents(amount_cents)} ${currency} under our reference ${charge_reference}: it ${what}. ` +
          "Where the account is no longer owed the credit, take it back with an adjustment, and suspend the account if it is spent. " +
          "Then decide `stands`; decide `void` when nothing came of it."
        );
      },
      moves: () => ({ stands: 0, void: 0 }),
      // The operator's finding is in the note, and its financial consequences are in the ledger.
      resultOf: async () => null,
    },
    async send({ party, input }) {
      throw new PaymentError({
        party: party as Processor,
        kind: "unknown",
        code: "done_there",
        message: `The charge ${input.what}.`,
      });
    },
    settle: oneByOne(async () => undefined),
    release: async () => undefined,
    suspend: async () => undefined,
  };
}
