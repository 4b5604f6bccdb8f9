import type { PlantedBug } from "./planted-bug.ts";

/** Of rules, background purchases and what they read. */

const rulePurchases = "server/src/purchasing/queue/rule-store.ts";
const claims = ["server/src/purchasing/queue/rule-store.test.ts"];

export const bugsOfRules: PlantedBug[] = [
  {
    name: "let a rule spend a cent more than it may",
    file: "server/src/purchasing/queue/rule-queue.ts",
    find: "if (total_cents > max_total_cents) throw",
    replace: "if (total_cents > max_total_cents + 1) throw",
    tests: ["server/test/e2e/rules.test.ts"],
    red: "is bought at its cap to the cent",
  },
  {
    name: "hold a price that rose against no rule's cap",
    file: "server/src/purchasing/labels/buy-at-quote.ts",
    find: "  if (isAccepted) refuseAboveCap(row, choice, risen.cost);\n",
    replace: "",
    tests: ["server/test/e2e/rules.test.ts"],
    red: "a price that rose above a rule's cap is not bought, even where the caller accepts it",
  },
  {
    name: "buy at a price a cent above the one that was accepted",
    file: "server/src/purchasing/labels/buy-at-quote.ts",
    find: "risen.cost.total_cents <= toCents(choice.expected_total)",
    replace: "risen.cost.total_cents <= toCents(choice.expected_total) + 1",
    tests: ["server/test/e2e/purchase-outcomes.test.ts"],
    red: "sim:price_up: the new total is the one that is paid once it is sent as expected_total",
  },
  {
    name: "apply rules that were replaced since they were read",
    file: "server/src/automation/store.ts",
    find: "IS NOT DISTINCT FROM ${version}::text",
    replace: "IS DISTINCT FROM '' AND ${version}::text IS DISTINCT FROM ''",
    tests: ["server/src/resources/rules/acting-rules.test.ts"],
    red: "a rule that is changed through one process acts as changed in another at once",
  },
  {
    name: "keep a customs line without a country of origin",
    file: "server/src/automation/rule-adapters.ts",
    find: "!hs_code || !country_of_origin",
    replace: "!hs_code",
    tests: ["server/test/e2e/rules.test.ts"],
    red: "are missed when rules give all but the country_of_origin",
  },
  {
    name: "refuse exactly as many comparisons as a call may cause",
    file: "server/src/automation/work-limits.ts",
    find: "comparisons > comparisonsMax && place > 0",
    replace: "comparisons >= comparisonsMax && place > 0",
    tests: ["server/src/resources/rules/many-rules.test.ts"],
    red: "more comparisons than a call may cause",
  },
  {
    name: "search for a name with the accents that were typed",
    file: "server/src/database/criteria/search.ts",
    find: "sql`${folded(text)}::text`",
    replace: "sql`${text.toLowerCase()}::text`",
    tests: ["server/test/e2e/lists.test.ts"],
    red: "a search finds a name by its beginning or its last word",
  },
  {
    name: "accept an amount with a decimal too many",
    file: "server/src/domain/validation/validation.ts",
    find: "value * 10 ** places",
    replace: "value * 10 ** (places + 1)",
    tests: ["server/src/domain/validation/validation.test.ts"],
    red: "has too many decimals",
  },
  {
    name: "buy for the rules of a suspended account",
    file: rulePurchases,
    find: "(SELECT suspended_at IS NULL FROM accounts",
    replace: "(SELECT true FROM accounts",
    tests: claims,
    red: "of a suspended account",
  },
  {
    name: "buy for rules before a restored database is reconciled",
    file: rulePurchases,
    find: "      AND ${isReconciled}\n",
    replace: "",
    tests: claims,
    red: "nothing is claimed while a restored database is not reconciled",
  },
  {
    name: "end a rule's purchase that another process has",
    file: rulePurchases,
    find: "\n      AND holder_id IS NOT DISTINCT FROM ${holder_id}`",
    replace: " AND (${holder_id}::text IS NOT NULL OR true)`",
    tests: claims,
    red: "a purchase is ended only by its holder",
  },
];
