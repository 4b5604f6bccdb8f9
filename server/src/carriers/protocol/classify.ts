import type { OutsideFailure } from "../../domain/errors/outside-error.ts";
import { BudgetExhausted } from "../../domain/scheduling/call-budget.ts";
import { TransportError, type HttpAnswer } from "../../transport/http-call.ts";
import { CarrierError, type ExclusionReason } from "../carrier.ts";

/**
 * What an answer of a carrier proves, by a table of each carrier's own. Without a rule: an error in the
 * carrier's own form is a refusal, unless its status is 5xx; everything else may have acted.
 */
export interface ErrorTable {
  carrier: string;
  name: string;
  /**
   * The error that the carrier's own form states, whatever the status; null for another form: a success, a
   * proxy's page, an empty body. Must not throw.
   */
  read(answer: HttpAnswer): OwnError | null;
  /** The first rule that lists the code decides. */
  rules: readonly ErrorRule[];
}

export interface OwnError {
  code: string;
  message: string;
}

interface ErrorRule {
  codes: readonly string[];
  /** When it is not a refusal. */
  kind?: OutsideFailure;
  /** Why a quote fails as a whole. */
  exclusion?: ExclusionReason;
  /** Waybill's own code in place of the carrier's. */
  carrier_code?: string;
  /** Waybill's own sentence in place of the carrier's: after the carrier's name. */
  message?: string;
}

/**
 * Refusals that are about the platform and not about the shipment. Their messages are Waybill's own,
 * since a carrier's may quote the credentials.
 */
export const credentialsInvalid = {
  exclusion: "carrier_credentials_invalid",
  message: "does not accept our credentials.",
} as const;
export const rateLimited = {
  exclusion: "carrier_rate_limited",
  message: "is being asked too often.",
} as const;

const byStatus: Readonly<Record<number, Omit<ErrorRule, "codes">>> = {
  401: credentialsInvalid,
  403: credentialsInvalid,
  429: rateLimited,
};

/** The longest message and code of a carrier's that are kept. */
const messageChars = 500;
const codeChars = 100;

/** The failure that an answer states. For answers that are no success. */
export function classify(table: ErrorTable, answer: HttpAnswer): CarrierError {
  const { carrier, name } = table;
  const { status, retry_after_seconds } = answer;
  const own = table.read(answer);
  const rule = own && table.rules.find(({ codes }) => codes.includes(own.code));
  const { exclusion, message, carrier_code, kind } = rule ?? byStatus[status] ?? {};
  const usual = status < 500 ? "refused" : "unknown";
  const stated = own === null ? "unknown" : (kind ?? usual);
  // The message of a broken carrier is not meant for customers.
  const words = stated === "refused" ? own?.message.slice(0, messageChars) : null;
  return new CarrierError({
    carrier,
    kind: stated,
    carrier_code: carrier_code ?? (own?.code.slice(0, codeChars) || "bad_answer"),
    message: message ? `${name} ${message}` : words || `${name} answered with status ${status}.`,
    exclusion,
    retry_after_seconds,
  });
}

/**
 * Whether an answer to a purchase proves nothing, in whatever form it comes: it timed out at the carrier, or it is in
 * conflict with what may be the same purchase.
 */
export function leavesPurchaseOpen({ status }: Pick<HttpAnswer, "status">): boolean {
  return status === 408 || status === 409;
}

/** The failure of an answer that says neither yes nor no: it may have acted. */
export function badAnswer({ carrier, name }: ErrorTable, cause?: unknown): CarrierError {
  const message = `${name} gave an answer that cannot be read.`;
  return new CarrierError({ kind: "unknown", carrier, carrier_code: "bad_answer", message }, cause);
}

/** A refusal of our own: nothing was sent, because the carrier would not take it. */
export function refusedByUs({ carrier }: ErrorTable, failure: OwnRefusal): CarrierError {
  return new CarrierError({ kind: "refused", carrier, ...failure });
}

type Failure = ConstructorParameters<typeof CarrierError>[0];
type OwnRefusal = Omit<Failure, "kind" | "carrier" | "retry_after_seconds">;

const exclusions: Partial<Record<TransportError["code"], ExclusionReason>> = {
  timeout: "carrier_timeout",
  over_budget: "carrier_rate_limited",
};

/** The failure of a call without an answer. Anything else that was thrown is a bug, and thrown on. */
export function withoutAnswer({ carrier, name }: ErrorTable, error: unknown): CarrierError {
  if (!(error instanceof TransportError)) throw error;
  const { kind, code: carrier_code, cause } = error;
  const exclusion = exclusions[carrier_code] ?? "carrier_error";
  const message = `${name} ${error.message}.`;
  const retry_after_seconds = cause instanceof BudgetExhausted ? cause.retry_after_seconds : null;
  const failure = { kind, carrier, carrier_code, message, exclusion, retry_after_seconds };
  return new CarrierError(failure, error);
}

/**
 * A failure before the call that was wanted: of the call for its token. Whatever came of that, the wanted
 * call was not made.
 */
export function beforeTheCall(error: CarrierError): CarrierError {
  const { carrier, carrier_code, message, exclusion, retry_after_seconds } = error;
  const failure = { carrier, carrier_code, message, exclusion, retry_after_seconds };
  return new CarrierError({ kind: "unreachable", ...failure }, error);
}
