import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
  type TestApiOptions,
} from "../../../test/api.ts";
import { aBackupJob, withRestored } from "../../../test/backups.ts";
import { testDatabase, type TestDatabase } from "../../../test/setup/database.ts";
import { backUpToFile } from "../../backup/backup.ts";
import { inTransaction } from "../../database/connect.ts";
import { reseal, sealedColumns } from "../../database/reseal.ts";
import type { Database } from "../../database/tables.ts";
import { createSealer } from "../../domain/accounts/sealer.ts";
import { manualClock } from "../../domain/time/clock.ts";
import { newId } from "../../domain/values/ids.ts";
import { openBalance } from "../../ledger/ledger.ts";
import { tokenRoutes } from "./routes.ts";

/** A token's text is in the responses that show it, and nowhere else (decision 3; SECURITY.md). */

const clock = manualClock(new Date());
const terms = { routes: [tokenRoutes], settings: { WAYBILL_RATE_LIMITS: "off" }, clock };
let database: TestDatabase;
let api: TestApi;
let account: TestAccount;
let manager: string;
beforeAll(async () => {
  database = await testDatabase();
  api = await testApi({ ...terms, beside: database });
  account = await anAccount(api);
  await inTransaction(api.db, (tx) => openBalance(tx, account.account_id, "CAD"));
  manager = await aToken(api, account, { scopes: ["tokens:manage"] });
});
afterAll(async () => {
  await api.close();
  await database.close();
});

const wanted = { name: "CI", scopes: ["rates:read"] };
type Response = Awaited<ReturnType<typeof call>>;
const textOf = (response: Response) => {
  expect(response.statusCode, response.body).toBe(201);
  return response.json<{ data: { token: string } }>().data.token;
};
const idOf = (response: Response) => response.json<{ data: { id: string } }>().data.id;
const codeOf = (response: Response) => response.json<{ error: { code: string } }>().error.code;
const mint = (key: string, { token = manager, at = api } = {}) =>
  post("/tokens", wanted, { key, token, at });
const rotate = (id: string, key: string) => post(`/tokens/${id}/rotate`, undefined, { key });

function post(
  path: string,
  body: unknown,
  { key, token = manager, at = api }: { key: string; token?: string; at?: Pick<TestApi, "app"> },
): Promise<Response> {
  return call(at, { token, method: "POST", path, body, headers: { "idempotency-key": key } });
}

const countTokens = async (db: Database) =>
  Number(
    (await db
      .selectFrom("tokens")
      .select(sql`count(*)`.as("count"))
      .executeTakeFirst())!.count,
  );

/** All data of the database, as a dump has them: bytes as hexadecimal digits. */
async function dumpOf(db: Database): Promise<string> {
  const tables = await sql<{ name: string }>`
    SELECT quote_ident(relname) AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'm')`.execute(db);
  const rows = await Promise.all(
    tables.rows.map(({ name }) =>
      sql<{ row: string }>`SELECT t::text AS row FROM ${sql.raw(name)} AS t`.execute(db),
    ),
  );
  return rows.flatMap((found) => found.rows.map(({ row }) => row)).join("\n");
}

const isIn = (dump: string, text: string) =>
  dump.includes(text) || dump.includes(Buffer.from(text).toString("hex"));

async function aBackup(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-sealed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "backup.tar.gz");
  await backUpToFile(aBackupJob({ database_url: database.url, data_dir: folder }), path);
  return path;
}

