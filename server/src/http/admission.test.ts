import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../test/api.ts";
import type { Routes } from "./routes.ts";

const settings = {
  WAYBILL_RATE_LIMITS: "off",
  WAYBILL_REQUESTS_IN_WORK_MAX: "8",
  WAYBILL_ACCOUNT_REQUESTS_IN_WORK_MAX: "3",
  WAYBILL_BULK_REQUESTS_IN_WORK_MAX: "2",
  WAYBILL_ADMISSION_WAIT_SECONDS: "1",
};
let gate = Promise.withResolvers<void>();
let inWork = 0;
let most = 0;
const routes: Routes = async (app) => {
  const work = async () => {
    most = Math.max(most, ++inWork);
    await gate.promise;
    inWork--;
    return { data: 1 };
  };
  const waiting = { scopes: [], limit: "carrier" } as const;
  app.get("/slow", { config: waiting }, work);
  app.post("/slow", { config: waiting }, work);
  app.post("/bulk", { config: { ...waiting, body: "bulk" } }, work);
  app.get("/quick", { config: { scopes: [] } }, async () => ({ data: 1 }));
};
let api: TestApi;
afterEach(async () => {
  gate.resolve();
  await api.close();
  gate = Promise.withResolvers();
  [inWork, most] = [0, 0];
});

async function aCaller(environment: "live" | "test") {
  const token = await aToken(api, await anAccount(api, { environment }));
  const base = environment === "live" ? "/api/v5" : "/sandbox/api/v5";
  const headers = { authorization: `Bearer ${token}` };
  return {
    token,
    base,
    get: (path: string) => api.app.inject({ url: base + path, headers }),
    post: (path: string, payload?: object) =>
      api.app.inject({ method: "POST", url: base + path, headers, ...(payload && { payload }) }),
  };
}
const codeOf = (response: { body: string }) =>
  (JSON.parse(response.body) as { error: { code: string } }).error.code;
