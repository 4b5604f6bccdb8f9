import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import type { AttemptStatus } from "../database/tables.ts";
import { newId } from "../domain/values/ids.ts";
import { makeLookupsDue } from "./store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** An attempt that is looked up in so many seconds. */
async function anAttempt(status: AttemptStatus, seconds: number): Promise<string> {
  const id = newId("att");
  await sql`
    INSERT INTO attempts (account_id, id, kind, subject_id, reference, party, status, fence, input, sent_at, look_at)
    VALUES ('acc_one', ${id}, 'top_up', ${newId("txn")}, ${id}, 'ups', ${status}, 1, '{}', now(),
      now() + make_interval(secs => ${seconds}))`.execute(database.db);
  return id;
}

test("lookups of unknown outcomes become due at once, and no others", async () => {
  const later = await anAttempt("unknown", 3600);
  const sent = await anAttempt("sent", 3600);
  const due = await anAttempt("unknown", -60);
  await makeLookupsDue(database.db);
  const { rows } = await sql<{ id: string; late: number }>`
    SELECT id, extract(epoch FROM now() - look_at)::float AS late FROM attempts`.execute(
    database.db,
  );
  const lateness = Object.fromEntries(rows.map(({ id, late }) => [id, late]));
  expect(lateness[later]).toBeGreaterThanOrEqual(0);
  expect(lateness[later]).toBeLessThan(60);
  expect(lateness[due]).toBeGreaterThanOrEqual(60);
  expect(lateness[sent]).toBeLessThan(0);
});
