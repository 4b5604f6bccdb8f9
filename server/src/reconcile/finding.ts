/**
 * One effect that a party has and this database lacks, or has differently, and what is to be done about it.
 * Plain data, for the operator to read or to store.
 */
export interface Finding {
  kind: "label" | "charge" | "pickup" | "manifest" | "attempt" | "party";
  /** A carrier's code, or a card processor. */
  party: string;
  /** What `--accept` takes to leave it as it is: the reference, or the party itself. */
  reference: string;
  account_id: string | null;
  shipment_id: string | null;
  tracking_code: string | null;
  /** For a pickup, with the confirmation number that the carrier's help desk uses. */
  pickup?: { id: string; confirmation_number: string };
  /** For a manifest, with the carrier's number of it, where that is known. */
  manifest?: { id: string; number: string | null };
  /** What it costs or credits the account, where that is known. */
  amount_cents: number | null;
  currency: string | null;
  /** How the two differ, as the rest of a sentence that begins with the effect. */
  found: string;
  action: Action;
}

/**
 * `wait` and `by_hand` keep the database from being reconciled: the first may be resolved at the next run,
 * the second needs a person, who accepts it by its reference.
 */
export type Action =
  | "look_up"
  | "rebook"
  | "void"
  | "call_off"
  | "refund"
  | "book_void"
  | "book_call_off"
  | "leave_to_review"
  | "nothing"
  | "wait"
  | "by_hand";

/** A finding, with its action where there is something to do. */
export interface Decision extends Finding {
  act?: () => Promise<void>;
}

/** The outcome of a finding. */
export type Outcome = "done" | "planned" | "left" | { again: string } | { failed: string };

/** Something happened, but not as intended, or with an unknown outcome: the next round looks it up. */
export class RetryLookup extends Error {}

/** The party refuses to reverse the effect, and would refuse it again: a person has to settle it. */
export class FinalRefusal extends Error {}

/** The finding about an effect that its party refuses to reverse, with the party's words. */
export function refusedFinding(finding: Finding, message: string): Finding {
  const { action, found, party } = finding;
  const refusal = { void: "to void it, and bills it", call_off: "to cancel it" }[action as string];
  return {
    ...finding,
    found: `${found}; ${party} refused ${refusal ?? "to reverse it"} (${message})`,
    action: "by_hand",
  };
}

/** A finding as a line for the operator. */
export function lineOf(finding: Finding, outcome: Outcome): string {
  const { kind, party, reference, tracking_code, shipment_id, account_id, found } = finding;
  const { id, confirmation_number } = finding.pickup ?? {};
  const itself = reference === party ? null : reference;
  const { number, id: manifest_id } = finding.manifest ?? {};
  const pickup = [confirmation_number, id];
  const names = [kind, party, itself, tracking_code, shipment_id, ...pickup, number, manifest_id];
  const subject = names.filter(Boolean).join(" ");
  const whose = account_id === null ? "" : ` (${account_id})`;
  return `${subject}${whose} ${found}: ${wordsOf(finding, outcome)}`;
}

function wordsOf(finding: Finding, outcome: Outcome): string {
  const { action, reference, amount_cents, currency } = finding;
  const amount =
    amount_cents === null ? "" : ` for ${(amount_cents / 100).toFixed(2)} ${currency ?? ""}`;
  const words = `${actionWords[action]}${action === "rebook" ? amount : ""}${action === "by_hand" ? ` ${reference}` : ""}`;
  if (typeof outcome === "object")
    return "failed" in outcome
      ? `${words} FAILED: ${outcome.failed}`
      : `${words}, not yet: ${outcome.again}`;
  return outcome === "done" ? `${words}, done` : words;
}

const actionWords: Record<Action, string> = {
  look_up: "look it up",
  rebook: "record it",
  void: "void it there",
  call_off: "cancel it there",
  refund: "refund it there",
  book_void: "record the void",
  book_call_off: "record the cancellation",
  leave_to_review: "leave it to a review, its money on hold",
  nothing: "nothing to do",
  wait: "run this again",
  by_hand: "settle it by hand, then run this with --accept",
};
