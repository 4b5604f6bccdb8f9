import { CarrierError, type Carrier, type QuoteRequest } from "../carriers/carrier.ts";
import type { Exclusion } from "../domain/limits/service-limits.ts";
import { tooLate, type Deadline } from "./deadline.ts";

/** The outcome of asking a carrier: its response, or why there is none. */
export type Reply<Answer> = { answer: Answer } | { exclusion: Exclusion; cause: unknown };

/** Asks one carrier for its rates. Never throws. */
export function askCarrier(carrier: Carrier, request: QuoteRequest, deadline: Deadline) {
  const call = (signal: AbortSignal) => carrier.quote(request, signal);
  return askInTime(carrier, { call, what: "its rates" }, deadline);
}

/**
 * Waits for a carrier until the deadline and no longer: then its sockets are aborted, and a later response or
 * error is ignored. `what` it is asked for stands in the message of a failure. Never throws.
 */
export async function askInTime<Answer>(
  carrier: Pick<Carrier, "descriptor">,
  asked: { call: (signal: AbortSignal) => Promise<Answer>; what: string },
  deadline: Deadline,
): Promise<Reply<Answer>> {
  const { name } = carrier.descriptor;
  const abort = new AbortController();
  const reply = replyOf(name, asked, abort.signal);
  const first = await Promise.race([reply, deadline.passed]);
  if (first !== tooLate) return first;
  const message = `${name} did not answer within ${deadline.seconds} s.`;
  abort.abort(new DOMException(message, "TimeoutError"));
  return { exclusion: { reason: "carrier_timeout", message }, cause: null };
}

/** Settles every failure here, so that one after the deadline is no unhandled rejection. */
async function replyOf<Answer>(
  name: string,
  { call, what }: { call: (signal: AbortSignal) => Promise<Answer>; what: string },
  signal: AbortSignal,
): Promise<Reply<Answer>> {
  try {
    return { answer: await call(signal) };
  } catch (error) {
    return { exclusion: exclusionOf(error, { name, what }), cause: error };
  }
}

/** A carrier's own timeout is a `CarrierError`, or what `AbortSignal.timeout` throws. */
function exclusionOf(error: unknown, { name, what }: { name: string; what: string }): Exclusion {
  if (error instanceof CarrierError) {
    const isTimeout = error.exclusion === "carrier_error" && error.carrier_code === "timeout";
    return { reason: isTimeout ? "carrier_timeout" : error.exclusion, message: error.message };
  }
  if (error instanceof Error && error.name === "TimeoutError") {
    return { reason: "carrier_timeout", message: `${name} did not answer in time.` };
  }
  return { reason: "carrier_error", message: `${name} could not be asked for ${what}.` };
}
