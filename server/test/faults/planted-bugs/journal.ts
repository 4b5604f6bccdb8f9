import type { PlantedBug } from "./planted-bug.ts";

/** Of the journal outside the database, and of the carriers that are called in their own forms. */

const journaled = "server/src/carriers/guard/journaled.ts";
const reconciled = ["server/test/faults/reconcile-journal.test.ts"];

export const bugsOfJournal: PlantedBug[] = [
  {
    name: "take UPS's tracking for a proof that it sold nothing",
    file: "server/src/carriers/ups/ups.ts",
    find: 'absence: "hint", after_seconds: 900',
    replace: 'absence: "proof", after_seconds: 900',
    tests: ["server/test/e2e/connected-outcomes.test.ts"],
    red: "never frees the money of what they do not show",
  },
  {
    name: "write all of a new connection to the audit log",
    file: "server/src/resources/carrier-connections/change-connection.ts",
    find: "details: { carrier, environment, name, is_default }",
    replace: "details: given",
    tests: ["server/test/faults/planted-secrets.test.ts"],
    red: "no row has one",
  },
  {
    name: "let tracking use all that a contract allows",
    file: "server/src/carriers/guard/budgets.ts",
    find: "later: 0.6",
    replace: "later: 1",
    tests: ["server/src/carriers/guard/guard.test.ts"],
    red: "tracking and prices leave a part of it to labels",
  },
  {
    name: "count operations in place of calls",
    file: "server/src/transport/http-call.ts",
    find: "    spendCall();\n",
    replace: "",
    tests: ["server/test/e2e/call-budgets.test.ts"],
    red: "quotes and purchases stay inside it",
  },
  {
    name: "note the whole connection of a call",
    file: journaled,
    find: "const facts = { account_id, carrier, environment, connection_id };",
    replace: "const facts = { account_id, carrier, environment, connection_id, connection };",
    tests: ["server/test/faults/planted-secrets.test.ts"],
    red: "no file of the data directory has one",
  },
  {
    name: "send a purchase that could not be noted",
    file: journaled,
    find: "      throw notNoted(carrier, name, error);\n",
    replace: "",
    tests: ["server/test/e2e/journal.test.ts", "server/src/carriers/guard/journaled.test.ts"],
    red: "while it cannot be written a purchase is refused before it is sent",
  },
  {
    name: "take a journal without what the database knows for a whole one",
    file: "server/src/reconcile/noted.ts",
    find: "return !read.references.has(last.reference);",
    replace: "return false;",
    tests: reconciled,
    red: "without its journal the carrier is left to a person",
  },
  {
    name: "give up a purchase without an answer that no look-up disproves",
    file: "server/src/reconcile/ask-again.ts",
    find: '  if (facts.absence === "hint") return "open";\n',
    replace: "",
    tests: reconciled,
    red: "an unheard purchase is left to an operator",
  },
];
