import { afterEach, expect, test, vi } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../test/api.ts";
import type { Routes } from "./routes.ts";

const routes: Routes = async (app) => {
  app.get("/plain", { config: { scopes: ["rates:read"] } }, async () => ({}));
  app.get("/quotes", { config: { scopes: [], limit: "carrier" } }, async () => ({}));
};
const settings = {
  WAYBILL_REQUESTS_PER_MINUTE: "5",
  WAYBILL_CARRIER_REQUESTS_PER_MINUTE: "2",
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

test("every authenticated answer says what is left, refusals included", async () => {
  api = await testApi({ routes: [routes], settings });
  const token = await aToken(api, await anAccount(api), { scopes: ["ltl:read"] });
  const forbidden = await call(api, { token, path: "/plain" });
  expect([forbidden.statusCode, forbidden.headers["ratelimit-policy"]]).toEqual([
    403,
    '"requests";q=5;w=60',
  ]);
  expect(forbidden.headers["ratelimit"]).toMatch(/^"requests";r=4;t=(59|60)$/);
  expect((await call(api, { token, path: "/nowhere" })).headers["ratelimit"]).toMatch(
    /^"requests";r=3;/,
  );
});

test("a token that calls too often is told how long to wait; another one is not held up", async () => {
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
  expect(last.headers["ratelimit-policy"]).toBe('"requests";q=5;w=60, "carrier";q=2;w=60');
  expect(last.headers["ratelimit"]).toMatch(/^"requests";r=3;t=\d+, "carrier";r=0;t=\d+$/);
  expect((await call(api, { token, path: "/quotes" })).statusCode).toBe(429);
  expect((await call(api, { token, path: "/plain" })).statusCode).toBe(200);
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

test("a setting lifts all limits, for load tests", async () => {
  api = await testApi({ routes: [routes], settings: { ...settings, WAYBILL_RATE_LIMITS: "off" } });
  const token = await aToken(api, await anAccount(api));
  for (let calls = 0; calls < 8; calls++) {
    expect((await call(api, { token, path: "/quotes" })).statusCode).toBe(200);
    expect((await api.app.inject("/api/v5/plain")).statusCode).toBe(401);
  }
});
