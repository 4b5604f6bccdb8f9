import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { isUnavailable, shouldDiscardConnection } from "./errors.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** What the driver throws for this error of PostgreSQL. */
function refusalWith(code: string): Promise<unknown> {
  return sql`DO ${sql.lit(`BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END`)}`
    .execute(database.db)
    .catch((error: unknown) => error);
}

test.each([
  ["25006", "only reads are taken", true],
  ["25P03", "the session was idle in a transaction", true],
  ["40001", "two transactions were in each other's way", false],
  ["40P01", "there was a deadlock", false],
  ["53100", "the disk is full", false],
  ["53200", "memory is out", false],
  ["53300", "there are too many connections", false],
  ["55P03", "a lock could not be had", false],
  ["57014", "a statement took too long", false],
  ["57P01", "the server stops", true],
  ["57P02", "the server has crashed", true],
  ["57P03", "the server starts", true],
  ["08006", "the connection broke", true],
  ["58030", "the disk fails", false],
])(
  "%s, %s: the request may succeed soon; the connection is not usable: %s",
  async (code, _sentence, isUseless) => {
    const error = await refusalWith(code);
    expect(error).toBeInstanceOf(Error);
    expect(isUnavailable(error)).toBe(true);
    expect(shouldDiscardConnection(error)).toBe(isUseless);
  },
);

test.each(["22012", "23505", "23514", "42601", "P0001", "0A000"])(
  "%s is about the statement and no fault of the database",
  async (code) => {
    const error = await refusalWith(code);
    expect(error).toMatchObject({ code });
    expect(isUnavailable(error)).toBe(false);
  },
);

test("a bug in Waybill is no fault of the database", () => {
  for (const thrown of [new Error("boom"), new TypeError("x is undefined"), "no", null, undefined])
    expect(isUnavailable(thrown)).toBe(false);
});
