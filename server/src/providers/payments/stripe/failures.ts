import { Stripe } from "stripe";
import { TransportError } from "../../../transport/http-call.ts";
import { PaymentError } from "../payments.ts";

/**
 * What an error of Stripe's proves. Only its own codes for "nothing was done" count; a proxy's page
 * with the same status does not, and whatever may have been done is `unknown`.
 */

const party = "stripe";

export function paymentError(error: unknown): PaymentError {
  if (error instanceof PaymentError) return error;
  if (!(error instanceof Stripe.errors.StripeError)) return outcomeUnknown("bad_answer", error);
  const { detail, statusCode: status, rawType, code, message } = error;
  if (detail instanceof TransportError) {
    const { kind, code } = detail;
    return new PaymentError(
      { party, kind, code, message: `The card processor ${detail.message}.` },
      error,
    );
  }
  if (status === 402 && rawType === "card_error") {
    const decline_code = error.decline_code || code || "generic_decline";
    const failure = { party, kind: "refused", code: code ?? "card_declined" } as const;
    return new PaymentError({ ...failure, message, decline_code }, error);
  }
  // The limiter comes before everything else. `lock_timeout` has the same status, but means that
  // another call is at work on the same payment.
  if (status === 429 && rawType !== undefined && code !== "lock_timeout") {
    const message = "The card processor takes no more requests at the moment.";
    return new PaymentError({ party, kind: "unreachable", code: "rate_limited", message }, error);
  }
  if ((status === 401 || status === 403) && rawType === "invalid_request_error") {
    const message = "The card processor does not accept this platform's credentials.";
    return new PaymentError(
      { party, kind: "refused", code: "credentials_refused", message },
      error,
    );
  }
  if (isInvalidRequest(error)) {
    return new PaymentError(
      { party, kind: "refused", code: code ?? "invalid_request", message },
      error,
    );
  }
  return outcomeUnknown(code ?? (status === undefined ? "bad_answer" : `status_${status}`), error);
}

/** Stripe read the request and did not begin it. A payment in another state than expected is no such case. */
export function isInvalidRequest(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.rawType === "invalid_request_error" &&
    error.code !== "payment_intent_unexpected_state"
  );
}

/** Stripe's saved answer to an earlier request with the same idempotency key. */
export function isReplayed(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && error.headers?.["idempotent-replayed"] === "true"
  );
}

/** An error that proves nothing; `code` names it in the log. */
export function outcomeUnknown(code: string, cause?: unknown): PaymentError {
  const message = "The card processor gave no answer that says what became of the payment.";
  return new PaymentError({ party, kind: "unknown", code, message }, cause);
}

/**
 * Stripe counts these in other units than hundredths (its page on currencies), and Waybill's money has
 * only those.
 */
const notInCents = new Set(
  "BHD BIF CLP DJF GNF ISK JOD JPY KMF KRW KWD MGA OMR PYG RWF TND UGX VND VUV XAF XOF XPF".split(
    " ",
  ),
);

/** Throws `refused` for a currency in which an amount in cents would be another amount at Stripe. */
export function refuseUncountable(currency: string): void {
  if (!notInCents.has(currency.toUpperCase())) return;
  const message = `Amounts in ${currency} cannot be charged.`;
  throw new PaymentError({ party, kind: "refused", code: "currency_not_supported", message });
}
