import { afterEach, expect, test, vi } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../test/api.ts";
import type { Routes } from "./routes.ts";
import { newToken } from "./tokens.ts";

const routes: Routes = async (app) => {
  app.get("/plain", { config: { scopes: ["rates:read"] } }, async () => ({}));
  app.post("/top-ups", { config: { scopes: [], limit: "top_up" } }, async () => ({}));
  app.post("/loads", { config: { scopes: [], limit: "import" } }, async () => ({}));
  app.get("/quotes", { config: { scopes: [], limit: "carrier" } }, async () => ({}));
};
const settings = {
  WAYBILL_REQUESTS_PER_MINUTE: "5",
  WAYBILL_ACCOUNT_REQUESTS_PER_MINUTE: "8",
  WAYBILL_CARRIER_REQUESTS_PER_MINUTE: "2",
  WAYBILL_ACCOUNT_CARRIER_REQUESTS_PER_MINUTE: "3",
  WAYBILL_TOP_UPS_PER_MINUTE: "1",
  WAYBILL_IMPORTS_PER_MINUTE: "1",
  WAYBILL_FAILED_AUTHENTICATIONS_PER_MINUTE: "3",
};
let api: TestApi | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await api?.close();
  api = undefined;
});
const codeOf = (response: { body: string }) =>
  (JSON.parse(response.body) as { error: { code: string } }).error.code;

test("every authenticated answer states what is left, refusals included", async () => {
  api = await testApi({ routes: [routes], settings });
  const token = await aToken(api, await anAccount(api), { scopes: ["ltl:read"] });
  const forbidden = await call(api, { token, path: "/plain" });
  expect([forbidden.statusCode, forbidden.headers["ratelimit-policy"]]).toEqual([
    403,
    '"requests";q=5;w=60, "account_requests";q=8;w=60',
  ]);
  expect(forbidden.headers["ratelimit"]).toMatch(
    /^"requests";r=4;t=(59|60), "account_requests";r=7;t=(59|60)$/,
  );
  expect((await call(api, { token, path: "/nowhere" })).headers["ratelimit"]).toMatch(
    /^"requests";r=3;/,
  );
});

test("a token that calls too often gets the time to wait; another one is not delayed", async () => {
  api = await testApi({ routes: [routes], settings });
  const account = await anAccount(api);
  const [token, other] = [await aToken(api, account), await aToken(api, account)];
  for (let calls = 0; calls < 5; calls++) await call(api, { token, path: "/nowhere" });
  const refused = await call(api, { token, path: "/quotes" });
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, "too_many_requests"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
  expect(refused.headers["ratelimit"]).toMatch(/^"requests";r=0;/);
  expect((await call(api, { token: other, path: "/quotes" })).statusCode).toBe(200);
});

test("carrier-bound calls have a limit of their own within the general one", async () => {
  api = await testApi({ routes: [routes], settings });
  const token = await aToken(api, await anAccount(api), { scopes: ["rates:read"] });
  await call(api, { token, path: "/quotes" });
  const last = await call(api, { token, path: "/quotes" });
  expect(last.headers["ratelimit-policy"]).toBe(
    '"requests";q=5;w=60, "account_requests";q=8;w=60, "carrier";q=2;w=60, "account_carrier";q=3;w=60',
  );
  expect(last.headers["ratelimit"]).toMatch(
    /^"requests";r=3;t=\d+, "account_requests";r=6;t=\d+, "carrier";r=0;t=\d+, "account_carrier";r=1;t=\d+$/,
  );
  expect((await call(api, { token, path: "/quotes" })).statusCode).toBe(429);
  expect((await call(api, { token, path: "/plain" })).statusCode).toBe(200);
});

test("an account's tokens share its limits, so that another token does not evade them", async () => {
  api = await testApi({ routes: [routes], settings });
  const account = await anAccount(api);
  const tokens = await Promise.all([aToken(api, account), aToken(api, account)]);
  for (const token of [...tokens, ...tokens, ...tokens, ...tokens])
    expect((await call(api, { token, path: "/nowhere" })).statusCode).toBe(404);
  const refused = await call(api, { token: tokens[0], path: "/plain" });
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, "too_many_requests"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
  expect(refused.headers["ratelimit"]).toMatch(/^"requests";r=0;t=\d+, "account_requests";r=0;t=/);
  const stranger = await aToken(api, await anAccount(api));
  expect((await call(api, { token: stranger, path: "/quotes" })).statusCode).toBe(200);
});

