import { randomUUID } from "node:crypto";
import { inTurn } from "../in-turn.ts";
import type { Entry, Journal } from "../journal.ts";
import { Refusal } from "../refusal.ts";
import type {
  WireCharge,
  WireChargeRequest,
  WireListedCharge,
  WireListedReversal,
  WirePurpose,
  WireRefund,
  WireRefundRequest,
} from "../wire.ts";

/**
 * The simulated card processor's charges. As with the real ones, a reference is an idempotency key:
 * the same one again returns the same charge or refund and moves no more money.
 */
export interface ChargeBook {
  charge(request: WireChargeRequest): Promise<{ charge: WireCharge; drop_response: boolean }>;
  find(reference: string): Promise<WireCharge | null>;
  /** Charges since a moment, oldest first; `after` is the `next_cursor` of the page before, or 0. */
  list(options: Since): { charges: WireListedCharge[]; next_cursor: number | null };
  /** Refunds and disputes since a moment, of charges of whatever age; paged in the same way. */
  listReversals(options: Since): { reversals: WireListedReversal[]; next_cursor: number | null };
  refund(request: WireRefundRequest): Promise<WireRefund>;
  /** Called by no client of the processor: the cardholder's bank takes the money back. */
  dispute(request: WireRefundRequest): Promise<WireRefund>;
  replay(entry: Entry): void;
}

interface Since {
  since: Date;
  after: number;
}

/** As `carrier` in the journal. */
export const processorCode = "payments";

type ChargeFacts = Omit<WireCharge, "reference" | "refunded_cents" | "disputed_cents"> & {
  purpose?: WirePurpose;
};
type RefundFacts = Omit<WireRefund, "reference"> & { charge_reference: string };

const dropsResponse: Readonly<Record<string, boolean>> = {
  pm_card_visa: false,
  pm_card_lost_answer: true,
};

const pageSize = 100;

export function chargeBook(journal: Journal): ChargeBook {
  const charges = new Map<string, WireCharge>();
  const refunds = new Map<string, WireRefund>();
  const made: Made[] = [];
  const reversals: Reversal[] = [];
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
      return { charge: earlier, drop_response: false };
    }
    const charge_id = `ch_${randomUUID()}`;
    const facts: ChargeFacts = { charge_id, amount_cents, currency, payment_method, purpose };
    const drop_response = answerIsLost(payment_method);
    replay(await journal.append({ ...entry("charge", reference), ...facts }));
    return { charge: charges.get(reference)!, drop_response };
  }

  /** A requested refund, or a dispute that the cardholder's bank opened: either takes money back. */
  async function reverse(
    operation: ReversalOperation,
    request: WireRefundRequest,
  ): Promise<WireRefund> {
    const { reference, charge_reference, amount_cents } = request;
    const charged = charges.get(charge_reference);
    if (!charged) throw new Refusal(404, "charge_not_found", "There is no such charge.");
    const earlier = refunds.get(reference);
    if (earlier) {
      const same = earlier.charge_id === charged.charge_id && earlier.amount_cents === amount_cents;
      if (!same) throw new Refusal(409, "reference_reused", "The reference is of another refund.");
      return earlier;
    }
    const gone_cents = charged.refunded_cents + charged.disputed_cents;
    if (gone_cents + amount_cents > charged.amount_cents) {
      throw new Refusal(422, "refund_exceeds_charge", "More would be refunded than was charged.");
    }
    const { charge_id, currency } = charged;
    const refund_id = `${operation === "charge_refund" ? "re" : "dp"}_${randomUUID()}`;
    const facts: RefundFacts = { refund_id, charge_id, charge_reference, amount_cents, currency };
    replay(await journal.append({ ...entry(operation, reference), ...facts }));
    return refunds.get(reference)!;
  }

  const replay = (written: Entry) => apply({ charges, refunds, made, reversals }, written);

  const listed = (each: Made) => listedOf(charges, each);

  return {
    charge: (request) => turn(request.reference, () => charge(request)),
    find: (reference) => turn(reference, async () => charges.get(reference) ?? null),
    list(options) {
      const { page, next_cursor } = pageOf(made, options);
      return { charges: page.map(listed), next_cursor };
    },
    listReversals(options) {
      const { page, next_cursor } = pageOf(reversals, options);
      const chargeOf = ({ charge_reference }: Reversal) =>
        listed(made.find(({ reference }) => reference === charge_reference)!);
      return { reversals: page.map((each) => reversalOf(each, chargeOf(each))), next_cursor };
    },
    refund: (request) => turn(request.charge_reference, () => reverse("charge_refund", request)),
    dispute: (request) => turn(request.charge_reference, () => reverse("charge_dispute", request)),
    replay,
  };
}

