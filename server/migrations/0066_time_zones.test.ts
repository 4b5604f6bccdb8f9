import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations } from "../src/database/migrate.ts";
import { bareDatabase } from "../test/setup/database.ts";

const before = readMigrations().filter(({ name }) => name < "0066");

test("time zones that PostgreSQL reads differently or not at all become Toronto's, and others stay", async () => {
  const { db, close } = await bareDatabase();
  onTestFinished(close);
  await migrate(db, before);
  const replaced = ["+0530", "+05:00", "IST", "AET", "CET", "US/Pacific-New", "Mars/Olympus", ""];
  const kept = ["UTC", "America/Vancouver", "America/Argentina/Buenos_Aires", "Etc/GMT+5"];
  await sql`
    INSERT INTO accounts (account_id, organization_id, environment, currency, time_zone)
    SELECT 'acc_' || zone, 'org_1', 'test', 'CAD', zone FROM unnest(${[...replaced, ...kept]}::text[]) AS zone`.execute(
    db,
  );
  await migrate(db);
  const { rows } = await sql<{ given: string; time_zone: string }>`
    SELECT substr(account_id, 5) AS given, time_zone FROM accounts`.execute(db);
  expect(Object.fromEntries(rows.map(({ given, time_zone }) => [given, time_zone]))).toEqual({
    ...Object.fromEntries(replaced.map((zone) => [zone, "America/Toronto"])),
    ...Object.fromEntries(kept.map((zone) => [zone, zone])),
  });
});
