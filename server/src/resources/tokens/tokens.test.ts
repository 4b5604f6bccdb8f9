import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  aToken,
  anAccount,
  call,
  testApi,
  type TestAccount,
  type TestApi,
} from "../../../test/api.ts";
import { inTransaction } from "../../database/connect.ts";
import { manualClock } from "../../domain/time/clock.ts";
import { knownScopes } from "../../domain/accounts/scopes.ts";
import { tokenRoutes } from "./routes.ts";

const clock = manualClock(new Date());
const dayMs = 86_400_000;
let api: TestApi;
let account: TestAccount;
let manager: string;
beforeAll(async () => {
  api = await testApi({ routes: [tokenRoutes], settings: { WAYBILL_RATE_LIMITS: "off" }, clock });
  account = await anAccount(api);
  manager = await aToken(api, account, { scopes: ["tokens:manage"] });
});
afterAll(() => api.close());

const ahead = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();

interface Shown {
  id: string;
  name: string;
  scopes: string[];
  created_by: string;
  last_four: string;
  expires_at: string | null;
  revoked_at: string | null;
  token: string;
}
const post = (path: string, body?: unknown, as = manager, headers = {}) =>
  call(api, { token: as, method: "POST", path, body, headers });
const shown = (response: { body: string }) => (JSON.parse(response.body) as { data: Shown }).data;
const codeOf = (response: { body: string }) =>
  (JSON.parse(response.body) as { error: { code: string } }).error.code;
const create = async (body: object = {}) =>
  shown(await post("/tokens", { name: "CI", scopes: ["tokens:manage"], ...body }));
const statusFor = async (token: string) => (await call(api, { token, path: "/tokens" })).statusCode;
const auditOf = (subject: string) =>
  api.db
    .selectFrom("audit_log")
    .select(["action", "actor", "details"])
    .where("subject_id", "=", subject)
    .orderBy("id")
    .execute();

/** Statements that wait for a lock on this database. */
async function countLockWaits(): Promise<number> {
  const { rows } = await sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(api.db);
  return rows.length;
}