test("carrier-bound calls, top-ups and imports of an account are counted for all of its tokens", async () => {
  api = await testApi({ routes: [routes], settings });
  const account = await anAccount(api);
  const [one, other] = [await aToken(api, account), await aToken(api, account)];
  const statusOf = async (token: string, path: string, method: "GET" | "POST" = "GET") =>
    (await call(api!, { token, path, method })).statusCode;
  expect([await statusOf(one, "/quotes"), await statusOf(one, "/quotes")]).toEqual([200, 200]);
  expect([await statusOf(other, "/quotes"), await statusOf(other, "/quotes")]).toEqual([200, 429]);
  expect(await statusOf(one, "/top-ups", "POST")).toBe(200);
  expect(await statusOf(other, "/top-ups", "POST")).toBe(429);
  expect(await statusOf(one, "/loads", "POST")).toBe(200);
  expect(await statusOf(other, "/loads", "POST")).toBe(429);
});

test("answers kept for an account's keys have their bytes an hour: beyond them a new key is 429, a known one is repeated", async () => {
  const large: Routes = async (app) => {
    let runs = 0;
    app.post("/asks", { config: { scopes: [] } }, async () => ({
      data: { run: ++runs, text: "é".repeat(300) },
    }));
  };
  api = await testApi({
    routes: [large],
    settings: { WAYBILL_STORED_ANSWER_BYTES_PER_HOUR: "1024" },
  });
  const world = api;
  const account = await anAccount(world);
  const token = await aToken(world, account);
  const ask = (key: string | null, as = token) =>
    call(world, {
      token: as,
      method: "POST",
      path: "/asks",
      body: {},
      headers: key === null ? {} : { "idempotency-key": key },
    });
  // Each is more than 600 bytes: the second one begins within the limit and ends beyond it.
  const first = await ask("a");
  expect([first.statusCode, (await ask("b")).statusCode]).toEqual([200, 200]);
  const refused = await ask("c", await aToken(world, account));
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, "too_many_requests"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3000);
  expect((await ask("a")).body).toBe(first.body);
  expect((await ask(null)).json<{ data: { run: number } }>().data.run).toBe(3);
  const other = await aToken(world, await anAccount(world));
  expect((await ask("c", other)).statusCode).toBe(200);
  const kept = await world.db
    .selectFrom("idempotency_keys")
    .select(["account_id", "key"])
    .where("account_id", "=", account.account_id)
    .execute();
  expect(kept.map(({ key }) => key).sort()).toEqual(["a", "b"]);
});

test("the limit is lifted when its minute has passed", async () => {
  api = await testApi({ routes: [routes], settings });
  const token = await aToken(api, await anAccount(api), { scopes: ["rates:read"] });
  for (let calls = 0; calls < 6; calls++) await call(api, { token, path: "/plain" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  expect((await call(api, { token, path: "/plain" })).statusCode).toBe(200);
});

test("failed authentications from one address turn from 401 into 429; a valid token still gets in", async () => {
  api = await testApi({ routes: [routes], settings });
  const { app } = api;
  const fail = (remoteAddress: string) => app.inject({ url: "/api/v5/plain", remoteAddress });
  for (let calls = 0; calls < 3; calls++) expect((await fail("192.0.2.1")).statusCode).toBe(401);
  const refused = await fail("192.0.2.1");
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, "too_many_requests"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await fail("192.0.2.2")).statusCode).toBe(401);
  const token = await aToken(api, await anAccount(api), { scopes: ["rates:read"] });
  expect((await call(api, { token, path: "/plain" })).statusCode).toBe(200);
});

test("past the failures of an address, forged tokens are refused without a database query, known tokens never", async () => {
  api = await testApi({ routes: [routes], settings });
  const token = await aToken(api, await anAccount(api), { scopes: ["rates:read"] });
  const ask = (authorization: string) =>
    call(api!, { token: authorization, path: "/plain" }).then(({ statusCode }) => statusCode);
  expect(await ask(token)).toBe(200);
  for (let calls = 0; calls < 3; calls++) expect(await ask(newToken("live"))).toBe(401);
  const lookups = vi.spyOn(api.platform.callers, "find");
  const forged = await Promise.all(Array.from({ length: 40 }, () => ask(newToken("live"))));
  expect(forged).not.toContain(401);
  expect(forged).toContain(429);
  // Ten in a second, and the test may span two of them.
  expect(lookups.mock.calls.length).toBeLessThanOrEqual(20);
  expect(await ask(token)).toBe(200);
});

test("a setting lifts all limits, for load tests", async () => {
  api = await testApi({ routes: [routes], settings: { ...settings, WAYBILL_RATE_LIMITS: "off" } });
  const token = await aToken(api, await anAccount(api));
  for (let calls = 0; calls < 8; calls++) {
    expect((await call(api, { token, path: "/quotes" })).statusCode).toBe(200);
    expect((await api.app.inject("/api/v5/plain")).statusCode).toBe(401);
  }
});
