import type {
  ErrorCode,
  InsufficientCreditsErrorDetails,
  RateChangedErrorDetails,
  ScopeMissingErrorDetails,
} from "../generated/types.ts";

/** The catalogue's codes, and those of calls that have no answer. A newer server may send others. */
export type WaybillErrorCode = ErrorCode | "connection_failed" | "timeout" | (string & {});

/** What is known of a call that failed. */
export interface Failure {
  code: WaybillErrorCode;
  message: string;
  details?: unknown;
  /** 0 when there was no answer. */
  status?: number;
  requestId?: string | null;
  idempotencyKey?: string | null;
  retryAfterSeconds?: number | null;
  body?: unknown;
  cause?: unknown;
}

/** A call that failed: refused by the server, or without an answer. Every failure of a call but an abort is one. */
export class WaybillError extends Error {
  readonly code: WaybillErrorCode;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
  /** Of the call: calling again with it cannot have a second effect. */
  readonly idempotencyKey: string | null;
  readonly retryAfterSeconds: number | null;
  /** The whole body of the answer; undefined when there was none. */
  readonly body: unknown;

  constructor(failure: Failure) {
    super(failure.message, { cause: failure.cause });
    this.name = new.target.name;
    this.code = failure.code;
    this.status = failure.status ?? 0;
    this.details = (failure.details ?? {}) as Record<string, unknown>;
    this.requestId = failure.requestId ?? null;
    this.idempotencyKey = failure.idempotencyKey ?? null;
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null;
    this.body = failure.body;
  }

  /** The same call, with the same Idempotency-Key, may succeed later; the client has tried that already. */
  get isRetryable(): boolean {
    const { status, code } = this;
    return status === 0 || status === 429 || status === 503 || code === "idempotency_in_progress";
  }
}

/** There was no answer: no connection, one that was cut, or a timeout. The effect may have happened. */
export class ConnectionFailed extends WaybillError {}
export class Unauthenticated extends WaybillError {}
export class NotFound extends WaybillError {}
/** The outcome at the carrier is not known yet. Send the same call with the same key again: nothing is bought twice. */
export class PurchasePending extends WaybillError {}
export class CarrierFailed extends WaybillError {}
export class Unavailable extends WaybillError {}
/** Too many requests, for `retryAfterSeconds`. */
export class RateLimited extends WaybillError {}

export class InsufficientCredits extends WaybillError {
  declare readonly details: InsufficientCreditsErrorDetails & Record<string, unknown>;
  get required(): number {
    return this.details.required;
  }
  get available(): number {
    return this.details.available;
  }
}

/** `fields`: the dotted path of each failing field, with its sentences. */
export class ValidationFailed extends WaybillError {
  declare readonly details: Record<string, string[]>;
  get fields(): Record<string, string[]> {
    return this.details;
  }
}

/** The price rose, or what it depends on changed; nothing was bought. */
export class RateChanged extends WaybillError {
  declare readonly details: RateChangedErrorDetails & Record<string, unknown>;
}

export class ScopeMissing extends WaybillError {
  declare readonly details: ScopeMissingErrorDetails & Record<string, unknown>;
  /** Any one of them would do. */
  get requiredScopes(): string[] {
    return this.details.required_scopes;
  }
}

/** The rows that are done when creating many stopped; the same call with the same key goes on. */
export class CreateManyStopped<Row> extends WaybillError {
  readonly rows: Row[];
  constructor(cause: WaybillError, idempotencyKey: string, rows: Row[]) {
    super({ ...cause, message: cause.message, idempotencyKey, cause });
    this.rows = rows;
  }
}

const classes: Record<string, typeof WaybillError> = {
  unauthenticated: Unauthenticated,
  token_expired: Unauthenticated,
  token_revoked: Unauthenticated,
  not_found: NotFound,
  insufficient_credits: InsufficientCredits,
  validation_failed: ValidationFailed,
  rate_changed: RateChanged,
  purchase_pending: PurchasePending,
  carrier_error: CarrierFailed,
  too_many_requests: RateLimited,
  unavailable: Unavailable,
  scope_missing: ScopeMissing,
};

/** The error of the class that belongs to the code; of an unknown code, a plain `WaybillError`. */
export function toError(failure: Failure): WaybillError {
  const known = Object.hasOwn(classes, failure.code) ? classes[failure.code] : undefined;
  return new (known ?? (failure.status ? WaybillError : ConnectionFailed))(failure);
}
