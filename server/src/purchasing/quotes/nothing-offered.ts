import { ApiError } from "../../domain/errors/errors.ts";
import type { ExcludedService } from "../../domain/pricing/rate.ts";

/**
 * The error of a purchase that found no rate to buy at. 502 `carrier_error` when a carrier that might have
 * offered one failed (decisions 2 and 8), which is not a property of the shipment, so it is not stored for
 * the key: the same call buys once the carrier works again. Else 422 `unserviceable`, which is final.
 * `wanted` is a service's code or a strategy, and `excluded` every service that was a candidate for it.
 */
export function nothingOffered(wanted: string, excluded: readonly ExcludedService[]): ApiError {
  const failed = excluded.find(({ retryable }) => retryable);
  if (failed) {
    return new ApiError("carrier_error", {
      details: {
        carrier: failed.carrier,
        carrier_code: failed.reason,
        carrier_message: failed.message,
        retryable: true,
        service: wanted,
        excluded_services: excluded,
      },
    });
  }
  const [only, ...others] = excluded;
  if (only && others.length === 0) return refused(wanted, only);
  return new ApiError("unserviceable", {
    message: "No service can take this shipment.",
    details: { service: wanted, retryable: false, excluded_services: excluded },
  });
}

function refused(service: string, { reason, message }: ExcludedService): ApiError {
  return new ApiError("unserviceable", { message, details: { service, reason, retryable: false } });
}