describe("the text of a token that was minted or rotated with a key", () => {
  test("is in no table and in no backup", async () => {
    const minted = await mint(newId("tok"));
    const rotated = await rotate(idOf(minted), newId("tok"));
    const dump = await dumpOf(api.db);
    const archive = gunzipSync(await readFile(await aBackup())).toString("latin1");
    // The search itself works.
    expect([isIn(dump, idOf(rotated)), isIn(archive, idOf(rotated))]).toEqual([true, true]);
    for (const response of [minted, rotated])
      for (const text of [textOf(response), textOf(response).slice(8)])
        expect([isIn(dump, text), isIn(archive, text)]).toEqual([false, false]);
    expect(archive).not.toContain("v1.");
  });

  test("is shown again to the token that asked, byte for byte, by any process", async () => {
    const beside = await testApi({ ...terms, beside: api });
    onTestFinished(() => beside.close());
    const key = newId("tok");
    const first = await mint(key);
    for (const at of [api, beside]) {
      const again = await mint(key, { at });
      expect([again.body, again.headers["idempotent-replay"]]).toEqual([first.body, "true"]);
    }
    const rotation = newId("tok");
    const rotated = await rotate(idOf(first), rotation);
    expect((await rotate(idOf(first), rotation)).body).toBe(rotated.body);
  });

  test("is shown to no other token, whatever it may do", async () => {
    const key = newId("tok");
    await mint(key);
    const other = await aToken(api, account, { scopes: ["tokens:manage"] });
    const refused = await mint(key, { token: other });
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, "idempotency_conflict"]);
  });

  test("is shown again after the token was revoked, and is not valid", async () => {
    const key = newId("tok");
    const first = await mint(key);
    await call(api, { token: manager, method: "DELETE", path: `/tokens/${idOf(first)}` });
    expect((await mint(key)).body).toBe(first.body);
    expect((await call(api, { token: textOf(first), path: "/tokens" })).statusCode).toBe(401);
  });
});

describe("a response that can no longer be opened", () => {
  const unavailable = {
    error: {
      code: "replay_unavailable",
      message: expect.stringContaining("was carried out") as string,
      details: { status: 201 },
    },
  };

  test("is 409 after the secret was changed, and mints no second token", async () => {
    const key = newId("tok");
    await mint(key);
    const changed = await testApi({
      ...terms,
      beside: api,
      secret: "another secret of the same use",
    });
    onTestFinished(() => changed.close());
    const count = await countTokens(api.db);
    const refused = await mint(key, { at: changed });
    expect([refused.statusCode, refused.json()]).toEqual([409, unavailable]);
    expect(await countTokens(api.db)).toBe(count);
  });

  test("is shown under a new secret while the former one is given, and without it after a rekey", async () => {
    const key = newId("tok");
    const first = await mint(key);
    const [former, secret] = [
      "only-for-tests-only-for-tests-only",
      "another secret of the same use, of forty",
    ];
    const opened = async (options: Partial<TestApiOptions>) => {
      const other = await testApi({ ...terms, beside: api, ...options });
      onTestFinished(() => other.close());
      return (await mint(key, { at: other })).body;
    };
    expect(await opened({ secret, previous_secrets: [former] })).toBe(first.body);
    expect(await opened({ secret })).not.toBe(first.body);
    const sealer = createSealer(secret, [former]);
    expect((await reseal(api.db, sealer)).resealed).toBeGreaterThan(0);
    expect(await reseal(api.db, sealer)).toMatchObject({ resealed: 0 });
    expect(await opened({ secret })).toBe(first.body);
    expect(await opened({})).not.toBe(first.body);
    // The other tests use the former one.
    await reseal(api.db, createSealer(former, [secret]));
    expect(await opened({})).toBe(first.body);
  });

  test("is counted where no secret that is given opens it, and stays as it is", async () => {
    const key = newId("tok");
    const first = await mint(key);
    const found = await reseal(api.db, createSealer("another secret of the same use, of forty"));
    expect(found.resealed).toBe(0);
    expect(found.unknown).toBeGreaterThan(0);
    expect((await mint(key)).body).toBe(first.body);
  });

  test("is in a column that a rekey processes, as every sealed text is", async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND (column_name LIKE '%sealed%' OR column_name = 'totp_secret')`.execute(
      api.db,
    );
    const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ name }) => name).sort()).toEqual([...known].sort());
  });

  test("is 409 after a restore from a backup, and mints no second token", async () => {
    const key = newId("tok");
    await mint(key);
    await withRestored(await aBackup(), async ({ db }) => {
      const restored = await testApi({ ...terms, beside: { db } });
      onTestFinished(() => restored.close());
      const count = await countTokens(db);
      const refused = await mint(key, { at: restored });
      expect([refused.statusCode, refused.json()]).toEqual([409, unavailable]);
      expect(await countTokens(db)).toBe(count);
      await restored.close();
    });
  });

  test("is not replayed once its key is used anew", async () => {
    const key = newId("tok");
    const first = await mint(key);
    await sql`UPDATE idempotency_keys SET created_at = created_at - interval '25 hours'
      WHERE key = ${key}`.execute(api.db);
    const anew = await mint(key);
    expect(textOf(anew)).not.toBe(textOf(first));
    expect((await mint(key)).body).toBe(anew.body);
  });
});
