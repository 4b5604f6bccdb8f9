import { CarrierError } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { isRefused } from "../../database/refusals.ts";
import { expectedCharge } from "../../domain/pricing/pricing.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { Attempt } from "../../outbound/operation.ts";
import { isLabelFile, labelFilesOf, type SoldLabel } from "./label-files.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";
import { canBecome } from "./requested-format.ts";

/**
 * Why a label that a carrier issued cannot be kept, or null when it can (decision 8): it costs more than was
 * quoted, priced in another currency, its file cannot be printed, or its tracking codes are not one for each
 * package. A cheaper one is fine. A freight booking has no file and no codes, but must
 * have its numbers, which a label must not.
 */
export function mismatchInLabel(
  { carriers }: Pick<Platform, "carriers">,
  { party: carrier, input }: Attempt<LabelPurchaseInput>,
  sold: SoldLabel,
): CarrierError | null {
  const { cost, tracking_code, package_tracking_codes: codes } = sold;
  const mismatch = (carrier_code: string, message: string) =>
    new CarrierError({ kind: "refused", carrier, carrier_code, message, actual_cost: cost });
  const { currency, amount_cents } = expectedCharge(input.price);
  if (cost && cost.currency !== currency) {
    return mismatch(
      "currency_changed",
      `The carrier sold the label in ${cost.currency}, not in ${currency}; it was voided.`,
    );
  }
  if (cost && cost.amount_cents > amount_cents) {
    const [asked, expected] = [fromCents(cost.amount_cents), fromCents(amount_cents)];
    return mismatch("price_changed", `The carrier asked ${asked} instead of ${expected}.`);
  }
  if (carriers.get(carrier).descriptor.mode === "ltl") {
    if (!isBooking(sold))
      return mismatch(
        "booking_unusable",
        "The carrier's booking lacks its numbers; it was cancelled.",
      );
  } else if (sold.booking || !isPrintable(sold, input)) {
    return mismatch("label_unusable", "The carrier's label cannot be printed; it was voided.");
  }
  // The lookup of a carrier that shows one of several codes tells no more.
  if (codes === null) return null;
  const { package_count = codes.length } = input;
  const isOneEach = codes.length === package_count && new Set(codes).size === codes.length;
  if (!isOneEach || (codes[0] ?? tracking_code) !== tracking_code) {
    return mismatch(
      "tracking_codes_wrong",
      "The carrier's label does not have one tracking code for each package; it was voided.",
    );
  }
  return null;
}

/** No two live labels of a carrier have one tracking code, which only the settlement can check, under a lock. */
export function takenCode(
  error: unknown,
  { party: carrier }: Attempt<LabelPurchaseInput>,
  { cost }: SoldLabel,
): CarrierError | null {
  if (!isRefused(error, "tracking_code_taken")) return null;
  return new CarrierError({
    kind: "refused",
    carrier,
    carrier_code: "tracking_code_taken",
    message: "The carrier's label has the tracking code of another one; it was voided.",
    actual_cost: cost,
  });
}

/** What is pending is checked when it arrives. */
function isPrintable(sold: SoldLabel, { label_format }: LabelPurchaseInput): boolean {
  if (sold.files === "pending") return true;
  const files = labelFilesOf(sold);
  return (
    files.length > 0 &&
    files.every((file) => canBecome(file.format, label_format) && isLabelFile(file))
  );
}

function isBooking({ booking, tracking_code }: SoldLabel): boolean {
  return [booking?.confirmation_number, booking?.bol_number, tracking_code].every(Boolean);
}