const count = (answers: { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length;

test("more concurrent requests than an account may have in work wait and are served, while other accounts' proceed", async () => {
  api = await testApi({ routes: [routes], settings });
  const [one, other] = [await aCaller("test"), await aCaller("test")];
  const requests = Array.from({ length: 20 }, () => one.get("/slow"));
  await expect.poll(() => inWork).toBe(3);
  expect((await other.get("/quick")).statusCode).toBe(200);
  gate.resolve();
  expect(count(await Promise.all(requests), 200)).toBe(20);
  expect(most).toBeLessThanOrEqual(3);
});

test("a request that waits in vain is refused with Retry-After, and none of it was begun", async () => {
  api = await testApi({ routes: [routes], settings });
  const one = await aCaller("test");
  const requests = Array.from({ length: 6 }, () => one.post("/slow"));
  const refusals: Awaited<(typeof requests)[number]>[] = [];
  for (const each of requests)
    void each.then((answer) => answer.statusCode !== 200 && refusals.push(answer));
  await expect.poll(() => refusals.length, { timeout: 5000 }).toBe(3);
  const refused = refusals[0]!;
  expect([refused.statusCode, codeOf(refused)]).toEqual([429, "too_many_requests"]);
  expect(refused.headers["retry-after"]).toBe("1");
  expect(most).toBe(3);
  gate.resolve();
  expect(count(await Promise.all(requests), 200)).toBe(3);
});

test("under pressure the sandbox is refused, and production gets a slot", async () => {
  api = await testApi({ routes: [routes], settings });
  const sandboxes = await Promise.all(Array.from({ length: 6 }, () => aCaller("test")));
  const requests = sandboxes.flatMap((each) => Array.from({ length: 3 }, () => each.get("/slow")));
  await expect.poll(() => inWork).toBe(6);
  const production = await aCaller("live");
  expect((await production.get("/quick")).statusCode).toBe(200);
  const refused = (await Promise.race(requests)).statusCode;
  expect([429, 503]).toContain(refused);
  gate.resolve();
  expect(count(await Promise.all(requests), 200)).toBeGreaterThanOrEqual(6);
});

test("of requests with large bodies an account has one in work where two may be, and does not block other accounts", async () => {
  api = await testApi({ routes: [routes], settings });
  const [one, other] = [await aCaller("test"), await aCaller("test")];
  const large = { text: "x".repeat(300_000) };
  const requests = Array.from({ length: 3 }, () => one.post("/bulk", large));
  await expect.poll(() => inWork).toBe(1);
  expect((await one.get("/quick")).statusCode).toBe(200);
  const small = one.post("/bulk", { text: "x" });
  await expect.poll(() => inWork).toBe(2);
  const theirs = other.post("/bulk", large);
  await expect.poll(() => inWork).toBe(3);
  gate.resolve();
  expect(count(await Promise.all([...requests, small, theirs]), 200)).toBe(5);
});

test("large bodies that do not arrive hold up no large request whose body is there", async () => {
  api = await testApi({ routes: [routes], settings });
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const [one, another, other] = [
    await aCaller("test"),
    await aCaller("live"),
    await aCaller("test"),
  ];
  const sockets = [one, another].map(({ base, token }) => {
    const socket = connect(port, "127.0.0.1");
    const head = [`POST ${base}/bulk HTTP/1.1`, "Host: x", "Content-Length: 900000"];
    socket.write([...head, `Authorization: Bearer ${token}`, "", "half"].join("\r\n"));
    return socket;
  });
  // Their heads have been read once other requests of theirs are answered.
  for (const caller of [one, another]) await caller.get("/quick");
  const large = other.post("/bulk", { text: "x".repeat(300_000) });
  await expect.poll(() => inWork).toBe(1);
  gate.resolve();
  expect((await large).statusCode).toBe(200);
  expect((await other.get("/slow?per_page=51")).statusCode).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test("pages of more than fifty rows share the slots of large bodies", async () => {
  api = await testApi({ routes: [routes], settings });
  const one = await aCaller("test");
  const pages = Array.from({ length: 3 }, () => one.get("/slow?per_page=51"));
  await expect.poll(() => inWork).toBe(1);
  const small = one.get("/slow?per_page=50");
  await expect.poll(() => inWork).toBe(2);
  gate.resolve();
  expect(count(await Promise.all([...pages, small]), 200)).toBe(4);
  expect(most).toBe(2);
});

test("a request that is refused, aborted or answered frees its slot", async () => {
  api = await testApi({ routes: [routes], settings });
  const one = await aCaller("test");
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  for (let round = 0; round < 4; round++) {
    const socket = connect(port, "127.0.0.1");
    const head = [`POST ${one.base}/slow HTTP/1.1`, "Host: x", "Content-Length: 100"];
    socket.write([...head, `Authorization: Bearer ${one.token}`, "", "half"].join("\r\n"));
    await once(socket, "connect");
    // The head has been read once another request is answered.
    await one.get("/quick");
    socket.destroy();
    await once(socket, "close");
    expect((await one.get("/nowhere")).statusCode).toBe(404);
    const bad = await call(api, {
      token: one.token,
      method: "POST",
      path: "/slow",
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect(bad.statusCode).toBeGreaterThanOrEqual(400);
  }
  gate.resolve();
  // The server hears of a broken connection a little later than the client that broke it.
  await expect
    .poll(async () => {
      const all = await Promise.all(Array.from({ length: 3 }, () => one.get("/slow")));
      return all.map(({ statusCode, body }) => [statusCode, statusCode === 200 ? "" : body]);
    })
    .toEqual(Array.from({ length: 3 }, () => [200, ""]));
});

test("a request whose client is gone before it is admitted keeps no slot, and is not waited for", async () => {
  api = await testApi({ routes: [routes], settings });
  const account = await anAccount(api, { environment: "test" });
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  for (let round = 0; round < 6; round++) {
    // A token of its own, which is looked up in the database meanwhile.
    const token = await aToken(api, account);
    const accepted = once(api.app.server, "connection") as Promise<[Socket]>;
    const socket = connect(port, "127.0.0.1");
    const head = ["POST /sandbox/api/v5/slow HTTP/1.1", "Host: x", "Content-Length: 100"];
    socket.write([...head, `Authorization: Bearer ${token}`, "", "half"].join("\r\n"), () =>
      socket.destroy(),
    );
    await once((await accepted)[0], "close");
  }
  gate.resolve();
  const token = await aToken(api, account);
  await expect
    .poll(async () => {
      const all = await Promise.all(
        Array.from({ length: 3 }, () => call(api, { token, method: "GET", path: "/slow" })),
      );
      return all.map(({ statusCode }) => statusCode);
    })
    .toEqual([200, 200, 200]);
});

test("criteria that a client wrote share the slots of large bodies", async () => {
  api = await testApi({ routes: [routes], settings });
  const one = await aCaller("test");
  const pages = Array.from({ length: 3 }, () => one.get("/slow?filter_id=flt_1"));
  await expect.poll(() => inWork).toBe(1);
  gate.resolve();
  expect(count(await Promise.all(pages), 200)).toBe(3);
  expect(most).toBe(1);
});
