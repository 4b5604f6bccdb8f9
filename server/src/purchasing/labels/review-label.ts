import { Type, type Static } from "typebox";
import type { CarrierLabel, FreightBooking, LabelFile } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { addProblem, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { expectedCharge } from "../../domain/pricing/pricing.ts";
import { toCents } from "../../domain/values/money.ts";
import { Maybe, Money, OneOf } from "../../domain/values/schema.ts";
import type { Attempt, ReviewOf } from "../../outbound/operation.ts";
import { checkLabel } from "../../shipping/shipments/store.ts";
import { isLabelFile } from "./label-files.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";

/**
 * A purchase whose outcome only the carrier's own site shows: what the operator copies from there takes the
 * place of the missing response.
 */

const code = { minLength: 1, maxLength: 100, pattern: "^[\\x21-\\x7e]+$" };
/** A label of every format fits, and the body stays below the size limit. */
const maxFileCharacters = 900_000;

export const LabelBase64 = Type.String({ minLength: 4, maxLength: maxFileCharacters });

const FoundByHand = Type.Object(
  {
    carrier_label_id: Type.String(code),
    tracking_code: Type.String(code),
    package_tracking_codes: Maybe(
      Type.Array(Type.String(code), { minItems: 1, maxItems: 100, uniqueItems: true }),
    ),
    label_base64: Maybe(LabelBase64),
    label_format: Maybe(OneOf(["pdf", "zpl", "png"])),
    amount: Maybe(Money({ minimum: 0, maximum: 1_000_000 })),
    confirmation_number: Maybe(Type.String({ ...code, description: "Of a freight booking." })),
    bol_number: Maybe(Type.String(code)),
    pro_number: Maybe(Type.String(code)),
  },
  { additionalProperties: false },
);
type FoundByHand = Static<typeof FoundByHand>;

/**
 * What an operator decides about a purchase without a known outcome: that the label exists, with its codes, or
 * that it does not.
 */
export function labelReview(platform: Platform): ReviewOf<LabelPurchaseInput, CarrierLabel> {
  return {
    evidence: { label: FoundByHand },

    advice({ reference, input }) {
      const { name, mode } = platform.carriers.get(input.carrier).descriptor;
      return adviceOn[mode](name, reference);
    },

    async resultOf(attempt, evidence) {
      const { label } = evidence as { label: FoundByHand };
      const isFreight = platform.carriers.get(attempt.party).descriptor.mode === "ltl";
      const codes = label.package_tracking_codes ?? (isFreight ? [] : [label.tracking_code]);
      const file = fileOf(attempt, label);
      throwIfAny({
        ...(await codeProblems(platform, attempt, { codes, tracking_code: label.tracking_code })),
        ...(isFreight ? bookingProblems(label) : fileProblems(label, file)),
      });
      return {
        carrier_label_id: label.carrier_label_id,
        tracking_code: label.tracking_code,
        package_tracking_codes: codes,
        cost: costOf(attempt, label),
        files: isFreight ? [] : [file],
        carrier_data: null,
        ...(isFreight ? { booking: bookingOf(label) } : {}),
      };
    },
  };
}

const adviceOn = {
  courier: (carrier: string, reference: string) =>
    `Find out at ${carrier} whether it sold this label (our reference is ${reference}). ` +
    "If it did, decide `stands` with the label's id and tracking code: the merchant has it and pays for it. " +
    "If it did not, or once you have voided it there, decide `void`: the money is free again.",
  ltl: (carrier: string, reference: string) =>
    `Find out at ${carrier} whether it booked this freight (our reference is ${reference}). ` +
    "If it did, decide `stands` with the booking's id as `carrier_label_id`, its `confirmation_number`, `bol_number` and, " +
    "where it has one, `pro_number`; `tracking_code` is the PRO number, or else the confirmation number: the merchant has it and pays for it. " +
    "If it did not, or once you have cancelled it there, decide `void`: the money is free again.",
};

/** The data that the documents of a booking are drawn with. A booking has no label. */
function bookingProblems(label: FoundByHand): Problems {
  const problems: Problems = {};
  if (label.label_base64) addProblem(problems, "label.label_base64", "a freight booking has none.");
  for (const field of ["confirmation_number", "bol_number"] as const)
    if (!label[field]) addProblem(problems, `label.${field}`, "is required of a freight booking.");
  return problems;
}

function bookingOf({ confirmation_number, bol_number, pro_number }: FoundByHand): FreightBooking {
  return {
    confirmation_number: confirmation_number ?? "",
    bol_number: bol_number ?? "",
    pro_number: pro_number ?? null,
  };
}

/** No bytes where the operator has no file. */
function fileOf(
  { input }: Attempt<LabelPurchaseInput>,
  { label_format, label_base64 }: FoundByHand,
): LabelFile {
  const bytes = Buffer.from(label_base64 ?? "", "base64");
  const format = label_format ?? input.label_format;
  return { type: "label", package_index: null, format, bytes };
}

/** A code that was mistyped, or copied from another parcel, would misdirect this one's tracking. */
async function codeProblems(
  { db }: Platform,
  { account_id, input: { shipment_id, carrier } }: Attempt<LabelPurchaseInput>,
  { codes, tracking_code }: { codes: string[]; tracking_code: string },
): Promise<Problems> {
  const problems: Problems = {};
  const about = { account_id, shipment_id, carrier, tracking_code };
  const { package_count, is_taken } = await checkLabel(db, about);
  const path = "label.package_tracking_codes";
  if (codes.length !== package_count)
    addProblem(problems, path, `must have one code for each package, in order: ${package_count}.`);
  if ((codes[0] ?? tracking_code) !== tracking_code)
    addProblem(problems, path, "must start with tracking_code, which is the first package's.");
  if (is_taken)
    addProblem(problems, "label.tracking_code", "is another live label's of this carrier.");
  return problems;
}

/** A file that no printer accepts is refused now rather than found at the packing table. */
function fileProblems({ label_base64: text }: FoundByHand, file: LabelFile): Problems {
  if (text === null || text === undefined) return {};
  if (file.bytes.toString("base64") !== text) return { "label.label_base64": ["is not base64."] };
  if (isLabelFile(file)) return {};
  const sentence = `is not a whole ${file.format} file; label_format says which it is.`;
  return { "label.label_base64": [sentence] };
}

/** Without an amount the carrier charged what it had quoted. */
function costOf({ input }: Attempt<LabelPurchaseInput>, { amount }: FoundByHand) {
  const { amount_cents, currency } = expectedCharge(input.price);
  const isGiven = amount !== null && amount !== undefined;
  return { amount_cents: isGiven ? toCents(amount) : amount_cents, currency };
}
