import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/**
 * `pg-internals.ts` relies on undocumented behaviour of pg. When this test fails because pg was upgraded,
 * verify in the new `pg/lib/query.js` and `pg/lib/client.js` that
 *
 * - `client.query(query)` takes an object with `submit`, calls it with the connection when it is next in the queue, and
 *   passes it every message until ReadyForQuery, or the first error;
 * - it replaces the `callback` of the object by one that ends its timeout, too;
 * - the connection's `parse`, `bind`, `describe`, `execute` and `sync` write what `lib/query.js` writes with them;
 * - a ParseComplete is noted in `connection.parsedStatements` under the `name` of the query that is active;
 * - `lib/utils.js` has `prepareValue`;
 *
 * run `pipeline.test.ts` and `server/test/faults/`, and then write the new version here.
 */
const writtenFor = "8.23.1";

test("pg is the version whose internals the driver was written for", () => {
  const manifest = fileURLToPath(import.meta.resolve("pg/package.json"));
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  expect(version).toBe(writtenFor);
});
