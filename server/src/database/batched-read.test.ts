import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../../test/setup/database.ts";
import { connect, inTransaction } from "./connect.ts";
import { batchedRead } from "./batched-read.ts";
import type { Database, Tx } from "./tables.ts";
import { isUnavailable } from "./errors.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  await sql`CREATE TABLE words (id text PRIMARY KEY, word text NOT NULL)`.execute(db);
  await sql`INSERT INTO words SELECT 'w' || n, 'word ' || n FROM generate_series(0, 299) AS n`.execute(
    db,
  );
});
beforeEach(() => statement.mockClear());
afterAll(() => database.close());

const statement = vi.fn(
  (wanted: string) => sql<{ place: number; word: string }>`
    SELECT place, word FROM jsonb_to_recordset(${wanted}::jsonb) AS wanted (place integer, id text)
    CROSS JOIN LATERAL (SELECT word FROM words WHERE words.id = wanted.id LIMIT 1) AS found`,
);
const readWord = batchedRead<{ id: string }, { word: string }>(statement);
const wordOf = async (handle: Database | Tx, id: string) =>
  (await readWord(handle, { id }))?.word ?? null;

const many = (count: number) => Array.from({ length: count }, (_each, n) => n);
const wordsOf = (count: number) => Promise.all(many(count).map((n) => wordOf(db, `w${n}`)));

test("twenty concurrent reads are one statement, and each gets its own row", async () => {
  expect(await wordsOf(20)).toEqual(many(20).map((n) => `word ${n}`));
  expect(statement).toHaveBeenCalledTimes(1);
});

test("a key that many reads share, and one without a row, are answered to every caller", async () => {
  const ids = ["w1", "none", "w1", "w2", "none"];
  const words = await Promise.all(ids.map((id) => wordOf(db, id)));
  expect(words).toEqual(["word 1", null, "word 1", "word 2", null]);
  expect(statement).toHaveBeenCalledTimes(1);
});

test("more reads than a statement answers are split into several statements", async () => {
  expect(await wordsOf(250)).toEqual(many(250).map((n) => `word ${n}`));
  expect(statement).toHaveBeenCalledTimes(3);
});

test("nothing is cached", async () => {
  await sql`INSERT INTO words VALUES ('changing', 'old')`.execute(db);
  expect(await wordOf(db, "changing")).toBe("old");
  await sql`UPDATE words SET word = 'new' WHERE id = 'changing'`.execute(db);
  expect(await wordOf(db, "changing")).toBe("new");
});

test("a read that begins while a statement is in progress is answered by a later one", async () => {
  const lock = await db.startTransaction().execute();
  await sql`LOCK TABLE words IN ACCESS EXCLUSIVE MODE`.execute(lock);
  const first = wordOf(db, "w1");
  await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 20_000 });
  const second = wordOf(db, "w2");
  await vi.waitFor(async () => expect(await countWaiting()).toBe(2), { timeout: 20_000 });
  await lock.commit().execute();
  expect(await Promise.all([first, second])).toEqual(["word 1", "word 2"]);
  expect(statement).toHaveBeenCalledTimes(2);
});

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_locks WHERE relation = 'words'::regclass AND NOT granted`.execute(
    db,
  );
  return rows[0]!.count;
}

test("handles do not share", async () => {
  const options = { url: database.url, connections_max: 1, application_name: "test" };
  const other = connect(options);
  onTestFinished(() => other.close());
  const words = await Promise.all([wordOf(db, "w1"), wordOf(other.db, "w2")]);
  expect(words).toEqual(["word 1", "word 2"]);
  expect(statement).toHaveBeenCalledTimes(2);
});

test("when the database is unavailable, every caller that shares the statement gets the error, and it is not sent again", async () => {
  const url = new URL(database.url);
  url.port = "9";
  const away = connect({ url: url.href, connections_max: 1, application_name: "test" });
  onTestFinished(() => away.close());
  const heard = await Promise.allSettled(many(20).map((n) => wordOf(away.db, `w${n}`)));
  const isAway = heard.map((each) => each.status === "rejected" && isUnavailable(each.reason));
  expect(isAway).toEqual(many(20).map(() => true));
  expect(statement).toHaveBeenCalledTimes(1);
  expect(await wordOf(db, "w1")).toBe("word 1");
});

test("a key that the database cannot accept fails only for its own callers", async () => {
  const ids = ["w1", "\0", "w2", "\0"];
  const heard = await Promise.allSettled(ids.map((id) => wordOf(db, id)));
  expect(heard).toMatchObject([
    { status: "fulfilled", value: "word 1" },
    { status: "rejected", reason: { code: "22P05" } },
    { status: "fulfilled", value: "word 2" },
    { status: "rejected", reason: { code: "22P05" } },
  ]);
  const [one, other] = heard.filter((each) => each.status === "rejected");
  expect(one!.reason).not.toBe(other!.reason);
});

test("a transaction reads by itself, and sees its own writes", async () => {
  const undone = new Error("undone");
  const work = inTransaction(db, async (tx) => {
    await sql`INSERT INTO words VALUES ('mine', 'mine alone')`.execute(tx);
    expect(await wordOf(tx, "mine")).toBe("mine alone");
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  expect(await wordOf(db, "mine")).toBeNull();
});

test("inside a transaction the outer handle refuses, and callers outside are not affected", async () => {
  const outside = wordOf(db, "w1");
  await inTransaction(db, async () => {
    await expect(wordOf(db, "w2")).rejects.toThrow("use its handle");
  });
  expect(await outside).toBe("word 1");
});
