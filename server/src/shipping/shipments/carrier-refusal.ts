import { CarrierError } from "../../carriers/carrier.ts";
import { connectionDeleted, ofDeletedConnection } from "../../carriers/guard/connection-health.ts";
import { notRecorded } from "../../carriers/guard/journaled.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { Failure } from "../../outbound/operation.ts";

/**
 * 502 `carrier_error` for a call that a carrier refused or that never reached it: nothing was done.
 * `retryable` when the same may succeed soon; `Retry-After` when the carrier named a time. 503 `unavailable` for
 * one that Waybill could not note, and so did not make.
 */
export function carrierRefusal(failure: Failure, error: unknown): ApiError {
  if (failure.party_code === notRecorded)
    return new ApiError("unavailable", { message: failure.message, retry_after: 1 });
  const refusal = error instanceof CarrierError ? error : null;
  return new ApiError("carrier_error", {
    details: {
      carrier: failure.party,
      carrier_code: failure.party_code,
      carrier_message: failure.message,
      ...(refusal?.field ? { field: refusal.field } : {}),
      retryable: isUnreachable(failure) || isRateLimited(refusal),
    },
    retry_after: refusal?.retry_after_seconds ?? undefined,
  });
}

/** 502 for labels of the carrier whose connection was deleted while something was requested for them. */
export function deletedConnection(carrier: string): ApiError {
  const error = ofDeletedConnection(carrier);
  const { kind, message } = error;
  return carrierRefusal({ kind, party: carrier, party_code: connectionDeleted, message }, error);
}

/** The error that a resource shows for one of its parts, which the carrier did not take, or not give back. */
export function partError(failure: Failure) {
  const { kind, party_code, message } = failure;
  const retryable = isUnreachable(failure) || kind === "absent";
  return { code: "carrier_error", message, carrier_code: party_code, retryable };
}

/** It may be reached later, but for a connection that was deleted, which does not come back. */
function isUnreachable({ kind, party_code }: Failure): boolean {
  return kind === "unreachable" && party_code !== connectionDeleted;
}

function isRateLimited(refusal: CarrierError | null): boolean {
  return refusal?.exclusion === "carrier_rate_limited";
}

/** The carrier refused Waybill as a client, which is no statement about the label. */
export function isAboutUs(error: unknown): boolean {
  return (
    error instanceof CarrierError &&
    (isRateLimited(error) || error.exclusion === "carrier_credentials_invalid")
  );
}
