import type { PlantedBug } from "./planted-bug.ts";

/** Of Idempotency-Keys. */

const keys = "server/src/http/idempotency-claims.ts";

export const bugsOfKeys: PlantedBug[] = [
  {
    name: "let a key expire whose attempt is under review",
    file: keys,
    find: "AND attempts.resolved_at IS NULL)",
    replace: "AND attempts.resolved_at IS NULL AND attempts.status <> 'review')",
    tests: ["server/src/http/idempotent-requests.test.ts"],
    red: "does not end while an attempt that the key began is review",
  },
  {
    name: "lose the subject of a key that resumes",
    file: keys,
    find: "subject_id = CASE WHEN ${isFree} THEN NULL ELSE held.subject_id END",
    replace: "subject_id = NULL",
    tests: ["server/test/faults/open-keys.test.ts"],
    red: "POST /labels that its carrier refuses, repeated with its key, continues with the shipment that it made",
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
    name: "create a shipment for a key that another process has",
    file: "server/src/http/idempotency.ts",
    find: " AND held.holder_id = each.holder_id\n",
    replace: "\n",
    tests: ["server/test/e2e/created-together.test.ts"],
    red: "a request whose key another process took over is refused",
  },
  {
    name: "free a key the moment its late outcome is known",
    file: "server/src/http/idempotency.ts",
    find: "created_at = CASE WHEN created_at < now() - interval '1 hour' THEN now() ELSE created_at END",
    replace: "created_at = created_at",
    tests: ["server/test/faults/open-keys.test.ts"],
    red: "a top-up, repeated after days without an outcome",
  },
  {
    name: "replay an answer to a token that lacks a scope of its verb",
    file: "server/src/http/idempotent-requests.ts",
    find: "verb_scopes.filter((scope) => !allows(token.scopes, [scope]))",
    replace: "verb_scopes.filter((scope) => !allows([...token.scopes, scope], [scope]))",
    tests: ["server/src/resources/rules/buying-scope.test.ts"],
    red: "is not shown by its key what a token with labels:create saved",
  },
];
