import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { connect } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { beginning } from "../../domain/timeline/entry.ts";
import * as logs from "./log-store.ts";
import type { TimelineScope } from "./scope.ts";
import * as store from "./store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const scope: TimelineScope = {
  account_id: "acc_many",
  subjects: ["shp_mine"],
  request: null,
  event_types: null,
  with_bodies: true,
};
const slice = { after: beginning, limit: 101 };
const reads = [...Object.values(store), logs.listRequests, logs.listCarrierCalls, logs.listScans];

async function readAll(db: Database): Promise<void> {
  for (const read of reads) await read(db, scope, slice);
}

/** Of one account, and of other shipments than the one whose timeline is read. */
async function fill(db: Database, count: number): Promise<void> {
  const each = sql`generate_series(1, ${count}) AS n`;
  await sql`
    INSERT INTO attempts (account_id, id, kind, subject_id, reference, party, status, input, sent_at)
    SELECT 'acc_many', 'att_' || n, 'label_void', 'shp_' || n, 'att_' || n, 'ups', 'refused', '{}', now() FROM ${each}`.execute(
    db,
  );
  await sql`
    INSERT INTO events (account_id, id, type, subject_id, data, position, sequence)
    SELECT 'acc_many', 'evt_' || n, 'shipment.voided', 'shp_' || n, '{}', n, 1 FROM ${each}`.execute(
    db,
  );
  await sql`
    INSERT INTO deliveries (account_id, id, webhook_id, event_id, event_type, trigger, status, ended_at)
    SELECT 'acc_many', 'dlv_' || n, 'whk_1', 'evt_' || n, 'shipment.voided', 'event', 'delivered', now() FROM ${each}`.execute(
    db,
  );
  await sql`
    INSERT INTO audit_log (account_id, id, actor, action, subject_id)
    SELECT 'acc_many', 'adt_' || n, 'operator:ada', 'review.void', 'shp_' || n FROM ${each}`.execute(
    db,
  );
  await sql`
    INSERT INTO rule_runs (account_id, id, rule_id, rule_name, trigger, subject_type, subject_id, status, changes, created_at)
    SELECT 'acc_many', 'run_' || n, 'rul_1', 'Any', 'shipment.created', 'shipment', 'shp_' || n, 'applied', '[]', now()
    FROM ${each}`.execute(db);
  await sql`
    INSERT INTO carrier_calls (account_id, at, id, shipment_id, carrier, operation, ms, outcome)
    SELECT 'acc_many', now(), 'ccl_' || n, 'shp_' || n, 'ups', 'quote', 1, 'ok' FROM ${each}`.execute(
    db,
  );
  await sql`
    INSERT INTO request_subjects (account_id, at, subject_id, request_log_id)
    SELECT 'acc_many', now(), 'shp_' || n, 'req_' || n FROM ${each}`.execute(db);
  await sql`
    INSERT INTO request_log (account_id, at, id, request_id, method, route, path, status, ms, actor, is_replay)
    SELECT 'acc_many', now(), 'req_' || n, 'r' || n, 'POST', '/shipments', '/shipments', 201, 1, 'token:tok_1', false
    FROM ${each}`.execute(db);
}

async function rowsRead(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT sum(rows_read)::float8 AS count FROM (
      SELECT idx_tup_read AS rows_read FROM pg_stat_user_indexes
      UNION ALL SELECT seq_tup_read FROM pg_stat_user_tables) AS reads`.execute(db);
  return rows[0]!.count;
}

test("a timeline reads its own rows, however many the account has, with plans made for empty tables", async () => {
  const connection = connect({ url: database.url, connections_max: 1, application_name: "reader" });
  try {
    // PostgreSQL keeps a plan once it has made five.
    for (let times = 0; times < 7; times += 1) await readAll(connection.db);
    await fill(database.db, 3000);
    await sql`SELECT pg_stat_force_next_flush()`.execute(connection.db);
    await sql`SELECT 1`.execute(connection.db);
    const before = await rowsRead(connection.db);
    await readAll(connection.db);
    await sql`SELECT pg_stat_force_next_flush()`.execute(connection.db);
    await sql`SELECT 1`.execute(connection.db);
    const after = await rowsRead(connection.db);
    expect(after - before).toBeLessThan(500);
  } finally {
    await connection.close();
  }
});
