/**
 * Bugs of the kind that would cost somebody money, each a small change of the product's own text, and
 * the test that has to notice it. `scripts/plant-bugs.ts` plants one after the other in a copy, after a
 * control run without any; docs/reliability.md has what it last said.
 */
export interface PlantedBug {
  name: string;
  file: string;
  /** Occurs once in the file. */
  find: string;
  replace: string;
  /** What vitest is to run, and in which environment. */
  tests: string[];
  environment?: Record<string, string>;
  /** Part of the name of the test that must turn red. */
  red: string;
}

const outbound = "server/src/outbound/outbound.ts";
const endings = "server/src/outbound/endings.ts";
const recovery = "server/src/outbound/recovery.ts";
const recoveries = "server/src/outbound/recovery-store.ts";
const found = "server/src/outbound/found-effects.ts";
const conditions = "server/src/outbound/attempt-store.test.ts";
const keys = "server/src/http/idempotency-claims.ts";
const attempts = "server/src/outbound/attempt-store.ts";
const shared = "server/src/outbound/account-transaction.ts";
const ledger = "server/src/ledger/ledger.ts";
const holds = "server/src/ledger/holds.ts";
const matrix = ["server/test/faults/crash-matrix"];
const pickupRaces = ["server/test/faults/pickup-races.test.ts"];
const cells = (words: string) => ({ WAYBILL_CRASH_CELLS: words });

