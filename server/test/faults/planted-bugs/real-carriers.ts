import type { PlantedBug } from "./planted-bug.ts";

/** Of what real carriers do: lookups that prove nothing, late files, prices not told, no voids, shared pickups. */

const recovery = "server/src/outbound/recovery.ts";
const unheard = ["server/test/e2e/unheard-purchases.test.ts"];
const kept = ["server/test/e2e/labels-without-void.test.ts"];
const lateFiles = ["server/test/e2e/late-files.test.ts"];
const labelPurchase = "server/src/purchasing/labels/label-purchase.ts";

export const bugsOfRealCarriers: PlantedBug[] = [
  {
    name: "give money back for a label that a lookup only did not show",
    file: "server/src/shipping/connections/unknown-outcomes.ts",
    find: 'releases: policy === "release_and_watch"',
    replace: 'releases: policy !== "never"',
    tests: unheard,
    red: "one that shows late settles once it shows",
  },
  {
    name: "hold the money of a label that shows as void",
    file: labelPurchase,
    find: 'if (found?.state === "voided") return undone;',
    replace: 'if (found?.state === "voided") return null;',
    tests: unheard,
    red: "one that shows as void is released",
  },
  {
    name: "look up no more what an operator is to decide",
    file: recovery,
    find: "const look_seconds = reviewSeconds(sent_seconds_ago);",
    replace: "const look_seconds = null && sent_seconds_ago;",
    tests: unheard,
    red: "a label that shows before the decision settles",
  },
  {
    name: "leave a label unsettled that shows while an operator is to decide",
    file: "server/src/outbound/attempt-store.ts",
    find: 'decision || attempt.status === "review" ?',
    replace: "decision ?",
    tests: unheard,
    red: "a label that shows before the decision settles",
  },
  {
    name: "believe a lookup that does not show a more expensive label yet",
    file: "server/src/outbound/outbound.ts",
    find: 'lookUp?.absence === "proof"',
    replace: "lookUp !== null",
    tests: unheard,
    red: "a label that is more expensive than quoted is voided, though its lookup does not show it yet",
  },
  {
    name: "forget what only the answer said of the price",
    file: "server/src/purchasing/labels/label-files.ts",
    find: "cost: found.cost ?? answered.cost",
    replace: "cost: found.cost && answered.cost",
    tests: unheard,
    red: "a label that is more expensive than quoted is voided, though its lookup shows it without its price",
  },
  {
    name: "owe a carrier nothing that did not tell its price",
    file: labelPurchase,
    find: "    : price.carrier_cost_cents;",
    replace: "    : 0 * price.carrier_cost_cents;",
    tests: unheard,
    red: "what a lookup does not tell of its price is taken to be what was quoted",
  },
  {
    name: "ask a carrier without a void to void what appeared late",
    file: "server/src/outbound/found-effects.ts",
    find: "  if (!canUndo(operation, attempt)) {\n    await toReview",
    replace:
      '  if (!canUndo(operation, attempt) && attempt.status !== "absent") {\n    await toReview',
    tests: unheard,
    red: "a label that shows later and cannot be voided is an operator's concern",
  },
  {
    name: "ask a carrier without a void to void a flawed label",
    file: labelPurchase,
    find: 'canUndo: (input) => descriptorOf(input).voids.kind === "api",',
    replace: 'canUndo: (input) => descriptorOf(input).voids.kind !== "by_not_using",',
    tests: kept,
    red: "a label that is more expensive than quoted is kept",
  },
  {
    name: "hide the loss on a kept label among the carriers' costs",
    file: labelPurchase,
    find: "const loss = Math.max(0, cost - price.carrier_cost_cents);",
    replace: "const loss = 0 * Math.max(0, cost - price.carrier_cost_cents);",
    tests: kept,
    red: "a label that is more expensive than quoted is kept",
  },
  {
    name: "refund a label that may still be scanned and billed",
    file: "server/src/shipping/shipments/refunds.ts",
    find: '  if (voids?.kind === "by_not_using") return false;\n',
    replace: "",
    tests: kept,
    red: "a void is pending without a call",
  },
  {
    name: "tell nobody that a file does not come",
    file: "server/src/purchasing/labels/pending-files.ts",
    find: "seconds >= reviewSeconds && !pending.is_reviewed",
    replace: "seconds < 0 && !pending.is_reviewed",
    tests: lateFiles,
    red: "a file that has not come within a day is a review",
  },
  {
    name: "keep a late file to itself",
    file: "server/src/purchasing/labels/ready-files.ts",
    find: 'type: "shipment.label_ready"',
    replace: 'type: "shipment.created" as never',
    tests: lateFiles,
    red: "409 until it is there, then a link and one event",
  },
  {
    name: "cancel a carrier's pickup that other pickups need, too",
    file: "server/src/shipping/pickups/shared-store.ts",
    find: "status IN ('confirmed', 'picked_up')) AS is_needed",
    replace: "status IN ('picked_up')) AS is_needed",
    tests: ["server/test/e2e/shared-pickups.test.ts"],
    red: "the carrier's pickup is cancelled with the last one under its number",
  },
  {
    name: "take a price that was not confirmed for a lost purchase",
    file: "server/src/carriers/purolator/labels.ts",
    find: "throw isUnknown ? beforeTheCall(error) : error;",
    replace: "throw isUnknown ? error : error;",
    tests: ["server/test/e2e/connected-outcomes.test.ts"],
    red: "a price that Purolator does not confirm leaves nothing unknown",
  },
  {
    name: "take any refusal of USPS's that names a code for the proof that no label was sold",
    file: "server/src/carriers/usps/labels.ts",
    find: "if (code !== null && [...notFound, ...cancelled].includes(code)) return null;",
    replace: 'if (code !== null && ![...notFound, ...cancelled].includes("")) return null;',
    tests: ["server/src/carriers/usps/answers.test.ts"],
    red: "does not prove that no label was sold",
  },
  {
    name: "refuse a shipment of Purolator's that has its number, for the error beside it",
    file: "server/src/carriers/purolator/errors.ts",
    find: "return numbers.some((number) => number) ||",
    replace: "return numbers.every((number) => number) ||",
    tests: ["server/src/carriers/purolator/answers.test.ts"],
    red: "a shipment with its number was sold, whatever error is beside it",
  },
  {
    name: "take a 404 of Canada Post's that says why for the proof that nothing is there",
    file: "server/src/carriers/canada-post/errors.ts",
    find: "isOwnForm && messagesIn(answer).length === 0",
    replace: "isOwnForm && messagesIn(answer).length >= 0",
    tests: ["server/src/carriers/canada-post/canada-post-specifics.test.ts"],
    red: "proves no absence, and no refund",
  },
];
