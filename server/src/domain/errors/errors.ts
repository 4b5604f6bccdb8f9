/**
 * The catalogue of every error that the API can answer (decision 2), and the one class that carries
 * them. `docs/errors.md` is generated from this table. A message is public; internal facts go into
 * `cause` and the log.
 */
export const errorCatalogue = {
  bad_request: [400, "The request is not valid HTTP."],
  malformed_json: [400, "The body is not valid JSON."],
  invalid_idempotency_key: [
    400,
    "The Idempotency-Key header is not one key of 1 to 255 printable ASCII characters.",
  ],
  organization_required: [
    400,
    "The person belongs to several organizations: name one in X-Waybill-Organization.",
  ],
  unauthenticated: [401, "The request carries no valid token for this base address."],
  token_expired: [401, "The token has expired."],
  token_revoked: [401, "The token was revoked."],
  insufficient_credits: [402, "The available credit does not cover the amount."],
  payment_failed: [402, "The card was declined; nothing was charged."],
  scope_missing: [403, "The token holds none of the scopes that this call needs."],
  strong_required: [403, "This needs the password again: it was last given too long ago."],
  cross_origin: [
    403,
    "A browser sent this from another site, with the cookie of a signed-in person.",
  ],
  https_required: [403, "The page came by http, and people sign in by https alone here."],
  account_suspended: [403, "The account is suspended."],
  feature_disabled: [403, "This feature is not switched on for the account."],
  url_expired: [
    403,
    "The link has expired or was altered. Read the resource again for a fresh one.",
  ],
  not_found: [404, "There is no such resource in this account."],
  method_not_allowed: [405, "The path exists, but not with this method."],
  not_acceptable: [406, "This API answers JSON only."],
  request_timeout: [408, "The request did not arrive in time."],
  idempotency_conflict: [409, "The Idempotency-Key was used before with a different request."],
  idempotency_in_progress: [409, "The first request with this Idempotency-Key is still running."],
  replay_unavailable: [
    409,
    "The first request with this Idempotency-Key was carried out; its answer holds a secret that can no longer be shown.",
  ],
  statement_not_ready: [409, "The statement's file is not generated yet."],
  already_labelled: [409, "The shipment has a live label."],
  purchase_pending: [409, "The outcome at the carrier is not known yet; it is being looked up."],
  rate_changed: [409, "The price, or what was quoted, has changed; nothing was bought."],
  not_voidable: [409, "The shipment cannot be voided in its state."],
  not_cancellable: [409, "The booking cannot be cancelled in its state."],
  not_courier: [409, "This call is for courier shipments."],
  not_ltl: [409, "This call is for LTL shipments."],
  label_not_ready: [409, "The carrier does not have the label's file yet; it is being fetched."],
  not_labelled: [409, "The shipment has no label."],
  use_ltl_cancel: [409, "A booked LTL shipment is cancelled with POST /ltl/{shipment_id}/cancel."],
  order_in_use: [409, "The order is linked to a shipment that is not voided."],
  filter_in_use: [409, "The filter is used by a rule."],
  shipment_in_use: [409, "The shipment is part of another open pickup or batch."],
  on_hold: [409, "The shipment is on hold; it is bought once the hold is lifted."],
  batch_processing: [409, "The batch is being processed."],
  batch_not_open: [409, "The batch is no longer open."],
  conflict: [409, "The state of the resource forbids this."],
  version_gone: [410, "This version of the API is retired; use v5."],
  cursor_expired: [410, "Events after this cursor are gone; read on from the oldest that is kept."],
  payload_too_large: [413, "The body is larger than this call accepts."],
  unsupported_media_type: [415, "A request body needs Content-Type: application/json."],
  expectation_failed: [417, "The Expect header may only be 100-continue."],
  validation_failed: [422, "Some fields are not valid."],
  too_many_rows: [422, "The request has more rows than one call may process."],
  criteria_too_slow: [
    422,
    "The criteria take too long over this account's data. Narrow them, by a date, a status or a tag say.",
  ],
  rejected_by_rule: [422, "A rule of the account refuses this."],
  unserviceable: [422, "The service is not available for this shipment."],
  too_many_requests: [429, "Too many requests; slow down."],
  internal_error: [500, "Something went wrong on our side."],
  carrier_error: [502, "The carrier failed or refused; nothing was charged."],
  classifier_error: [502, "The classification service failed."],
  payment_provider_error: [502, "The payment provider failed; nothing was charged."],
  unavailable: [503, "The service is not available right now; try again soon."],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof errorCatalogue;
export type Details = Record<string, unknown>;

/** A refusal of the request. Thrown by verbs, turned into HTTP by `http/errors.ts` alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Details;
  /** Seconds for `Retry-After`, where a retry can succeed. */
  readonly retry_after: number | null;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: Details; retry_after?: number; cause?: unknown } = {},
  ) {
    super(options.message ?? errorCatalogue[code][1], { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.status = errorCatalogue[code][0];
    this.details = options.details ?? {};
    this.retry_after = options.retry_after ?? null;
  }

  /** The body of the answer, and of a row's `error` in a bulk answer. */
  toBody(): ErrorBody {
    if (this.code !== "validation_failed")
      return { code: this.code, message: this.message, details: this.details };
    const details = asTexts(this.details as Problems);
    const isUnsaid = this.message === errorCatalogue.validation_failed[1];
    return {
      code: this.code,
      message: (isUnsaid && firstOf(details)) || this.message,
      details,
    };
  }
}

export interface ErrorBody {
  code: string;
  message: string;
  details: Details;
}

/** No such resource, or another account's: the same, byte for byte (decision 2). */
export function notFound(): ApiError {
  return new ApiError("not_found");
}

/** A path that no route has, whatever its ids: a typing error, not a missing record. */
export function noSuchPath(): ApiError {
  return new ApiError("not_found", {
    message: "There is no such path in this API; /docs lists those that there are.",
  });
}

/**
 * Every failing field of a request: dotted path → messages, which continue the field's name ("must be a
 * number.") or name it themselves. Problems of the whole have the path "". On the wire they are whole
 * sentences: `asTexts`.
 */
export type Problems = Record<string, string[]>;

/** Adds a message about the field at `path`, once; an empty path is the whole body or row. */
export function addProblem(problems: Problems, path: string, text: string): void {
  const texts = (problems[path] ??= []);
  if (!texts.includes(text)) texts.push(text);
}

/** Adds the rules' problems for fields whose shape is valid; an invalid shape is reported already. */
export function addRuleProblems(problems: Problems, rules: Problems): void {
  for (const [path, texts] of Object.entries(rules)) problems[path] ??= texts;
}

/** The 422 `validation_failed` whose details are these problems (decision 2). */
export function invalid(problems: Problems): ApiError {
  return new ApiError("validation_failed", { details: problems });
}

/** Throws 422 `validation_failed` with all problems at once; nothing where there are none. */
export function throwIfAny(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/**
 * Problems as clients read them (decision 2): each message names its field, by the last part of its path
 * ("weight must be a number."), so that a form can print it unchanged. Problems of the whole are filed
 * under what that is: a request's body, or a row of a file.
 */
export function asTexts(problems: Problems, whole: "body" | "row" = "body"): Problems {
  const named = Object.entries(problems).map(([path, texts]) => {
    const key = path || whole;
    return [key, texts.map((text) => textOn(fieldOf(key), text))];
  });
  return Object.fromEntries(named) as Problems;
}

/** `packages.0.weight` is weight; an entry of a list is named with its list: `tags.3`. */
function fieldOf(path: string): string {
  const parts = path.split(".");
  let from = parts.length - 1;
  while (from > 0 && /^\d{1,9}$/.test(parts[from]!)) from--;
  return parts.slice(from).join(".");
}

/**
 * A message begins with its field, or with a capital, a digit or a quotation mark: any other text
 * continues the name.
 */
function textOn(field: string, text: string): string {
  const isWhole = !/^[a-z]/.test(text) || text.startsWith(`${field} `);
  return isWhole ? text : `${field} ${text}`;
}

/** The first problem as a message, with its path in full; null when there is none. */
function firstOf(problems: Problems): string | null {
  const [first, ...others] = Object.entries(problems);
  const text = first?.[1][0];
  if (first === undefined || text === undefined) return null;
  const [path] = first;
  const field = fieldOf(path);
  const said = text.startsWith(`${field} `) ? path + text.slice(field.length) : `${path}: ${text}`;
  if (others.length === 0) return said;
  const more = others.length === 1 ? "1 more field is" : `${others.length} more fields are`;
  return `${said} ${more} not valid.`;
}