export const plantedBugs: PlantedBug[] = [
  {
    name: "forget the fence when an attempt is ended",
    file: attempts,
    find: "        AND attempts.fence = each.fence\n        AND attempts.status = ANY (each.open)",
    replace: "        AND attempts.status = ANY (each.open)",
    tests: [conditions],
    red: "to settle it is for whoever knows the fence",
  },
  {
    name: "send what was given up while we slept",
    file: outbound,
    find: "      refuseToSendLate(outbound, attempt, written_at);\n",
    replace: "",
    tests: matrix,
    environment: cells("sleeps through its lease before send"),
    red: "the process sleeps through its lease before send",
  },
  {
    name: "give up before the carrier's horizon has passed",
    file: recovery,
    find: "attempt.sent_seconds_ago < operation.horizonSeconds(attempt.input)",
    replace: "attempt.sent_seconds_ago < 0",
    tests: ["server/test/faults/kill.test.ts"],
    red: "killed while the carrier works",
  },
  {
    name: "hold nothing",
    file: holds,
    find: "SET held_cents = held_cents + ${amount_cents}",
    replace: "SET held_cents = held_cents + 0 * ${amount_cents}",
    tests: ["server/test/faults/parallel-purchases.test.ts"],
    red: "200 parallel purchases with one key",
  },
  {
    name: "commit a hold that is not covered",
    file: holds,
    find: '${refuse("hold_not_covered")}',
    replace: '${refuse("hold_not_covered")} IS NOT NULL OR true',
    tests: ["server/test/faults/parallel-purchases.test.ts"],
    red: "50 parallel purchases on a balance for some",
  },
  {
    name: "carry out what comes after a statement that failed",
    file: "server/src/database/journeys.ts",
    find: "for (const query of queries) pg.Query.prototype.submit.call(query, unsynced);",
    replace:
      "for (const query of queries) (pg.Query.prototype.submit.call(query, unsynced), connection.sync());",
    tests: ["server/src/database/journeys.test.ts"],
    red: "what rides along and nothing comes after",
  },
  {
    name: "refuse everybody who shares a transaction with one who is refused",
    file: shared,
    find: "else await Promise.all(group.map((each) => serve(db, accountId, [each])));",
    replace: "else for (const { reject } of group) reject(cause);",
    tests: ["server/src/outbound/account-transaction.test.ts"],
    red: "one who cannot be served fails alone",
  },
  {
    name: "let two purchases of one shipment share a transaction",
    file: shared,
    find: "if (others?.subjects.has(subject))",
    replace: "if (others?.subjects.has(`${subject}?`))",
    tests: ["server/src/outbound/account-transaction.test.ts"],
    red: "two of one subject never share",
  },
  {
    name: "capture one hold for several debits",
    file: ledger,
    find: "AND (SELECT holds FROM freed) = ${holdIds.length}",
    replace: "AND (SELECT holds FROM freed) <= ${holdIds.length}",
    tests: ["server/src/ledger/ledger.test.ts"],
    red: "a hold ends once",
  },
  {
    name: "keep the hold of what was refused",
    file: endings,
    find: "if (!attempt.resolved_at) await operation.release",
    replace: "if (attempt.resolved_at) await operation.release",
    tests: matrix,
    environment: cells("of a refused purchase"),
    red: "of a refused purchase",
  },
  {
    name: "undo a label before disowning it",
    file: endings,
    find: `  await step(outbound, { name: "disown", of: operation }, () =>
    store.disownAttempt(outbound.db, attempt, failure),
  );
`,
    replace: "",
    tests: [...matrix, "server/test/faults/carrier-faults.test.ts"],
    environment: cells("of a label that cannot be kept"),
    red: "of a label that cannot be kept",
  },
  {
    name: "leave a label alone that appeared late",
    file: endings,
    find: "withDeadline(lookUpSeconds, (signal) => undo(attempt, result, signal)),",
    replace: "withDeadline(lookUpSeconds, async () => undo),",
    tests: matrix,
    environment: cells("dies before undo of a label that was sold after"),
    red: "before undo of a label that was sold after",
  },
  {
    name: "buy again when the answer is lost",
    file: outbound,
    find: "        operation.send(attempt, message, signal),\n",
    replace: `        operation
          .send(attempt, message, signal)
          .catch(() => operation.send({ ...attempt, reference: attempt.id + "b" }, message, signal)),
`,
    tests: matrix,
    environment: cells("of a top-up whose answer is lost"),
    red: "of a top-up whose answer is lost",
  },
  {
    name: "take attempts over from the living",
    file: recoveries,
    find: "AND heartbeat_at > now() - make_interval(secs => ${claim.lease_seconds})",
    replace: "AND heartbeat_at > now() + interval '2 hours'",
    tests: [conditions],
    red: "takes from the dead at once, and from the living when their time is over",
  },
  {
    name: "answer a settled purchase without storing the answer",
    file: "server/src/resources/labels/label-purchase.ts",
    find: "      recordOutcome(\n        tx,\n        attempt,\n",
    replace: "      recordOutcome(\n        tx,\n        { ...attempt, idempotency_key: null },\n",
    tests: ["server/test/faults/kill.test.ts"],
    red: "killed before the attempt is committed",
  },
  {
    name: "pay for a label with what its carrier cost alone",
    file: "server/src/resources/labels/label-purchase.ts",
    find: 'book: "credits" as const, amount_cents: -price.total_cents',
    replace: 'book: "credits" as const, amount_cents: -price.subtotal_cents',
    tests: ["server/test/journeys/courier.test.ts"],
    red: "create → rates → label → PDF by its link",
  },
  {
    name: "send a driver for parcels that another driver fetches",
    file: "server/src/resources/pickups/schedule-pickup.ts",
    find: "  await refuseInUse(tx, { account_id, ids, now: ctx.clock.now() });\n",
    replace: "  void refuseInUse;\n",
    tests: pickupRaces,
    red: "twenty pickups of one shipment at once",
  },
  {
    name: "look at a driver's pickup without locking it",
    file: "server/src/resources/pickups/store.ts",
    find: "    .forUpdate()\n",
    replace: "",
    tests: pickupRaces,
    red: "one key twenty times while the carrier takes its time",
  },
  {
    name: "send a driver whom nobody pays",
    file: "server/src/resources/pickups/pickup-booking.ts",
    find: "price.total_cents === 0 ? {}",
    replace: "price.total_cents >= 0 ? {}",
    tests: pickupRaces,
    red: "twenty cancellations at once",
  },
  {
    name: "keep the fee of a driver who was called off",
    file: "server/src/resources/pickups/pickup-cancel.ts",
    find: "      await giveFeeBack(tx, part, {",
    replace: "      void ((..._fee: unknown[]) => giveFeeBack)(tx, part, {",
    tests: pickupRaces,
    red: "twenty cancellations at once",
  },
  {
    name: "send a driver again who was called off before he was forgotten",
    file: "server/src/reconcile/pickups.ts",
    find: '  if (pickup.cancelled) return that("was forgotten, and called off since", "nothing");\n',
    replace: "",
    tests: ["server/test/faults/reconcile-pickups.test.ts"],
    red: "a dry run says who would come",
  },
  {
    name: "give the fee that its carrier keeps back with a cancelled booking",
    file: "server/src/resources/ltl/booking-cancel.ts",
    find: "refund_cents: price.total_cents - kept.total_cents",
    replace: "refund_cents: price.total_cents - 0 * kept.total_cents",
    tests: ["server/test/journeys/ltl.test.ts"],
    red: "create → quotes → book → papers by their links → cancel",
  },
  {
    name: "suspend an attempt that has ended meanwhile",
    file: attempts,
    find: '    .where("status", "=", "sent")\n',
    replace: "",
    tests: [conditions],
    red: "to suspend it is possible of one that is settled",
  },
  {
    name: "begin an attempt for a key that another process has",
    file: attempts,
    find: "        AND held.holder_id = ${claim.holder_id} AND held.status IS NULL\n",
    replace: "        AND held.status IS NULL\n",
    tests: [conditions],
    red: "is refused when the key is another process's",
  },
  {
    name: "begin an attempt for a key that has its answer",
    file: attempts,
    find: "AND held.holder_id = ${claim.holder_id} AND held.status IS NULL\n",
    replace: "AND held.holder_id = ${claim.holder_id}\n",
    tests: [conditions],
    red: "is refused when the key is answered",
  },
  {
    name: "lock the shipments of a group in any order",
    file: shared,
    find: ".sort(bySubject)",
    replace: "",
    tests: ["server/src/outbound/account-transaction.test.ts"],
    red: "those who share are served in the order of what they are about",
  },
  {
    name: "buy a rule's purchase that another process has",
    file: "server/src/resources/rules/purchases/purchase-store.ts",
    find: "        AND purchase.holder_id = each.process_id\n",
    replace: "",
    tests: ["server/src/resources/rules/purchases/purchase-store.test.ts"],
    red: "another process's",
  },
  {
    name: "charge again for the retry of a top-up that is under review",
    file: attempts,
    find: '"in", ["sent", "unknown", "review", "settled"]',
    replace: '"in", ["sent", "unknown", "settled"]',
    tests: [conditions],
    red: "a retry finds one that is review",
  },
  {
    name: "disown an attempt that another process has",
    file: attempts,
    find: `    .where("fence", "=", attempt.fence)
    .where("status", "in", ["sent", "unknown", "absent"])`,
    replace: `    .where("status", "in", ["sent", "unknown", "absent"])`,
    tests: [conditions],
    red: "to disown it is for whoever knows the fence",
  },
  {
    name: "keep a label whose undoing has begun",
    file: found,
    find: "  if (attempt.unwanted && attempt.failure) return attempt.failure;\n",
    replace: "",
    tests: ["server/test/faults/refused-undo.test.ts"],
    red: "what somebody began to undo is undone and not kept",
  },
  {
    name: "keep a label that appeared after it was given up",
    file: found,
    find: 'if (attempt.status === "absent")\n    return {',
    replace: 'if (attempt.status === ("never" as string))\n    return {',
    tests: ["server/test/faults/refused-undo.test.ts"],
    red: "a label that appears late and is taken back",
  },
  {
    name: "try to undo for ever",
    file: found,
    find: "if (failures >= undosBeforeReview)",
    replace: "if (failures >= 100 * undosBeforeReview)",
    tests: ["server/test/faults/refused-undo.test.ts"],
    red: "ends under review",
  },
  {
    name: "rule on what no operator was asked about",
    file: attempts,
    find: 'open: decision ? ["review"] : ["sent", "unknown"]',
    replace: 'open: decision ? ["review", "unknown"] : ["sent", "unknown"]',
    tests: [conditions],
    red: "to rule on it is possible of one that is unknown",
  },
  {
    name: "settle what waits for an operator",
    file: attempts,
    find: 'open: decision ? ["review"] : ["sent", "unknown"]',
    replace: 'open: decision ? ["review"] : ["sent", "unknown", "review"]',
    tests: [conditions],
    red: "to settle it is possible of one that is review",
  },
  {
    name: "look up what has ended",
    file: recoveries,
    find: "status IN ('sent', 'unknown', 'absent') AND kind",
    replace: "kind",
    tests: [conditions],
    red: "takes one that is settled if it is to be looked up",
  },
  {
    name: "look for what was given up no more",
    file: recoveries,
    find: "status IN ('sent', 'unknown', 'absent') AND kind",
    replace: "status IN ('sent', 'unknown') AND kind",
    tests: [conditions],
    red: "takes one that is absent if it is to be looked up",
  },
  {
    name: "take what is looked up over without raising the fence",
    file: recoveries,
    find: "fence = fence + 1",
    replace: "fence = fence + 0",
    tests: [conditions],
    red: "raises the fence",
  },
  {
    name: "take kinds of effects that this release does not know",
    file: recoveries,
    find: "AND kind = ANY (${[...claim.kinds]}::text[])",
    replace: "AND kind <> ALL (ARRAY['']) AND ${claim.kinds.length} > 0",
    tests: [conditions],
    red: "leaves kinds alone that this release does not know",
  },
  {
    name: "take as much of one party as there is",
    file: "server/src/database/due-by-party.ts",
    find: "LIMIT ${limit} FOR UPDATE SKIP LOCKED",
    replace: "LIMIT ${limit} + 1000 FOR UPDATE SKIP LOCKED",
    tests: [conditions],
    red: "takes of each party as many as it has places",
  },
  {
    name: "leave an attempt to review that another process has",
    file: recoveries,
    find: `    .where("fence", "=", attempt.fence)
    .where("status", "in", ["sent", "unknown", "absent"])`,
    replace: `    .where("status", "in", ["sent", "unknown", "absent"])`,
    tests: [conditions],
    red: "to leave it to review is for whoever knows the fence",
  },
  {
    name: "write a look of one who lost the attempt",
    file: recoveries,
    find: `    .where("fence", "=", attempt.fence)
    .where("status", "in", ["unknown", "absent"])`,
    replace: `    .where("status", "in", ["unknown", "absent"])`,
    tests: [conditions],
    red: "is not written by one who lost the attempt",
  },
  {
    name: "look again for what an operator ruled on",
    file: attempts,
    find: "WHEN each.status = 'absent' AND NOT unwanted THEN",
    replace: "WHEN each.status = 'absent' THEN",
    tests: [conditions],
    red: "what was given up is looked for a minute later",
  },
  {
    name: "give a retry what an earlier use of its key began",
    file: attempts,
    find: '    .where("subject_id", "=", claim.subject_id)\n',
    replace: "",
    tests: [conditions],
    red: "a retry does not find what an earlier use of the key began",
  },
  {
    name: "let a key expire whose attempt is under review",
    file: keys,
    find: "AND attempts.resolved_at IS NULL)",
    replace: "AND attempts.resolved_at IS NULL AND attempts.status <> 'review')",
    tests: ["server/src/http/idempotent-requests.test.ts"],
    red: "does not end while an attempt that the key began is review",
  },
  {
    name: "forget with whom a key that resumes had begun",
    file: keys,
    find: "subject_id = CASE WHEN ${isFree} THEN NULL ELSE held.subject_id END",
    replace: "subject_id = NULL",
    tests: ["server/test/faults/open-keys.test.ts"],
    red: "goes on with the shipment that it made",
  },
  {
    name: "store an outcome for a key that was used anew",
    file: "server/src/http/idempotency.ts",
    find: " AND subject_id = ${subject_id}\n",
    replace: " AND ${subject_id} <> ''\n",
    tests: ["server/src/http/idempotent-requests.test.ts"],
    red: "passed and used anew, a key is safe from an outcome of its earlier use",
  },
  {
    name: "free a key the moment its late outcome is known",
    file: "server/src/http/idempotency.ts",
    find: "created_at = CASE WHEN created_at < now() - interval '1 hour' THEN now() ELSE created_at END",
    replace: "created_at = created_at",
    tests: ["server/test/faults/open-keys.test.ts"],
    red: "a top-up, repeated after days of silence",
  },
];