describe("POST /tokens", () => {
  test("shows the token once; it works at once", async () => {
    const response = await post("/tokens", {
      name: "CI",
      scopes: ["tokens:manage", "rates:read"],
    });
    expect(response.statusCode).toBe(201);
    const data = shown(response);
    expect(data).toEqual({
      id: expect.stringMatching(/^tok_/) as string,
      name: "CI",
      scopes: ["tokens:manage", "rates:read"],
      environment: "test",
      last_four: data.token.slice(-4),
      created_at: clock.now().toISOString(),
      created_by: expect.stringMatching(/^tok_/) as string,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      token: expect.stringMatching(/^wb_test_[0-9A-Za-z]{46}$/) as string,
    });
    expect(await statusFor(data.token)).toBe(200);
    for (const path of ["/tokens", `/tokens/${data.id}`]) {
      expect((await call(api, { token: manager, path })).body).not.toContain(data.token);
    }
  });

  test("keeps the hash and the last four characters only", async () => {
    const { id, token } = await create();
    const row = await api.db
      .selectFrom("tokens")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row.token_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(token.slice(8, -4));
  });

  test("is in the audit log, without the token itself", async () => {
    const { id, token, created_by } = await create();
    const log = await auditOf(id);
    expect(log).toMatchObject([
      { action: "token.created", actor: `token:${created_by}`, details: { id, name: "CI" } },
    ]);
    expect(JSON.stringify(log)).not.toContain(token);
  });

  test("replayed by its key shows the same token", async () => {
    const send = () =>
      post("/tokens", { name: "CI", scopes: ["rates:read"] }, manager, {
        "idempotency-key": "once",
      });
    expect((await send()).body).toBe((await send()).body);
  });

  test("accepts an expiry as a time or in days", async () => {
    const inDays = await create({ expires_in_days: 3650 });
    expect(inDays.expires_at).toBe(new Date(clock.now().getTime() + 3650 * dayMs).toISOString());
    const at = new Date(clock.now().getTime() + 5000).toISOString();
    const { token, expires_at } = await create({ expires_at: at });
    expect([expires_at, await statusFor(token)]).toEqual([at, 200]);
    clock.advance(5000);
    const refused = await call(api, { token, path: "/tokens" });
    expect([refused.statusCode, codeOf(refused)]).toEqual([401, "token_expired"]);
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(81) }, "name"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["rates:write"] }, "scopes.0"],
    [{ expires_in_days: 0 }, "expires_in_days"],
    [{ expires_in_days: 3651 }, "expires_in_days"],
    [{ expires_in_days: 1.5 }, "expires_in_days"],
    [{ expires_at: "tomorrow" }, "expires_at"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ expires_at: ahead(1), expires_in_days: 1 }, "expires_in_days"],
    [{ expires_at: ahead(3651) }, "expires_at"],
    [{ name: " \u200b " }, "name"],
  ])("refuses %j", async (wrong, field) => {
    const response = await post("/tokens", { name: "CI", scopes: ["rates:read"], ...wrong });
    expect(response.statusCode).toBe(422);
    expect(
      Object.keys((JSON.parse(response.body) as { error: { details: object } }).error.details),
    ).toEqual([field]);
  });

  test("names every wrong field at once, and trims the name", async () => {
    const body = { name: " ", scopes: ["rates:read"], expires_at: ahead(3651) };
    const { error } = (await post("/tokens", body)).json<{ error: { details: object } }>();
    expect(Object.keys(error.details).sort()).toEqual(["expires_at", "name"]);
    const longest = await create({ name: "  Ware  house ", expires_at: ahead(3650) });
    expect(longest).toMatchObject({ name: "Ware house", expires_at: ahead(3650) });
  });

  test("refuses a scope that is named twice, as every other list of the API does", async () => {
    const body = { name: "CI", scopes: ["rates:read", "shipments:read", "rates:read"] };
    const response = await post("/tokens", body);
    expect([response.statusCode, response.json<{ error: object }>().error]).toEqual([
      422,
      {
        code: "validation_failed",
        message: "scopes must not contain the same entry twice.",
        details: { scopes: ["scopes must not contain the same entry twice."] },
      },
    ]);
  });

  test("refuses an unknown scope by listing the known ones", async () => {
    const response = await post("/tokens", { name: "CI", scopes: ["everything"] });
    for (const scope of knownScopes) expect(response.body).toContain(scope);
  });

  test("mints any scope by default, and none beyond a lowered ceiling that the token does not hold", async () => {
    expect((await post("/tokens", { name: "CI", scopes: [...knownScopes] })).statusCode).toBe(201);
    const lowered = await anAccount(api, { settings: { token_ceiling: ["rates:read"] } });
    const holder = await aToken(api, lowered, { scopes: ["tokens:manage", "orders:write"] });
    const within = {
      name: "CI",
      scopes: ["rates:read", "orders:read", "orders:write", "tokens:manage"],
    };
    expect((await post("/tokens", within, holder)).statusCode).toBe(201);
    const beyond = await post(
      "/tokens",
      { name: "CI", scopes: ["rates:read", "labels:create"] },
      holder,
    );
    expect([beyond.statusCode, codeOf(beyond)]).toEqual([403, "scope_missing"]);
    expect(beyond.body).toContain("labels:create");
  });
});

describe("DELETE /tokens/{id}", () => {
  const revoke = (id: string) =>
    call(api, { token: manager, method: "DELETE", path: `/tokens/${id}` });

  test("revokes; twice is the same", async () => {
    const { id, token } = await create();
    expect([(await revoke(id)).statusCode, (await revoke(id)).statusCode]).toEqual([204, 204]);
    const refused = await call(api, { token, path: "/tokens" });
    expect([refused.statusCode, codeOf(refused)]).toEqual([401, "token_revoked"]);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      "token.created",
      "token.revoked",
    ]);
  });

  test("takes effect in another process as soon as its cache entry expires", async () => {
    const other = await testApi({
      routes: [tokenRoutes],
      beside: api,
      clock,
      settings: { WAYBILL_TOKEN_CACHE_MS: "1000" },
    });
    const { id, token } = await create();
    expect((await call(other, { token, path: "/tokens" })).statusCode).toBe(200);
    await revoke(id);
    await expect
      .poll(async () => (await call(other, { token, path: "/tokens" })).statusCode, {
        timeout: 1500,
      })
      .toBe(401);
    await other.close();
  });
});

