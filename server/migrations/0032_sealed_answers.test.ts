import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations } from "../src/database/migrate.ts";
import { bareDatabase } from "../test/setup/database.ts";

const before = readMigrations().filter(({ name }) => name < "0032");

test("no token's text stays in a stored answer, and other answers stay", async () => {
  const { db, close } = await bareDatabase();
  onTestFinished(close);
  await migrate(db, before);
  const token = `wb_test_${"a1".repeat(23)}`;
  const bodies = {
    minted: JSON.stringify({ data: { id: "tok_1", token } }),
    created: JSON.stringify({ data: { id: "shp_1", reference: "token" } }),
    gone: "",
  };
  for (const [key, body] of Object.entries(bodies))
    await sql`
      INSERT INTO idempotency_keys (account_id, key, fingerprint, created_at, status, content_type, body)
      VALUES ('acc_1', ${key}, '\\x00', now(), ${body === "" ? 204 : 201}, 'application/json', ${Buffer.from(body)})`.execute(
      db,
    );

  await migrate(db);

  const { rows } = await sql`
    SELECT key, status, convert_from(body, 'UTF8') AS body, sealed_body FROM idempotency_keys ORDER BY key`.execute(
    db,
  );
  expect(rows).toEqual([
    { key: "created", status: 201, body: bodies.created, sealed_body: null },
    { key: "gone", status: 204, body: "", sealed_body: null },
    { key: "minted", status: 201, body: null, sealed_body: null },
  ]);
});
