import { connect, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aToken, anAccount, testApi, type TestApi } from "../../test/api.ts";
import { ApiError } from "../domain/errors/errors.ts";
import type { Routes } from "./routes.ts";

const settings = { WAYBILL_RATE_LIMITS: "off", WAYBILL_ADMISSION_WAIT_SECONDS: "2" };
/** An answer that counts as 90 ms. */
const long = 90 * 16 * 1024;
let gate: PromiseWithResolvers<void>;
let inWork: number;
/** Called for each request that was admitted, before the account's own queue. */
let arrive: () => void;
const routes: Routes = async (app) => {
  app.addHook("onRequest", async () => arrive());
  const work = async () => {
    inWork++;
    await gate.promise;
    inWork--;
    return { data: 1 };
  };
  app.get("/outside", { config: { scopes: [], limit: "carrier" } }, work);
  app.get("/own", { config: { scopes: [] } }, work);
  app.post("/own", { config: { scopes: [] } }, work);
  app.get("/long", { config: { scopes: [] } }, async () => ({ data: "x".repeat(long) }));
  app.get("/slow", { config: { scopes: [] } }, async () => {
    vi.advanceTimersByTime(400);
    return { data: 1 };
  });
  app.get("/large", { config: { scopes: [], is_by_criteria: true } }, async () => {
    vi.advanceTimersByTime(120);
    return { data: 1 };
  });
  app.get("/away", { config: { scopes: [], is_by_criteria: true } }, async () => {
    vi.advanceTimersByTime(90);
    throw new ApiError("unavailable", { retry_after: 1 });
  });
};
let api: TestApi;
beforeEach(async () => {
  gate = Promise.withResolvers();
  [inWork, arrive] = [0, () => undefined];
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
  return one;
}

/** Resolves when so many requests have arrived; polling would let faked time pass. */
async function arrivals(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let came = 0;
  arrive = () => void (++came === count && resolve());
  return promise;
}

/** How many of so many are worked on at once, once all have arrived; none is passed over for taking long. */
async function atOnce(count: number, call: () => PromiseLike<{ statusCode: number }>) {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const allHaveCome = arrivals(count);
  const answers = times(count, call);
  await allHaveCome;
  await new Promise((resolve) => setImmediate(resolve));
  const begun = inWork;
  gate.resolve();
  expect(await statuses(answers)).toEqual(new Set([200]));
  return begun;
}

test("with others active an account has eight requests of its own in work, and one after a long one", async () => {
  const [one, other] = [await besideAnother(), await besideAnother()];
  expect(await atOnce(32, () => one.call("/own"))).toBe(8);
  vi.useRealTimers();
  gate = Promise.withResolvers();
  await other.call("/long");
  expect(await atOnce(8, () => other.call("/own"))).toBe(1);
});

test("with others active an account waits for carriers as often as it likes", async () => {
  const one = await besideAnother();
  const answers = times(8, () => one.call("/outside"));
  await expect.poll(() => inWork).toBe(8);
  gate.resolve();
  expect(await statuses(answers)).toEqual(new Set([200]));
});

test("a request that waits for a lock or the like blocks no other of its account", async () => {
  const one = await besideAnother();
  const answers = times(20, () => one.call("/own", "POST"));
  await expect.poll(() => inWork).toBe(20);
  gate.resolve();
  expect(await statuses(answers)).toEqual(new Set([200]));
});

test("an account that is alone has all that it may in work at once", async () => {
  const one = await besideAnother();
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(60_000);
  const answers = times(32, () => one.call("/own"));
  await expect.poll(() => inWork).toBe(32);
  gate.resolve();
  expect(await statuses(answers)).toEqual(new Set([200]));
});

test("with others active an account that uses more than a quarter of the time waits in between, but not for carriers", async () => {
  const one = await besideAnother();
  vi.useFakeTimers({ toFake: ["performance"] });
  gate.resolve();
  for (const path of ["/long", "/large"]) {
    // Three use up more than a second, and an account may be a second ahead.
    for (let call = 0; call < 3; call++) expect((await one.call(path)).statusCode).toBe(200);
    let isAnswered = false;
    const fourth = one.call(path).then((answer) => {
      isAnswered = true;
      return answer;
    });
    expect((await one.call("/outside")).statusCode).toBe(200);
    expect(isAnswered).toBe(false);
    vi.advanceTimersByTime(300);
    expect((await fourth).statusCode).toBe(200);
  }
});

test("a small answer that others made slow uses up nothing", async () => {
  const one = await besideAnother();
  vi.useFakeTimers({ toFake: ["performance"] });
  for (let call = 0; call < 12; call++) expect((await one.call("/slow")).statusCode).toBe(200);
});

test("a request that failed for lack of the database uses up nothing", async () => {
  const one = await besideAnother();
  vi.useFakeTimers({ toFake: ["performance"] });
  for (let call = 0; call < 12; call++) expect((await one.call("/away")).statusCode).toBe(503);
});

test("a body that is slow to arrive blocks none of the account's own work", async () => {
  const one = await besideAnother();
  gate.resolve();
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  // From here on one at a time.
  await one.call("/long");
  const hasCome = arrivals(1);
  const socket = connect(port, "127.0.0.1");
  const head = [`POST ${base}/own HTTP/1.1`, "Host: x", "Content-Length: 100"];
  socket.write([...head, `Authorization: Bearer ${one.token}`, "", "half"].join("\r\n"));
  await hasCome;
  const answered = await statuses(times(4, () => one.call("/own")));
  socket.destroy();
  expect(answered).toEqual(new Set([200]));
});
