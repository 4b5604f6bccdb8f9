import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aToken, anAccount, testApi, type TestApi } from "../../test/api.ts";
import { ApiError } from "../domain/errors.ts";
import type { Routes } from "./routes.ts";

const settings = { WAYBILL_RATE_LIMITS: "off", WAYBILL_ADMISSION_WAIT_SECONDS: "2" };
let gate: PromiseWithResolvers<void>;
let inWork: number;
let most: number;
const routes: Routes = async (app) => {
  const work = async () => {
    most = Math.max(most, ++inWork);
    await new Promise((resolve) => setImmediate(resolve));
    await gate.promise;
    inWork--;
    return { data: 1 };
  };
  app.get("/outside", { config: { scopes: [], limit: "carrier" } }, work);
  app.get("/own", { config: { scopes: [] } }, work);
  app.post("/own", { config: { scopes: [] } }, work);
  const busy = () => vi.advanceTimersByTime(190);
  app.get("/busy", { config: { scopes: [] } }, async () => {
    busy();
    return { data: 1 };
  });
  app.get("/away", { config: { scopes: [] } }, async () => {
    busy();
    throw new ApiError("unavailable", { retry_after: 1 });
  });
};
let api: TestApi;
beforeEach(async () => {
  gate = Promise.withResolvers();
  [inWork, most] = [0, 0];
  api = await testApi({ routes: [routes], settings });
});
afterEach(async () => {
  vi.useRealTimers();
  gate.resolve();
  await api.close();
});

async function aCaller() {
  const token = await aToken(api, await anAccount(api, { environment: "test" }));
  const headers = { authorization: `Bearer ${token}` };
  const call = (path: string, method: "GET" | "POST" = "GET") =>
    api.app.inject({ method, url: base + path, headers });
  return { token, call };
}

const base = "/sandbox/api/v5";
const times = <T>(count: number, what: () => T) => Array.from({ length: count }, what);
async function statuses(answers: PromiseLike<{ statusCode: number }>[]) {
  return new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode));
}

async function besideAnother() {
  const [one, other] = [await aCaller(), await aCaller()];
  gate.resolve();
  await other.call("/own");
  gate = Promise.withResolvers();
  most = 0;
  return one;
}

test("beside others an account does one thing of its own at a time", async () => {
  const one = await besideAnother();
  gate.resolve();
  expect(await statuses(times(8, () => one.call("/own")))).toEqual(new Set([200]));
  expect(most).toBe(1);
});

test("beside others an account waits for carriers as often as it likes", async () => {
  const one = await besideAnother();
  const answers = times(8, () => one.call("/outside"));
  await expect.poll(() => inWork).toBe(8);
  gate.resolve();
  expect(await statuses(answers)).toEqual(new Set([200]));
});

test("what waits for a lock or the like holds up nothing else of its account", async () => {
  const one = await besideAnother();
  const answers = times(4, () => one.call("/own", "POST"));
  await expect.poll(() => inWork).toBe(4);
  gate.resolve();
  expect(await statuses(answers)).toEqual(new Set([200]));
});

test("an account that nobody works beside does all at once that it may", async () => {
  const one = await besideAnother();
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(60_000);
  gate.resolve();
  expect(await statuses(times(8, () => one.call("/own")))).toEqual(new Set([200]));
  expect(most).toBeGreaterThan(1);
});

test("beside others an account that uses more than a quarter of the time waits in between, but not for carriers", async () => {
  const one = await besideAnother();
  vi.useFakeTimers({ toFake: ["performance"] });
  // Each takes 190 ms, of which 90 count; that uses up 360, and an account may be a second ahead.
  for (let call = 0; call < 5; call++) expect((await one.call("/busy")).statusCode).toBe(200);
  let isAnswered = false;
  const sixth = one.call("/busy").then((answer) => {
    isAnswered = true;
    return answer;
  });
  gate.resolve();
  expect((await one.call("/outside")).statusCode).toBe(200);
  expect(isAnswered).toBe(false);
  vi.advanceTimersByTime(200);
  expect((await sixth).statusCode).toBe(200);
});

test("what could not be done without the database uses up nothing", async () => {
  const one = await besideAnother();
  vi.useFakeTimers({ toFake: ["performance"] });
  for (let call = 0; call < 12; call++) expect((await one.call("/away")).statusCode).toBe(503);
});

test("a body that takes its time to arrive keeps none of the account's own work waiting", async () => {
  const one = await besideAnother();
  gate.resolve();
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  const head = [`POST ${base}/own HTTP/1.1`, "Host: x", "Content-Length: 100"];
  socket.write([...head, `Authorization: Bearer ${one.token}`, "", "half"].join("\r\n"));
  await once(socket, "connect");
  expect(await statuses(times(4, () => one.call("/own")))).toEqual(new Set([200]));
  expect(most).toBe(1);
  socket.destroy();
});
