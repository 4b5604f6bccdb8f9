import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations, type MigrationFile } from "../../src/database/migrate.ts";
import { assertInvariants } from "../invariants.ts";
import { anAccount } from "../world.ts";
import { aServedPlatform, type ServedWorld } from "./served.ts";
import { startTraffic, succeeded, untilAllFinal } from "./traffic.ts";

/** A later release's migrations are applied while processes of this one work: nothing is refused, and nothing is lost. */

const acceptable = new Set(["200", "201"]);

let world: ServedWorld;
beforeAll(async () => {
  world = await aServedPlatform({});
});
afterAll(() => world.close());

/** Of a later release: one more column in every table, and an index that is built without a lock. */
async function laterMigrations(): Promise<MigrationFile[]> {
  const own = readMigrations();
  const newest = own.at(-1)!.name.slice(0, 4);
  const { rows } = await sql<{ name: string }>`
    SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace`.execute(
    world.db,
  );
  const columns = rows.map(({ name }) => ({
    name: `9000_${name}.sql`,
    text: `-- compatible with ${newest}\nALTER TABLE ${name} ADD COLUMN of_a_later_release text NOT NULL DEFAULT '';`,
  }));
  const index = {
    name: "9001_index.sql",
    text: `-- compatible with ${newest}
-- no transaction
DROP INDEX CONCURRENTLY IF EXISTS shipments_of_a_later_release;
CREATE INDEX CONCURRENTLY shipments_of_a_later_release ON shipments (account_id, of_a_later_release);`,
  };
  return [...own, ...[...columns, index].map((file) => ({ ...file, checksum: file.text }))];
}

test("labels are bought while a later release migrates and after, also by processes that start then", async () => {
  const accounts = await Promise.all(
    Array.from({ length: 4 }, () => anAccount(world, { balance_cents: 5_000_000 })),
  );
  const traffic = startTraffic(accounts);
  onTestFinished(() => traffic.stop());
  await traffic.until(20, succeeded);
  await migrate(world.db, await laterMigrations());
  const migratedAt = performance.now();
  await traffic.until(40, (call) => succeeded(call) && call.asked_at > migratedAt);
  await traffic.stop();
  expect(traffic.calls.filter(({ outcome }) => !acceptable.has(outcome))).toEqual([]);
  await untilAllFinal(traffic);

  await world.kill();
  await world.start();
  const again = startTraffic(accounts);
  onTestFinished(() => again.stop());
  await again.until(20, succeeded);
  await again.stop();
  expect(new Set(again.calls.map(({ outcome }) => outcome))).toEqual(new Set(["200", "201"]));
  await assertInvariants(world);
});
