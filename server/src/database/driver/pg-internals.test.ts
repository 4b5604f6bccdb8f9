import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/**
 * `pg-internals.ts` relies on undocumented behaviour of pg. When this test fails because pg was upgraded,
 * verify in the new `pg/lib/query.js` and `pg/lib/client.js` that
 *
 * - `Query.prototype.submit(connection)` writes Parse (unless the name is in `connection.parsedStatements`),
 *   Bind, Describe and Execute at once, and asks for nothing but `connection.sync()` at the end;
 * - a query with `callback` gets every result until ReadyForQuery, several results as an array, and the
 *   first error;
 * - `client.query(query)` takes an object with `submit`, and calls it with the connection when it is next in
 *   the queue;
 *
 * run `pipeline.test.ts` and `server/test/faults/`, and then write the new version here.
 */
const writtenFor = "8.23.1";

test("pg is the version whose internals the driver was written for", () => {
  const manifest = fileURLToPath(import.meta.resolve("pg/package.json"));
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  expect(version).toBe(writtenFor);
});
