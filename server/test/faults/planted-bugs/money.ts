import type { PlantedBug } from "./planted-bug.ts";

/** Of holds, the ledger, refunds and statements. */

const ledger = "server/src/ledger/ledger.ts";
const holds = "server/src/ledger/holds.ts";
const carrierFaults = ["server/test/faults/carrier-faults.test.ts"];

export const bugsOfMoney: PlantedBug[] = [
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
    name: "capture one hold for several debits",
    file: ledger,
    find: "AND (SELECT holds FROM freed) = ${holdIds.length}",
    replace: "AND (SELECT holds FROM freed) <= ${holdIds.length}",
    tests: ["server/src/ledger/ledger.test.ts"],
    red: "a hold ends once",
  },
  {
    name: "debit a label without its tax",
    file: "server/src/purchasing/labels/label-purchase.ts",
    find: 'book: "credits" as const, amount_cents: -price.total_cents',
    replace: 'book: "credits" as const, amount_cents: -price.subtotal_cents',
    tests: ["server/test/e2e/courier.test.ts"],
    red: "create → rates → label → PDF by its link",
  },
  {
    name: "credit a refund that another process has resolved",
    file: "server/src/shipping/shipments/refunds.ts",
    find: '    if (locked.refund_status !== "pending") return;\n',
    replace: "",
    tests: ["server/test/faults/refund-races.test.ts"],
    red: "a refund that is approved while another process waits for its carrier",
  },
  {
    name: "refund a charge in full of which a part was refunded",
    file: "server/src/resources/credits/top-up.ts",
    find: "const amount_cents = charge.amount_cents - charge.refunded_cents;",
    replace: "const amount_cents = charge.amount_cents;",
    tests: ["server/test/e2e/undone-top-ups.test.ts"],
    red: "of which 2000 cents were refunded already",
  },
  {
    name: "book a label's tax as revenue",
    file: "server/src/purchasing/labels/label-purchase.ts",
    find: `      { book: "postage_revenue" as const, amount_cents: price.subtotal_cents },
      { book: "tax_payable" as const, amount_cents: price.tax_cents },
`,
    replace: `      { book: "postage_revenue" as const, amount_cents: price.total_cents },
      { book: "tax_payable" as const, amount_cents: 0 * price.tax_cents },
`,
    tests: ["server/test/e2e/courier.test.ts"],
    red: "create → rates → label → PDF by its link",
  },
  {
    name: "owe a carrier its quoted price instead of its charge",
    file: "server/src/purchasing/labels/label-purchase.ts",
    find: "  const cost = costOf(input, label);\n",
    replace: "  const cost = costOf(input, { ...label, cost: null });\n",
    tests: carrierFaults,
    red: "a carrier that charges less than it quoted is owed its charge, the client pays the quoted price",
  },
  {
    name: "compare the cash of top-ups with itself",
    file: "server/src/ledger/verify/entries.ts",
    find: "CASE type WHEN 'top_up' THEN -amount_cents ELSE 0 END AS due_cash",
    replace: "cash AS due_cash",
    tests: ["server/src/ledger/verify.test.ts"],
    red: "an entry on a book that does not fit its type",
  },
  {
    name: "report Waybill's own refunds at Stripe as manual ones",
    file: "server/src/providers/payments/stripe/answers.ts",
    find: "    .filter((charge) => !(isRefund && metadata?.reference === undoReference(charge.reference)))\n",
    replace: "",
    tests: ["server/src/providers/payments/stripe/list-charges.test.ts"],
    red: "what Waybill paid back is not",
  },
  {
    name: "decide by a balance without locking it",
    file: ledger,
    find: "    .forUpdate()\n",
    replace: "",
    tests: ["server/test/e2e/adjustments.test.ts"],
    red: "an adjustment that a purchase leaves no money for is 402",
  },
  {
    name: "refuse money that became available meanwhile",
    file: holds,
    find: "  if (await reserve(tx, accountId, wanted)) return;\n  throw",
    replace: "  throw",
    tests: ["server/src/ledger/holds.test.ts"],
    red: "money that is credited just after it was found missing is held",
  },
  {
    name: "put the first moment of a month on the statement before",
    file: "server/src/resources/billing/store.ts",
    find: "AND later.created_at >= ${ends_at}",
    replace: "AND later.created_at > ${ends_at}",
    tests: ["server/src/resources/billing/statements.test.ts"],
    red: "a month ends at midnight of the account's own clocks",
  },
];
