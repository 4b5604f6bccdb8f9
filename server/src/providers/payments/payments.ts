import type { Cents } from "../../domain/values/money.ts";
import { OutsideError, type OutsideFailure } from "../../domain/errors/outside-error.ts";

/**
 * What Waybill requires of a card processor. Unlike a carrier, a processor takes the reference as an
 * idempotency key: the same call with the same reference moves the money once, however often it is
 * made. An unknown outcome is looked up all the same, because a lookup can also prove that there was none.
 *
 * Every method takes an AbortSignal and stops, sockets included, when it fires. Failures are thrown
 * as `PaymentError`; its `kind` means what it means for carriers.
 */
export interface Payments {
  /** Its name in attempts and errors. */
  readonly party: Processor;
  /** How long a call may take before its outcome counts as unknown. */
  readonly timeoutSeconds: number;
  /** How long after a call a charge may still appear; an earlier lookup is not final. */
  readonly commitHorizonSeconds: number;

  /** Takes the money. A declined card is `refused` with its `decline_code`. */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<Charge>;

  /**
   * The charge made by this very request, or null when the processor definitely has none. It takes the
   * whole request because a lookup may have to close what the request had begun, so that a call which
   * is still under way cannot charge afterwards. An error of it proves nothing about the charge.
   */
  findCharge(request: ChargeRequest, signal: AbortSignal): Promise<Charge | null>;

  /**
   * Every charge of this installation made since that moment, a page at a time. For `waybill
   * reconcile`: a database that was set back finds its missing charges here. A charge without
   * Waybill's metadata belongs to another system and is left out.
   */
  listCharges(
    request: { since: Date; cursor: string | null },
    signal: AbortSignal,
  ): Promise<ChargePage>;

  /**
   * Refunds and disputes of this installation's charges since that moment that Waybill did not make, a page
   * at a time: of charges of whatever age.
   */
  listReversals(
    request: { since: Date; cursor: string | null },
    signal: AbortSignal,
  ): Promise<ReversalPage>;

  /** Pays a charge back, in part or whole. `refused` when there is no such charge or too little left of it. */
  refund(request: RefundRequest, signal: AbortSignal): Promise<ChargeRefund>;
}

/** `payments` is the simulated one, as in the simulator's journal. */
export type Processor = "payments" | "stripe";

export interface ChargeRequest extends ChargePurpose {
  /** Waybill's, permanently unique: one reference, at most one charge. */
  reference: string;
  amount_cents: Cents;
  currency: string;
  /** The processor's own id of the card, such as `pm_card_visa`. */
  payment_method: string;
  /** The processor's own id of the cardholder, where it keeps cards by customer. */
  customer: string | null;
}

/** Metadata of the charge, for a process that finds it on a list and has no record of it. */
interface ChargePurpose {
  account_id: string;
  /** Of the credit that it pays for. */
  transaction_id: string;
  /** The client's, whose retry must show this charge and make no other. */
  idempotency_key: string | null;
}

export interface ListedCharge extends Charge, ChargePurpose {
  charged_at: Date;
}

export interface ChargePage {
  charges: ListedCharge[];
  /** Null after the last page. */
  next_cursor: string | null;
}

/** A refund made at the processor by a person, or a dispute, whatever its state since. */
export interface Reversal {
  kind: "refund" | "dispute";
  reversal_id: string;
  amount_cents: Cents;
  /** The processor's own status, such as `needs_response`. */
  status: string;
  reversed_at: Date;
  charge: ListedCharge;
}

export interface ReversalPage {
  reversals: Reversal[];
  next_cursor: string | null;
}

export interface Charge {
  /** The processor's own id of the charge. */
  charge_id: string;
  reference: string;
  amount_cents: Cents;
  currency: string;
  payment_method: string;
  refunded_cents: Cents;
  /**
   * The amount that a cardholder's bank took back, or holds until it has decided; absent without a
   * dispute.
   */
  disputed_cents?: Cents;
}

/** The reference under which Waybill itself refunds a charge: it tells Waybill's refunds from others. */
export function undoReference(chargeReference: string): string {
  return `${chargeReference}_undo`;
}

export interface RefundRequest {
  /** Waybill's, of the refund itself: one reference, at most one refund. */
  reference: string;
  charge_reference: string;
  /** The processor's own id of the charge. */
  charge_id: string;
  amount_cents: Cents;
}

export interface ChargeRefund {
  refund_id: string;
  reference: string;
  charge_id: string;
  amount_cents: Cents;
  currency: string;
}

/** A processor's failure: an outside party's, with why a card was declined. */
export class PaymentError extends OutsideError {
  /** Set when, and only when, the card was declined: `details.decline_code` of `payment_failed`. */
  readonly decline_code: string | null;

  constructor(
    failure: {
      party: Processor;
      kind: OutsideFailure;
      code: string;
      message: string;
      decline_code?: string;
    },
    cause?: unknown,
  ) {
    super({ ...failure, party_code: failure.code }, cause);
    this.name = "PaymentError";
    this.decline_code = failure.decline_code ?? null;
  }
}
