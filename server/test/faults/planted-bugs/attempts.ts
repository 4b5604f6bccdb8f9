import { cells, type PlantedBug } from "./planted-bug.ts";

/** Of outside effects: how an attempt begins, ends, is looked up and reversed. */

const outbound = "server/src/outbound/outbound.ts";
const endings = "server/src/outbound/endings.ts";
const recovery = "server/src/outbound/recovery.ts";
const recoveries = "server/src/outbound/recovery-store.ts";
const found = "server/src/outbound/found-effects.ts";
const conditions = "server/src/outbound/attempt-store.test.ts";
const attempts = "server/src/outbound/attempt-store.ts";
const lateSales = ["server/test/faults/late-sales.test.ts"];
const matrix = ["server/test/faults/crash-matrix"];

export const bugsOfAttempts: PlantedBug[] = [
  {
    name: "end an attempt without checking the fence",
    file: attempts,
    find: "        AND attempts.fence = each.fence\n        AND attempts.status = ANY (each.open)",
    replace: "        AND attempts.status = ANY (each.open)",
    tests: [conditions],
    red: "to settle it requires the current fence",
  },
  {
    name: "send a call that was marked not executed during a pause",
    file: outbound,
    find: "      refuseToSendLate(outbound, attempt, written_at);\n",
    replace: "",
    tests: matrix,
    environment: cells("is paused past its lease before send"),
    red: "the process is paused past its lease before send",
  },
  {
    name: "mark an attempt not executed before the carrier's horizon has passed",
    file: recovery,
    find: "lookUp.releases && sent_seconds_ago >= lookUp.after_seconds",
    replace: "lookUp.releases && sent_seconds_ago >= 0",
    tests: lateSales,
    red: "stays open while its call may still wait for its slot",
  },
  {
    name: "keep the hold of a refused purchase",
    file: endings,
    find: "if (!attempt.resolved_at) await operation.release",
    replace: "if (attempt.resolved_at) await operation.release",
    tests: matrix,
    environment: cells("dies before mark_not_executed of a refused purchase"),
    red: "dies before mark_not_executed of a refused purchase",
  },
  {
    name: "reverse a label before marking it for reversal",
    file: endings,
    find: `  await step(outbound, { name: "mark_for_reversal", of: operation }, () =>
    store.markForReversal(outbound.db, attempt, failure),
  );
`,
    replace: "",
    tests: [...matrix, "server/test/faults/carrier-faults.test.ts"],
    environment: cells("of a label that cannot be kept"),
    red: "of a label that cannot be kept",
  },
  {
    name: "leave a late label live",
    file: endings,
    find: "withDeadline(lookupSeconds, (signal) => undo(attempt, result, signal)),",
    replace: "withDeadline(lookupSeconds, async () => undo),",
    tests: matrix,
    environment: cells("dies before undo of a label that was issued after"),
    red: "before undo of a label that was issued after",
  },
  {
    name: "buy again when the response is lost",
    file: outbound,
    find: "        operation.send(attempt, message, signal),\n",
    replace: `        operation
          .send(attempt, message, signal)
          .catch(() => operation.send({ ...attempt, reference: attempt.id + "b" }, message, signal)),
`,
    tests: matrix,
    environment: cells("dies before suspend of a top-up whose response is lost"),
    red: "dies before suspend of a top-up whose response is lost",
  },
  {
    name: "suspend an attempt that has ended meanwhile",
    file: attempts,
    find: '    .where("status", "=", "sent")\n',
    replace: "",
    tests: [conditions],
    red: "to suspend it is possible for one that is settled",
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
    name: "charge again for the retry of a top-up that is under review",
    file: attempts,
    find: '"in", ["sent", "unknown", "review", "settled"]',
    replace: '"in", ["sent", "unknown", "settled"]',
    tests: [conditions],
    red: "a retry finds one that is review",
  },
  {
    name: "mark an attempt for reversal that another process has",
    file: attempts,
    find: `    .where("fence", "=", attempt.fence)
    .where("status", "in", ["sent", "unknown", "absent", "review"])`,
    replace: `    .where("status", "in", ["sent", "unknown", "absent", "review"])`,
    tests: [conditions],
    red: "to mark it for reversal requires the current fence",
  },
  {
    name: "keep a label whose reversal has begun",
    file: found,
    find: "  if (attempt.unwanted && attempt.failure) return attempt.failure;\n",
    replace: "",
    tests: ["server/test/faults/refused-undo.test.ts"],
    red: "an effect whose reversal has begun is reversed and not kept, however valid it looks to the next process",
  },
  {
    name: "keep a label that appeared after it was marked absent",
    file: found,
    find: 'if (attempt.status === "absent")\n    return {',
    replace: 'if (attempt.status === ("never" as string))\n    return {',
    tests: ["server/test/faults/refused-undo.test.ts"],
    red: "a label that appears late is voided once, though the response to its void is lost, and costs nothing",
  },
  {
    name: "try to reverse without end",
    file: found,
    find: "if (failures >= undosBeforeReview)",
    replace: "if (failures >= 100 * undosBeforeReview)",
    tests: ["server/test/faults/refused-undo.test.ts"],
    red: "ends under review",
  },
  {
    name: "let an operator decide an attempt that is not under review",
    file: attempts,
    find: '"review" ? ["review"] : ["sent", "unknown"]',
    replace: '"review" ? ["review", "unknown"] : ["sent", "unknown"]',
    tests: [conditions],
    red: "to rule on it is possible for one that is unknown",
  },
  {
    name: "settle an attempt that waits for an operator",
    file: attempts,
    find: '"review" ? ["review"] : ["sent", "unknown"]',
    replace: '"review" ? ["review"] : ["sent", "unknown", "review"]',
    tests: [conditions],
    red: "one that was taken over as unknown is not settled once it is under review",
  },
  {
    name: "look up an attempt that has ended",
    file: recoveries,
    find: "status IN ('sent', 'unknown', 'absent', 'review') AND kind",
    replace: "kind",
    tests: [conditions],
    red: "takes one that is settled if it is to be looked up",
  },
  {
    name: "stop looking up absent attempts",
    file: recoveries,
    find: "status IN ('sent', 'unknown', 'absent', 'review') AND kind",
    replace: "status IN ('sent', 'unknown', 'review') AND kind",
    tests: [conditions],
    red: "takes one that is absent if it is to be looked up",
  },
  {
    name: "take an attempt over without raising the fence",
    file: recoveries,
    find: "fence = fence + 1",
    replace: "fence = fence + 0",
    tests: [conditions],
    red: "raises the fence",
  },
  {
    name: "take over kinds of effects that this release does not know",
    file: recoveries,
    find: "AND kind = ANY (${[...claim.kinds]}::text[])",
    replace: "AND kind <> ALL (ARRAY['']) AND ${claim.kinds.length} > 0",
    tests: [conditions],
    red: "does not take kinds that this release does not know",
  },
  {
    name: "leave an attempt to review that another process has",
    file: recoveries,
    find: `    .where("fence", "=", attempt.fence)
    .where("status", "in", ["sent", "unknown", "absent", "review"])`,
    replace: `    .where("status", "in", ["sent", "unknown", "absent", "review"])`,
    tests: [conditions],
    red: "to leave it to review requires the current fence",
  },
  {
    name: "write the lookup of a process that lost the attempt",
    file: recoveries,
    find: `    .where("fence", "=", attempt.fence)
    .where("status", "in", ["unknown", "absent", "review"])`,
    replace: `    .where("status", "in", ["unknown", "absent", "review"])`,
    tests: [conditions],
    red: "is not recorded by a process that lost the attempt",
  },
  {
    name: "look up again what an operator decided",
    file: attempts,
    find: "WHEN each.status = 'absent' AND NOT unwanted THEN",
    replace: "WHEN each.status = 'absent' THEN",
    tests: [conditions],
    red: "what was marked not executed is looked up a minute later",
  },
  {
    name: "let a retry find the attempt of an earlier use of its key",
    file: attempts,
    find: '    .where("subject_id", "=", claim.subject_id)\n',
    replace: "",
    tests: [conditions],
    red: "a retry does not find what an earlier use of the key began",
  },
  {
    name: "look a late label up again for a minute only",
    file: recovery,
    find: "const lateMoments = [60, 660, 4_260, 90_660];",
    replace: "const lateMoments = [60];",
    tests: lateSales,
    red: "after a minute, ten more, an hour more and a day more",
  },
];
