import { randomUUID } from "node:crypto";
import { inTurn } from "../in-turn.ts";
import type { Entry, Journal } from "../journal.ts";
import { Refusal } from "../refusal.ts";
import type { WireCharge, WireChargeRequest, WireRefund, WireRefundRequest } from "../wire.ts";

/**
 * The simulated card processor's books. As with the real ones, a reference is an idempotency key: the
 * same one again answers the same charge or refund and moves no more money.
 */
export interface ChargeBook {
  charge(request: WireChargeRequest): Promise<{ charge: WireCharge; lose_answer: boolean }>;
  find(reference: string): Promise<WireCharge | null>;
  refund(request: WireRefundRequest): Promise<WireRefund>;
  replay(entry: Entry): void;
}

/** As `carrier` in the journal. */
export const processorCode = "payments";

type ChargeFacts = Omit<WireCharge, "reference" | "refunded_cents">;
type RefundFacts = Omit<WireRefund, "reference"> & { charge_reference: string };

const losesAnswer: Readonly<Record<string, boolean>> = {
  pm_card_visa: false,
  pm_card_lost_answer: true,
};

export function chargeBook(journal: Journal): ChargeBook {
  const charges = new Map<string, WireCharge>();
  const refunds = new Map<string, WireRefund>();
  const turn = inTurn();

  async function charge(request: WireChargeRequest) {
    const { reference, amount_cents, currency, payment_method } = request;
    const earlier = charges.get(reference);
    if (earlier) {
      const same =
        earlier.amount_cents === amount_cents &&
        earlier.currency === currency &&
        earlier.payment_method === payment_method;
      if (!same) throw new Refusal(409, "reference_reused", "The reference is of another charge.");
      return { charge: earlier, lose_answer: false };
    }
    const charge_id = `ch_${randomUUID()}`;
    const facts: ChargeFacts = { charge_id, amount_cents, currency, payment_method };
    const lose_answer = answerIsLost(payment_method);
    replay(await journal.append({ ...entry("charge", reference), ...facts }));
    return { charge: charges.get(reference)!, lose_answer };
  }

  async function refund(request: WireRefundRequest): Promise<WireRefund> {
    const { reference, charge_reference, amount_cents } = request;
    const charged = charges.get(charge_reference);
    if (!charged) throw new Refusal(404, "charge_not_found", "There is no such charge.");
    const earlier = refunds.get(reference);
    if (earlier) {
      const same = earlier.charge_id === charged.charge_id && earlier.amount_cents === amount_cents;
      if (!same) throw new Refusal(409, "reference_reused", "The reference is of another refund.");
      return earlier;
    }
    if (charged.refunded_cents + amount_cents > charged.amount_cents) {
      throw new Refusal(422, "refund_exceeds_charge", "More would be refunded than was charged.");
    }
    const { charge_id, currency } = charged;
    const refund_id = `re_${randomUUID()}`;
    const facts: RefundFacts = { refund_id, charge_id, charge_reference, amount_cents, currency };
    replay(await journal.append({ ...entry("charge_refund", reference), ...facts }));
    return refunds.get(reference)!;
  }

  function replay(written: Entry): void {
    if (written.operation === "charge") {
      const { reference, charge_id, amount_cents, currency, payment_method } = written as Entry &
        ChargeFacts;
      const facts = { charge_id, amount_cents, currency, payment_method };
      charges.set(reference, { ...facts, reference, refunded_cents: 0 });
    }
    if (written.operation === "charge_refund") {
      const { reference, refund_id, charge_id, charge_reference, amount_cents, currency } =
        written as Entry & RefundFacts;
      refunds.set(reference, { reference, refund_id, charge_id, amount_cents, currency });
      const charged = charges.get(charge_reference)!;
      charges.set(charge_reference, {
        ...charged,
        refunded_cents: charged.refunded_cents + amount_cents,
      });
    }
  }

  return {
    charge: (request) => turn(request.reference, () => charge(request)),
    find: (reference) => turn(reference, async () => charges.get(reference) ?? null),
    refund: (request) => turn(request.charge_reference, () => refund(request)),
    replay,
  };
}

function entry(operation: "charge" | "charge_refund", reference: string) {
  return { carrier: processorCode, operation, reference, tracking_code: null };
}

/** Whether the card commits and then says nothing. Refuses cards that are declined or unheard of. */
function answerIsLost(paymentMethod: string): boolean {
  if (paymentMethod === "pm_card_declined") {
    throw new Refusal(402, "card_declined", "The card was declined.", {
      decline_code: "generic_decline",
    });
  }
  const lost = Object.hasOwn(losesAnswer, paymentMethod) ? losesAnswer[paymentMethod] : undefined;
  if (lost === undefined)
    throw new Refusal(422, "payment_method_unknown", "There is no such card.");
  return lost;
}
