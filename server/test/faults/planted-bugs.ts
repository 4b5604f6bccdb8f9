/**
 * Bugs of the kind that would cost somebody money, each a small change of the product's own text, and
 * the tests that have to notice it. `scripts/plant-bugs.ts` plants one after the other in a copy and
 * says which tests turned red; docs/reliability.md has what it last said.
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
}

const outbound = "server/src/outbound/outbound.ts";
const endings = "server/src/outbound/endings.ts";
const recovery = "server/src/outbound/recovery.ts";
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
    find: "AND attempts.fence = each.fence\n        AND attempts.status = ANY (each.open)",
    replace: "",
    tests: ["server/test/faults/lost-lease.test.ts", ...matrix],
    environment: cells("sleeps through its lease before settle of a purchase"),
  },
  {
    name: "send what was given up while we slept",
    file: outbound,
    find: "      refuseToSendLate(outbound, attempt, startedAt);\n",
    replace: "",
    tests: matrix,
    environment: cells("sleeps through its lease before send"),
  },
  {
    name: "give up before the carrier's horizon has passed",
    file: recovery,
    find: "attempt.sent_seconds_ago < operation.horizonSeconds(attempt.input)",
    replace: "attempt.sent_seconds_ago < 0",
    tests: ["server/test/faults/kill.test.ts"],
  },
  {
    name: "hold nothing",
    file: holds,
    find: "SET held_cents = held_cents + ${amount_cents}",
    replace: "SET held_cents = held_cents + 0 * ${amount_cents}",
    tests: ["server/test/faults/parallel-purchases.test.ts"],
  },
  {
    name: "commit a hold that is not covered",
    file: holds,
    find: "SELECT EXISTS (SELECT FROM covered) OR refuse(${notCovered})",
    replace: "SELECT EXISTS (SELECT FROM covered) OR ${notCovered} <> ''",
    tests: ["server/test/faults/parallel-purchases.test.ts"],
  },
  {
    name: "carry out what comes after a statement that failed",
    file: "server/src/database/journeys.ts",
    find: "for (const query of queries) pg.Query.prototype.submit.call(query, unsynced);",
    replace:
      "for (const query of queries) (pg.Query.prototype.submit.call(query, unsynced), connection.sync());",
    tests: ["server/src/database/journeys.test.ts"],
  },
  {
    name: "refuse everybody who shares a transaction with one who is refused",
    file: shared,
    find: "else await Promise.all(group.map((each) => serve(db, accountId, [each])));",
    replace: "else for (const { reject } of group) reject(cause);",
    tests: ["server/src/outbound/account-transaction.test.ts"],
  },
  {
    name: "let two purchases of one shipment share a transaction",
    file: shared,
    find: "if (others?.subjects.has(subject))",
    replace: "if (others?.subjects.has(`${subject}?`))",
    tests: ["server/src/outbound/account-transaction.test.ts"],
  },
  {
    name: "capture one hold for several debits",
    file: ledger,
    find: "AND (SELECT holds FROM freed) = ${holdIds.length}",
    replace: "AND (SELECT holds FROM freed) <= ${holdIds.length}",
    tests: ["server/src/ledger/ledger.test.ts"],
  },
  {
    name: "keep the hold of what was refused",
    file: endings,
    find: "        await operation.release(tx, attempt, failure);\n",
    replace: "",
    tests: matrix,
    environment: cells("of a refused purchase"),
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
  },
  {
    name: "leave a label alone that appeared late",
    file: "server/src/outbound/watch.ts",
    find: "withDeadline(lookUpSeconds, (signal) => undo(attempt, result, signal)),",
    replace: "withDeadline(lookUpSeconds, async () => undo),",
    tests: matrix,
    environment: cells("dies before undo of a label that was sold after"),
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
  },
  {
    name: "take attempts over from the living",
    file: "server/src/outbound/recovery-store.ts",
    find: "AND heartbeat_at > now() - make_interval(secs => ${claim.lease_seconds})",
    replace: "AND heartbeat_at > now() + make_interval(secs => ${claim.lease_seconds})",
    tests: ["server/test/faults/parallel-purchases.test.ts", "server/test/faults/races.test.ts"],
  },
  {
    name: "answer a settled purchase without storing the answer",
    file: "server/src/resources/labels/label-purchase.ts",
    find: "key === null ? null : { account_id, key, sent_at },",
    replace: "key === undefined ? { account_id, key, sent_at } : null,",
    tests: ["server/test/faults/kill.test.ts"],
  },
  {
    name: "pay for a label with what its carrier cost alone",
    file: "server/src/resources/labels/label-purchase.ts",
    find: 'book: "credits" as const, amount_cents: -price.total_cents',
    replace: 'book: "credits" as const, amount_cents: -price.subtotal_cents',
    tests: ["server/test/journeys/courier.test.ts"],
  },
  {
    name: "send a driver for parcels that another driver fetches",
    file: "server/src/resources/pickups/schedule-pickup.ts",
    find: "  await refuseInUse(tx, { account_id, ids, now: ctx.clock.now() });\n",
    replace: "  void refuseInUse;\n",
    tests: pickupRaces,
  },
  {
    name: "look at a driver's pickup without locking it",
    file: "server/src/resources/pickups/store.ts",
    find: "    .forUpdate()\n",
    replace: "",
    tests: pickupRaces,
  },
  {
    name: "send a driver whom nobody pays",
    file: "server/src/resources/pickups/pickup-booking.ts",
    find: "price.total_cents === 0 ? {}",
    replace: "price.total_cents >= 0 ? {}",
    tests: pickupRaces,
  },
  {
    name: "keep the fee of a driver who was called off",
    file: "server/src/resources/pickups/pickup-cancel.ts",
    find: "      await giveFeeBack(tx, part, {",
    replace: "      void ((..._fee: unknown[]) => giveFeeBack)(tx, part, {",
    tests: pickupRaces,
  },
  {
    name: "send a driver again who was called off before he was forgotten",
    file: "server/src/reconcile/pickups.ts",
    find: '  if (pickup.cancelled) return that("was forgotten, and called off since", "nothing");\n',
    replace: "",
    tests: ["server/test/faults/reconcile-pickups.test.ts"],
  },
  {
    name: "give the fee that its carrier keeps back with a cancelled booking",
    file: "server/src/resources/ltl/booking-cancel.ts",
    find: "refund_cents: price.total_cents - kept.total_cents",
    replace: "refund_cents: price.total_cents - 0 * kept.total_cents",
    tests: ["server/test/journeys/ltl.test.ts"],
  },
];