function reversalOf(
  { kind, reference, refund_id, amount_cents, at }: Reversal,
  charge: WireListedCharge,
): WireListedReversal {
  return { kind, reference, amount_cents, reversal_id: refund_id, reversed_at: at, charge };
}

interface Books {
  charges: Map<string, WireCharge>;
  refunds: Map<string, WireRefund>;
  made: Made[];
  reversals: Reversal[];
}

/** Applies an entry of the journal to the charges. */
function apply({ charges, refunds, made, reversals }: Books, written: Entry): void {
  if (written.operation === "charge") {
    const { reference, charge_id, amount_cents, currency, payment_method } = written as Entry &
      ChargeFacts;
    const facts = { charge_id, amount_cents, currency, payment_method };
    charges.set(reference, { ...facts, reference, refunded_cents: 0, disputed_cents: 0 });
    const { sequence, at, purpose = null } = written as Entry & ChargeFacts;
    made.push({ sequence, at, reference, purpose });
  }
  if (written.operation === "charge_refund" || written.operation === "charge_dispute") {
    const { reference, refund_id, charge_id, charge_reference, amount_cents, currency } =
      written as Entry & RefundFacts;
    refunds.set(reference, { reference, refund_id, charge_id, amount_cents, currency });
    const charged = charges.get(charge_reference)!;
    const kind = written.operation === "charge_refund" ? "refund" : "dispute";
    const cents = kind === "refund" ? "refunded_cents" : "disputed_cents";
    charges.set(charge_reference, { ...charged, [cents]: charged[cents] + amount_cents });
    const { sequence, at } = written;
    reversals.push({ sequence, at, kind, reference, refund_id, charge_reference, amount_cents });
  }
}

/** What a list has of a charge in addition to the charge itself. */
interface Made {
  sequence: number;
  at: string;
  reference: string;
  purpose: WirePurpose | null;
}

interface Reversal {
  sequence: number;
  at: string;
  kind: "refund" | "dispute";
  reference: string;
  refund_id: string;
  charge_reference: string;
  amount_cents: number;
}

function listedOf(
  charges: ReadonlyMap<string, WireCharge>,
  { reference, purpose, at }: Made,
): WireListedCharge {
  return { ...charges.get(reference)!, purpose, charged_at: at };
}

/** What was made since, after the cursor. */
function pageOf<Line extends { sequence: number; at: string }>(
  lines: readonly Line[],
  { since, after }: Since,
): { page: Line[]; next_cursor: number | null } {
  const listed = lines.filter(
    ({ sequence, at }) => sequence > after && Date.parse(at) >= since.getTime(),
  );
  const page = listed.slice(0, pageSize);
  return { page, next_cursor: listed.length > pageSize ? page.at(-1)!.sequence : null };
}

type ReversalOperation = "charge_refund" | "charge_dispute";

function entry(operation: "charge" | ReversalOperation, reference: string) {
  return { carrier: processorCode, operation, reference, tracking_code: null };
}

/** Whether the card commits and its response is lost. Refuses declined and unknown cards. */
function answerIsLost(paymentMethod: string): boolean {
  if (paymentMethod === "pm_card_declined") {
    throw new Refusal(402, "card_declined", "The card was declined.", {
      decline_code: "generic_decline",
    });
  }
  const lost = Object.hasOwn(dropsResponse, paymentMethod)
    ? dropsResponse[paymentMethod]
    : undefined;
  if (lost === undefined)
    throw new Refusal(422, "payment_method_unknown", "There is no such card.");
  return lost;
}
