import type { Cents } from "../../domain/money.ts";
import { OutsideError, type OutsideFailure } from "../../domain/outside-error.ts";

/**
 * What Waybill asks of a card processor. Unlike a carrier, a processor takes our reference as an
 * idempotency key: the same call with the same reference moves the money once, however often it is
 * made, and answers the same each time. So an outcome that nobody heard may be looked up or asked for
 * again, whichever suits.
 *
 * Every method takes an AbortSignal and stops, sockets included, when it fires. Failures are thrown
 * as `PaymentError`; its `kind` means what it means for carriers.
 */
export interface Payments {
  /** How long a call may take before its outcome counts as unknown. */
  readonly timeoutSeconds: number;
  /** How long after a call a charge may still appear; a look-up before is not final. */
  readonly commitHorizonSeconds: number;

  /** Takes the money. A declined card is `refused` with its `decline_code`. */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<Charge>;

  /** The charge made under this reference, or null when the processor is sure that there is none. */
  findCharge(reference: string, signal: AbortSignal): Promise<Charge | null>;

  /** Pays a charge back, in part or whole. `refused` when there is no such charge or too little left of it. */
  refund(request: RefundRequest, signal: AbortSignal): Promise<ChargeRefund>;
}

export interface ChargeRequest {
  /** Ours, unique for ever: one reference, at most one charge. */
  reference: string;
  amount_cents: Cents;
  currency: string;
  /** The processor's own name of the card, such as `pm_card_visa`. */
  payment_method: string;
}

export interface Charge {
  /** The processor's own id of the charge. */
  charge_id: string;
  reference: string;
  amount_cents: Cents;
  currency: string;
  payment_method: string;
  refunded_cents: Cents;
}

export interface RefundRequest {
  /** Ours, of the refund itself: one reference, at most one refund. */
  reference: string;
  charge_reference: string;
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
    failure: { kind: OutsideFailure; code: string; message: string; decline_code?: string },
    cause?: unknown,
  ) {
    super({ ...failure, party: "payments", party_code: failure.code }, cause);
    this.name = "PaymentError";
    this.decline_code = failure.decline_code ?? null;
  }
}
