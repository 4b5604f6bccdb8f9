import type { Platform } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { newId } from "../../domain/values/ids.ts";
import { expectedCharge } from "../../domain/pricing/pricing.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { OutsideError } from "../../domain/errors/outside-error.ts";
import { openReview } from "../../outbound/begin.ts";
import { oneByOne, type Effect, type OutboundOperation } from "../../outbound/operation.ts";
import type { SoldLabel } from "./label-files.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";

/**
 * Labels that are not what was asked for and are kept, because their carriers void none: the merchant pays
 * what was quoted, the platform bears the rest, and an operator is told.
 */

/**
 * The label as it is kept; null where it cannot be: its tracking code is another live label's, or it is a
 * booking without its numbers. An unusable file is fetched anew.
 */
export function keptLabel(label: SoldLabel, { party_code }: OutsideError): SoldLabel | null {
  if (party_code === "tracking_code_taken" || party_code === "booking_unusable") return null;
  if (party_code === "label_unusable") return { ...label, files: "pending" };
  if (party_code === "tracking_codes_wrong") return { ...label, package_tracking_codes: null };
  return label;
}

/** What an operator is shown of a kept label. */
interface LabelFlaw {
  shipment_id: string;
  carrier: string;
  tracking_code: string;
  reference: string;
  /** Why it would have been voided. */
  flaw: string;
  /** What the carrier charges, as it says, and what it had quoted. */
  charged: string | null;
  quoted: string;
}

/**
 * A review without any outside call: it is listed, counted and decided like every other review, and its
 * decision moves no money.
 */
export function labelFlaw(): OutboundOperation<LabelFlaw, null, null, void> {
  return {
    kind: "label_flaw",
    timeoutSeconds: () => 0,
    lookUp: () => null,
    recovery: { by: "find", find: async () => null },
    review: {
      evidence: {},
      advice: ({ input }) =>
        `${input.carrier} sold label ${input.tracking_code} (our reference is ${input.reference}) otherwise than it was asked to, and voids none: ${input.flaw} ` +
        `It quoted ${input.quoted} and charges ${input.charged ?? "what it did not say"}. ` +
        "The merchant has the label and pays the quoted price; the difference is on the book `losses`. " +
        "Claim it back from the carrier, then decide `stands`; decide `void` when nothing can be done.",
      moves: () => ({ stands: 0, void: 0 }),
      // What the operator did is in the note.
      resultOf: async () => null,
    },
    send: async () => Promise.reject(new Error("a flawed label is at no party")),
    settle: oneByOne(async () => undefined),
    release: async () => undefined,
    suspend: async () => undefined,
  };
}

/** Opens the reviews of those of the effects that have a flaw, in the transaction that settles them. */
export async function reviewFlaws(
  { outbound }: Pick<Platform, "outbound">,
  tx: Tx,
  effects: readonly Effect<LabelPurchaseInput, SoldLabel>[],
): Promise<void> {
  for (const { attempt, result: label, flaw } of effects) {
    if (!flaw) continue;
    const { account_id, party, reference, input } = attempt;
    const { shipment_id } = input;
    const expected = expectedCharge(input.price);
    await openReview(outbound, tx, labelFlaw(), {
      ...attempt,
      account_id,
      id: newId("att"),
      subject_id: shipment_id,
      party,
      input: {
        shipment_id,
        carrier: input.carrier,
        tracking_code: label.tracking_code,
        reference,
        flaw: flaw.message,
        charged: label.cost && moneyText(label.cost.amount_cents, label.cost.currency),
        quoted: moneyText(expected.amount_cents, expected.currency),
      },
    });
  }
}

function moneyText(cents: number, currency: string): string {
  return `${fromCents(cents).toFixed(2)} ${currency}`;
}