describe("POST /tokens/{id}/rotate", () => {
  test("replaces the token by one of the same name, scopes and lifetime", async () => {
    const old = await create({ scopes: ["tokens:manage", "orders:read"], expires_in_days: 30 });
    clock.advance(dayMs);
    const response = await post(`/tokens/${old.id}/rotate`);
    const renewed = shown(response);
    expect(response.statusCode).toBe(201);
    expect(renewed).toMatchObject({ name: old.name, scopes: old.scopes });
    expect(renewed.expires_at).toBe(new Date(clock.now().getTime() + 30 * dayMs).toISOString());
    expect([await statusFor(old.token), await statusFor(renewed.token)]).toEqual([401, 200]);
  });

  test("lets the old token stay valid for the overlap", async () => {
    const old = await create();
    const renewed = shown(await post(`/tokens/${old.id}/rotate`, { overlap_seconds: 60 }));
    expect([await statusFor(old.token), await statusFor(renewed.token)]).toEqual([200, 200]);
    clock.advance(60_000);
    expect([await statusFor(old.token), await statusFor(renewed.token)]).toEqual([401, 200]);
  });

  test("many concurrent rotations replace a token once; the others are 409 `conflict`", async () => {
    const old = await create();
    const rotated = await Promise.all(
      Array.from({ length: 8 }, () => post(`/tokens/${old.id}/rotate`, { overlap_seconds: 60 })),
    );
    const refused = rotated.filter(({ statusCode }) => statusCode !== 201);
    expect([rotated.length - refused.length, new Set(refused.map(codeOf))]).toEqual([
      ...[1, new Set(["conflict"])],
    ]);
  });

  test("waits for a revocation that is under way, and is then 409 `conflict`", async () => {
    const old = await create();
    const [revoked, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const revocation = inTransaction(api.db, async (tx) => {
      await tx
        .updateTable("tokens")
        .set({ revoked_at: clock.now() })
        .where("id", "=", old.id)
        .execute();
      revoked.resolve();
      await waiting.promise;
    });
    await revoked.promise;
    const rotation = post(`/tokens/${old.id}/rotate`);
    await vi.waitFor(async () => expect(await countLockWaits()).toBeGreaterThan(0));
    waiting.resolve();
    await revocation;
    const refused = await rotation;
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, "conflict"]);
  });

  test("refuses a token that is no longer valid, and an overlap beyond a day", async () => {
    const old = await create();
    expect((await post(`/tokens/${old.id}/rotate`, { overlap_seconds: 86_401 })).statusCode).toBe(
      422,
    );
    await post(`/tokens/${old.id}/rotate`);
    const again = await post(`/tokens/${old.id}/rotate`);
    expect([again.statusCode, codeOf(again)]).toEqual([409, "conflict"]);
  });
});

test("GET /tokens lists the account's own tokens, newest first", async () => {
  const mine = await anAccount(api);
  const as = await aToken(api, mine, { scopes: ["tokens:manage"] });
  const made: Shown[] = [];
  for (const name of ["A", "B"]) {
    clock.advance(1);
    made.push(shown(await post("/tokens", { name, scopes: ["rates:read"] }, as)));
  }
  const { data } = (await call(api, { token: as, path: "/tokens?per_page=2" })).json<{
    data: Shown[];
  }>();
  expect(data.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
});

describe("the most tokens of an account", () => {
  const most = 5;
  let full: TestApi;
  beforeAll(async () => {
    full = await testApi({
      routes: [tokenRoutes],
      settings: { WAYBILL_RATE_LIMITS: "off", WAYBILL_TOKENS_MAX: String(most) },
      clock,
    });
  });
  afterAll(() => full.close());

  const mint = (token: string, path = "/tokens", body: object = {}) =>
    call(full, {
      token,
      method: "POST",
      path,
      body: path === "/tokens" ? { name: "CI", scopes: ["tokens:manage"], ...body } : body,
    });

  test("many concurrent requests mint exactly as many as there is room for; the others are 409 `conflict`", async () => {
    const manager = await aToken(full, await anAccount(full), { scopes: ["tokens:manage"] });
    const minted = await Promise.all(Array.from({ length: 20 }, () => mint(manager)));
    const refused = minted.filter(({ statusCode }) => statusCode !== 201);
    expect(minted.length - refused.length).toBe(most - 1);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(["conflict"]));
    const stranger = await aToken(full, await anAccount(full), { scopes: ["tokens:manage"] });
    expect((await mint(stranger)).statusCode).toBe(201);
  });

  test("revoked and expired ones make room, and a full account can rotate, one overlap at a time", async () => {
    const manager = await aToken(full, await anAccount(full), { scopes: ["tokens:manage"] });
    const expires_at = new Date(clock.now().getTime() + 1000).toISOString();
    await mint(manager, "/tokens", { expires_at });
    const second = shown(await mint(manager));
    while ((await mint(manager)).statusCode === 201);
    clock.advance(1001);
    expect((await mint(manager)).statusCode).toBe(201);
    expect((await mint(manager)).statusCode).toBe(409);
    const overlapping = { overlap_seconds: 60 };
    const rotated = await mint(manager, `/tokens/${second.id}/rotate`, overlapping);
    expect(rotated.statusCode).toBe(201);
    const next = `/tokens/${shown(rotated).id}/rotate`;
    expect(codeOf(await mint(manager, next, overlapping))).toBe("conflict");
    clock.advance(60_001);
    expect((await mint(manager, next, overlapping)).statusCode).toBe(201);
    expect((await mint(manager)).statusCode).toBe(409);
  });
});
