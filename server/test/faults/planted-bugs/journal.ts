import type { PlantedBug } from "./planted-bug.ts";

/** Of the journal outside the database, and of the carriers that are called in their own forms. */

const journaled = "server/src/carriers/guard/journaled.ts";
const reconciled = ["server/test/faults/reconcile-journal.test.ts"];
const manifests = "server/src/reconcile/manifests.ts";
const handedOver = ["server/test/faults/reconcile-manifests.test.ts"];

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
    find: "      details: toldOf(row),\n    });\n  });\n  ctx",
    replace: "      details: given,\n    });\n  });\n  ctx",
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
    name: "give up a purchase without an answer that no lookup disproves",
    file: "server/src/reconcile/ask-again.ts",
    find: '  if (facts.absence === "hint") return "open";\n',
    replace: "",
    tests: reconciled,
    red: "an unheard purchase is left to an operator",
  },
  {
    name: "hand labels over without noting it",
    file: journaled,
    find: "    ...(manifests ? { manifests: journaledManifests(manifests, note) } : {}),\n",
    replace: "",
    tests: ["server/src/carriers/guard/journaled.test.ts"],
    red: "a manifest that cannot be noted is not made",
  },
  {
    name: "forget the manifests of the journal after a restore",
    file: "server/src/reconcile/reconcile.ts",
    find: "  yield* reconcileManifests(job);\n",
    replace: "  void reconcileManifests;\n",
    tests: handedOver,
    red: "that was made since is shown with its labels, which are on no second one",
  },
  {
    name: "record a manifest without labels that may still come",
    file: manifests,
    find: '    if (states.get(id) === "gone" && isLeft) states.set(id, "changing");\n',
    replace: "    void isLeft;\n",
    tests: handedOver,
    red: "a manifest waits for its labels while its carrier cannot be asked for them",
  },
  {
    name: "leave a manifest to an operator whose answer is noted",
    file: manifests,
    find: "      if (!heard) return that(",
    replace: "      if (heard !== undefined) return that(",
    tests: handedOver,
    red: "needs no operator, whose review does not know it",
  },
];
