import { CarrierError, type CarrierLabel, type LabelFormat } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { Attempt } from "../../outbound/operation.ts";
import { checkLabel } from "../../shipping/shipments/store.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";

/**
 * Why a label that a carrier issued cannot be kept, or null when it can (decision 8): it costs more than was
 * quoted, priced in another currency, its file cannot be printed, or its tracking codes are not one for each
 * package and this label's alone. A cheaper one is fine. A freight booking has no file and no codes, but must
 * have its numbers, which a label must not.
 */
export async function mismatchInLabel(
  { db, carriers }: Pick<Platform, "db" | "carriers">,
  { account_id, party: carrier, input }: Attempt<LabelPurchaseInput>,
  sold: CarrierLabel,
): Promise<CarrierError | null> {
  const { cost, tracking_code, package_tracking_codes: codes } = sold;
  const mismatch = (carrier_code: string, message: string) =>
    new CarrierError({ kind: "refused", carrier, carrier_code, message, actual_cost: cost });
  const { currency, carrier_cost_cents } = input.price;
  if (cost.currency !== currency) {
    return mismatch(
      "currency_changed",
      `The carrier sold the label in ${cost.currency}, not in ${currency}; it was voided.`,
    );
  }
  if (cost.amount_cents > carrier_cost_cents) {
    const [asked, expected] = [fromCents(cost.amount_cents), fromCents(carrier_cost_cents)];
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
  const claim = await checkLabel(db, {
    account_id,
    shipment_id: input.shipment_id,
    carrier,
    tracking_code,
  });
  const isOneEach = codes.length === claim.package_count && new Set(codes).size === codes.length;
  if (!isOneEach || (codes[0] ?? tracking_code) !== tracking_code) {
    return mismatch(
      "tracking_codes_wrong",
      "The carrier's label does not have one tracking code for each package; it was voided.",
    );
  }
  if (claim.is_taken) {
    return mismatch(
      "tracking_code_taken",
      "The carrier's label has the tracking code of another one; it was voided.",
    );
  }
  return null;
}

function isPrintable({ label }: CarrierLabel, { label_format }: LabelPurchaseInput): boolean {
  return label.format === label_format && isLabelFile(label);
}

function isBooking({ booking, tracking_code }: CarrierLabel): boolean {
  return [booking?.confirmation_number, booking?.bol_number, tracking_code].every(Boolean);
}

/** The first and last bytes of a complete file of each format, apart from line breaks. */
const marks: Readonly<Record<LabelFormat, { begins: Buffer; ends: Buffer }>> = {
  pdf: { begins: Buffer.from("%PDF-"), ends: Buffer.from("%%EOF") },
  zpl: { begins: Buffer.from("^XA"), ends: Buffer.from("^XZ") },
  png: { begins: Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ends: Buffer.from("IEND") },
};
const tailBytes = 32;

/** Whether the bytes are a complete file of that format. */
export function isLabelFile({ format, bytes }: CarrierLabel["label"]): boolean {
  const { begins, ends } = marks[format];
  const isBegun = bytes.subarray(0, begins.length).equals(begins);
  return isBegun && bytes.subarray(-tailBytes).includes(ends);
}
