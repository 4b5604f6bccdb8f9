import { randomUUID } from "node:crypto";
import { inTurn } from "../in-turn.ts";
import type { Entry, Journal } from "../journal.ts";
import { Refusal } from "../refusal.ts";
import type {
  WireCharge,
  WireChargeRequest,
  WireListedCharge,
  WirePurpose,
  WireRefund,
  WireRefundRequest,
} from "../wire.ts";

/**
 * The simulated card processor's books. As with the real ones, a reference is an idempotency key: the
 * same one again answers the same charge or refund and moves no more money.
 */
export interface ChargeBook {
  charge(request: WireChargeRequest): Promise<{ charge: WireCharge; lose_answer: boolean }>;
  find(reference: string): Promise<WireCharge | null>;
  /** Charges since a moment, oldest first; `after` is the `next_cursor` of the page before, or 0. */
  list(terms: { since: Date; after: number }): {
    charges: WireListedCharge[];
    next_cursor: number | null;
  };
  refund(request: WireRefundRequest): Promise<WireRefund>;
  replay(entry: Entry): void;
}

/** As `carrier` in the journal. */
export const processorCode = "payments";

type ChargeFacts = Omit<WireCharge, "reference" | "refunded_cents"> & { purpose?: WirePurpose };
type RefundFacts = Omit<WireRefund, "reference"> & { charge_reference: string };

const losesAnswer: Readonly<Record<string, boolean>> = {
  pm_card_visa: false,
  pm_card_lost_answer: true,
};

const pageSize = 100;

export function chargeBook(journal: Journal): ChargeBook {
  const charges = new Map<string, WireCharge>();
  const refunds = new Map<string, WireRefund>();
  const made: Made[] = [];
  const turn = inTurn();

  async function charge(request: WireChargeRequest) {
    const { reference, amount_cents, currency, payment_method, purpose } = request;
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
    const facts: ChargeFacts = { charge_id, amount_cents, currency, payment_method, purpose };
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
      const { sequence, at, purpose = null } = written as Entry & ChargeFacts;
      made.push({ sequence, at, reference, purpose });
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
    list: (terms) => listSince(made, charges, terms),
    refund: (request) => turn(request.charge_reference, () => refund(request)),
    replay,
  };
}

/** What a list says of a charge besides what the charge says of itself. */
interface Made {
  sequence: number;
  at: string;
  reference: string;
  purpose: WirePurpose | null;
}

function listSince(
  made: readonly Made[],
  charges: ReadonlyMap<string, WireCharge>,
  { since, after }: { since: Date; after: number },
) {
  const listed = made.filter(
    ({ sequence, at }) => sequence > after && Date.parse(at) >= since.getTime(),
  );
  const page = listed.slice(0, pageSize);
  return {
    charges: page.map(({ reference, purpose, at }) => ({
      ...charges.get(reference)!,
      purpose,
      charged_at: at,
    })),
    next_cursor: listed.length > pageSize ? page.at(-1)!.sequence : null,
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
