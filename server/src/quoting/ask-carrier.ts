import {
  CarrierError,
  type Carrier,
  type CarrierQuote,
  type QuoteRequest,
} from "../carriers/carrier.ts";
import type { Exclusion } from "../domain/limits/service-limits.ts";
import { tooLate, type Deadline } from "./deadline.ts";

/** The outcome of asking a carrier: its response, or why all requested services are missing. */
export type Reply = { answer: CarrierQuote } | { exclusion: Exclusion; cause: unknown };

/**
 * Asks one carrier and waits for it until the deadline and no longer: then its sockets are aborted, and a
 * later response or error is ignored. Never throws.
 */
export async function askCarrier(
  carrier: Carrier,
  request: QuoteRequest,
  deadline: Deadline,
): Promise<Reply> {
  const { name } = carrier.descriptor;
  const abort = new AbortController();
  const reply = replyOf(carrier, request, abort.signal);
  const first = await Promise.race([reply, deadline.passed]);
  if (first !== tooLate) return first;
  const message = `${name} did not answer within ${deadline.seconds} s.`;
  abort.abort(new DOMException(message, "TimeoutError"));
  return { exclusion: { reason: "carrier_timeout", message }, cause: null };
}

/** Settles every failure here, so that one after the deadline is no unhandled rejection. */
async function replyOf(
  carrier: Carrier,
  request: QuoteRequest,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    return { answer: await carrier.quote(request, signal) };
  } catch (error) {
    return { exclusion: exclusionOf(error, carrier.descriptor.name), cause: error };
  }
}

/** A carrier's own timeout is a `CarrierError`, or what `AbortSignal.timeout` throws. */
function exclusionOf(error: unknown, carrierName: string): Exclusion {
  if (error instanceof CarrierError) {
    const isTimeout = error.exclusion === "carrier_error" && error.carrier_code === "timeout";
    return { reason: isTimeout ? "carrier_timeout" : error.exclusion, message: error.message };
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return { reason: "carrier_timeout", message: `${carrierName} did not answer in time.` };
  }
  return { reason: "carrier_error", message: `${carrierName} could not be asked for its rates.` };
}
