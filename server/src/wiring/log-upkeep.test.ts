import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anAccount, testApi, type TestApi } from "../../test/api.ts";
import { newId } from "../domain/values/ids.ts";
import { logUpkeepLoops } from "./log-upkeep.ts";

const now = new Date("2026-10-05T14:00:00Z");
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ clock: { now: () => now } });
});
afterAll(() => api.close());

async function run(name: string): Promise<void> {
  const loop = logUpkeepLoops(api.platform).find((each) => each.name === name)!;
  await loop.run(new AbortController().signal);
}

test("runs of rules are kept for ninety days, of every account, however many there are", async () => {
  const accounts = [await anAccount(api), await anAccount(api)];
  const kept: string[] = [];
  for (const { account_id } of accounts) {
    for (const [days, isKept] of [
      [91, false],
      [89, true],
    ] as const) {
      const id = newId("run", ago(days));
      if (isKept) kept.push(id);
      await sql`
        INSERT INTO rule_runs (account_id, id, rule_id, rule_name, trigger, subject_type, subject_id, status, changes, created_at)
        VALUES (${account_id}, ${id}, 'rul', 'Tag', 'shipment.created', 'shipment', 'shp', 'applied', '[]', ${ago(days)})`.execute(
        api.db,
      );
    }
    await sql`
      INSERT INTO rule_runs (account_id, id, rule_id, rule_name, trigger, subject_type, subject_id, status, changes, created_at)
      SELECT ${account_id}, 'run_00' || n, 'rul', 'Tag', 'shipment.created', 'shipment', 'shp', 'applied', '[]', ${ago(200)}
      FROM generate_series(1, 2500) AS n`.execute(api.db);
  }
  await run("rule_runs.prune");
  const { rows } = await sql<{ id: string }>`SELECT id FROM rule_runs ORDER BY id`.execute(api.db);
  expect(rows.map(({ id }) => id)).toEqual(kept.sort());
});

test("rows of an import are kept for ninety days after its end, and the import permanently", async () => {
  const { account_id } = await anAccount(api);
  const imports = { old: 91, fresh: 89, running: null };
  for (const [id, days] of Object.entries(imports)) {
    const ended = days === null ? null : ago(days);
    const counts = ended ? 1200 : 0;
    await sql`
      INSERT INTO imports (account_id, id, format, status, row_count, processed_count, created_count, updated_count,
        error_count, created_at, completed_at)
      VALUES (${account_id}, ${id}, 'csv', ${ended ? "completed" : "processing"}, 1200, ${counts}, ${counts}, 0, 0, ${ago(100)}, ${ended})`.execute(
      api.db,
    );
    await sql`
      INSERT INTO import_rows (account_id, import_id, row, sku, status)
      SELECT ${account_id}, ${id}, n, 's', 'created' FROM generate_series(1, 1200) AS n`.execute(
      api.db,
    );
  }
  await run("import_rows.prune");
  const { rows } = await sql`
    SELECT id, (SELECT count(*)::int FROM import_rows WHERE import_id = id) AS count FROM imports ORDER BY id`.execute(
    api.db,
  );
  expect(rows).toEqual([
    { id: "fresh", count: 1200 },
    { id: "old", count: 0 },
    { id: "running", count: 1200 },
  ]);
});

test("each log has partitions by its own number of days, and old gaps are forgotten", async () => {
  await sql`
    INSERT INTO request_log_gaps (process_id, at) VALUES ('old', ${ago(31)}), ('new', ${ago(29)})`.execute(
    api.db,
  );
  await run("logs.partition");
  const { rows } = await sql<{ table: string; count: number }>`
    SELECT inhparent::regclass::text AS table, count(*)::int AS count FROM pg_inherits
    WHERE inhparent::regclass::text !~ 'idx|pkey|_of_|_by_' GROUP BY 1 ORDER BY 1`.execute(api.db);
  expect(rows).toEqual(
    ["carrier_calls", "delivery_attempts", "request_bodies", "request_log", "request_subjects"].map(
      (table) => ({ table, count: 5 }),
    ),
  );
  const gaps = await sql`SELECT process_id FROM request_log_gaps`.execute(api.db);
  expect(gaps.rows).toEqual([{ process_id: "new" }]);
});
