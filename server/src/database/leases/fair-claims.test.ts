import { sql } from "kysely";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { addDue, dueWork, type DueWork } from "../../../test/due-work.ts";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { connect, type Connection } from "../connect.ts";
import type { Database } from "../tables.ts";

/** Claims of every table: no account's rows wait behind another's backlog, and no row is taken twice. */

let database: TestDatabase;
let db: Database;
const processes = Array.from({ length: 12 }, (_each, nth) => `prc_${nth}`);
beforeAll(async () => {
  database = await testDatabase();
  ({ db } = database);
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const table of ["trackers", "pickup_parts", "pickups", "shipments", "processes"])
    await sql`DELETE FROM ${sql.table(table)}`.execute(db);
  for (const { table } of dueWork) await sql`DELETE FROM ${sql.table(table)}`.execute(db);
  await sql`INSERT INTO processes (id, role) SELECT id, 'test' FROM unnest(${processes}::text[]) AS id`.execute(
    db,
  );
});

const one = processes[0]!;
const accountsOf = (count: number) =>
  Array.from({ length: count }, (_each, nth) => `acc_${String(nth).padStart(5, "0")}`);

/** Takes so often that each of so many accounts gets something, if they are served round-robin. */
async function takeRound(work: DueWork, accounts: number): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let takes = Math.ceil(accounts / work.at_once); takes > 0; takes--)
    for (const account of await work.take(db, one)) taken.add(account);
  return taken;
}

/** A handle that counts its statements. */
function counting(): { db: Database; count(): number } {
  let count = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => (count++, node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return { db: counted as Database, count: () => count };
}

describe.each(dueWork)("of $name", (work) => {
  test("an account with a thousand due rows delays another's only one by at most a round", async () => {
    const [before, large, behind] = accountsOf(3) as [string, string, string];
    await addDue(db, work, { accounts: [large], each: 1000, seconds: 3600 });
    expect(await takeRound(work, 1)).toEqual(new Set([large]));
    await addDue(db, work, { accounts: [before, behind], each: 1, seconds: 1 });
    expect(await takeRound(work, 3)).toEqual(new Set([before, large, behind]));
  });

  test("accounts are served round-robin, however many have a backlog", async () => {
    const accounts = accountsOf(20);
    await addDue(db, work, { accounts, each: 100, seconds: 3600 });
    for (let round = 0; round < 2; round++)
      expect((await takeRound(work, accounts.length)).size).toBe(accounts.length);
  });

  test("each is taken once by concurrent claims", async () => {
    const accounts = accountsOf(5);
    await addDue(db, work, { accounts, each: 1, seconds: 10 });
    const takes = await Promise.all(processes.map((process_id) => work.take(db, process_id)));
    expect(takes.flat().sort()).toEqual(accounts);
  });

  test("a round without due rows is one statement", async () => {
    const handle = counting();
    await work.take(handle.db, one);
    expect(handle.count()).toBe(1);
  });
});

describe.each(dueWork.filter(({ at_once }) => at_once === 1))("of $name", (work) => {
  test("a row that a living process holds is not taken; it is free once that process is dead or does not know of it", async () => {
    const [account] = accountsOf(1) as [string];
    const [first, second] = processes as [string, string];
    await addDue(db, work, { accounts: [account], each: 1, seconds: 10 });
    expect(await work.take(db, first)).toEqual([account]);
    expect(await work.take(db, second)).toEqual([]);
    expect(await work.take(db, first), "its answer was lost").toEqual([account]);
    await sql`UPDATE processes SET heartbeat_at = now() - interval '1 hour' WHERE id = ${first}`.execute(
      db,
    );
    expect(await work.take(db, second)).toEqual([account]);
  });
});

/** One connection, which makes a generic plan for each statement at its first execution. */
function planned({ url: address }: TestDatabase, application_name: string): Connection {
  const url = new URL(address);
  url.searchParams.set("options", "-c plan_cache_mode=force_generic_plan");
  return connect({ url: url.href, connections_max: 1, application_name });
}

/** Closes it: a connection reports its statistics when it ends. */
async function closed(on: TestDatabase, connection: Connection, name: string): Promise<void> {
  await connection.close();
  await vi.waitFor(async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE application_name = ${name} AND datname = current_database()
`.execute(on.db);
    expect(rows).toEqual([]);
  });
}

const takes = 3;
/** The most entries of indexes, or rows of tables, that a round may read, however many there are. */
const readsMax = 400;

describe.each(["before there were any", "with statistics"])("planned %s", (when) => {
  test.each(dueWork)("a round of $name reads a few of 20,000", async (work) => {
    const own = await testDatabase();
    onTestFinished(() => own.close());
    const claiming = planned(own, "claiming");
    if (when === "before there were any") {
      await addDue(claiming.db, work, { accounts: ["acc_first"], each: 3, seconds: 1 });
      await work.take(claiming.db, one);
    }
    const filling = planned(own, "filling");
    const [large, ...others] = accountsOf(2000) as [string, ...string[]];
    await addDue(filling.db, work, { accounts: [large], each: 18_000, seconds: 3600 });
    await addDue(filling.db, work, { accounts: others, each: 1, seconds: 1 });
    if (when === "with statistics") await sql`ANALYZE`.execute(filling.db);
    await closed(own, filling, "filling");
    await sql`SELECT pg_stat_reset()`.execute(own.db);
    for (let nth = 0; nth < takes; nth++)
      expect((await work.take(claiming.db, one)).length).toBe(work.at_once);
    await closed(own, claiming, "claiming");
    const { rows } = await sql<{ name: string; reads: number }>`
      SELECT name, reads::float8 / ${takes} AS reads FROM (
        SELECT indexrelname AS name, idx_tup_read AS reads FROM pg_stat_user_indexes
        UNION ALL SELECT relname, seq_tup_read FROM pg_stat_user_tables) AS all_reads WHERE reads > 0`.execute(
      own.db,
    );
    expect(rows.length, "what was read is known").toBeGreaterThan(0);
    expect(rows.filter(({ reads }) => reads > readsMax)).toEqual([]);
  });
});
