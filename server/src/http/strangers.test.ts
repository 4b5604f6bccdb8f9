import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { aToken, anAccount, testApi, type TestApi } from "../../test/api.ts";
import type { Routes } from "./routes.ts";

/** Unauthenticated clients cannot keep the process busy. */

const routes: Routes = async (app) => {
  app.post("/notes", { config: { scopes: [] } }, async () => ({ data: 1 }));
};
let api: TestApi;
beforeAll(async () => {
  api = await testApi({
    routes: [routes],
    settings: {
      WAYBILL_HEADERS_TIMEOUT_SECONDS: "1",
      WAYBILL_REQUEST_TIMEOUT_SECONDS: "2",
      WAYBILL_CONNECTIONS_MAX: "50",
    },
  });
  await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => api.close());

function opened(): Socket {
  const socket = connect((api.app.server.address() as AddressInfo).port, "127.0.0.1");
  // The connection is closed while the test writes to it.
  socket.on("error", () => undefined);
  return socket;
}

/** How much of an endless body is sent until the server closes the connection. */
async function sendWithoutEnd(head: string[]): Promise<number> {
  const socket = opened();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write([...head, "", ""].join("\r\n"));
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  while (!socket.destroyed && !socket.writableEnded && socket.bytesWritten < 64 * 1024 * 1024) {
    if (!socket.write(chunk))
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
  }
  socket.destroy();
  await closed;
  return socket.bytesWritten;
}

const post = ["POST /sandbox/api/v5/notes HTTP/1.1", "Host: x"];

test("an endless body without a token is read for a mebibyte, then the connection is closed", async () => {
  const bytes = await sendWithoutEnd([...post, "Transfer-Encoding: chunked"]);
  // What is in the buffers of both sides is sent, but not read.
  expect(bytes).toBeLessThan(20 * 1024 * 1024);
});

test("a stated length beyond a mebibyte is refused at once, before any of it has arrived", async () => {
  const socket = opened();
  socket.write([...post, "Content-Length: 6000000", "", ""].join("\r\n"));
  const [said] = (await once(socket, "data")) as [Buffer];
  expect(said.toString()).toMatch(/^HTTP\/1.1 413 [^]*connection: close[^]*payload_too_large/i);
  await once(socket, "close");
});

test("an account's own refused body is read to its end, so that the client receives the refusal", async () => {
  const token = await aToken(api, await anAccount(api));
  const response = await fetch(
    `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/sandbox/api/v5/notes`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: "x".repeat(12 * 1024 * 1024),
    },
  );
  expect(response.status).toBe(413);
});

test("an incomplete head times out", async () => {
  const socket = opened();
  socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n");
  const begun = performance.now();
  await once(socket.resume(), "close");
  expect(performance.now() - begun).toBeLessThan(9_000);
}, 20_000);

test.each([
  ["an incomplete head", "GET /healthz HTTP/1.1\r\nHost: x\r\n", 408],
  ["an incomplete body", [...post, "Content-Length: 5", "", ""].join("\r\n"), 408],
  ["what is no HTTP", "NONSENSE\r\n\r\n", 400],
  ["a head that is too large", `GET / HTTP/1.1\r\nX-Long: ${"x".repeat(17_000)}\r\n\r\n`, 413],
])(
  "a connection that was refused for %s is freed although its client keeps it open",
  async (_name, sent, status) => {
    const accepted = once(api.app.server, "connection") as Promise<[Socket]>;
    const { port } = api.app.server.address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => undefined).write(sent);
    const [theirs] = await accepted;
    const closed = once(theirs, "close");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    await closed;
    socket.destroy();
  },
  20_000,
);

test("connections beyond the maximum are closed at once; the others are served", async () => {
  const kept = opened();
  await once(kept, "connect");
  const sockets = Array.from({ length: 60 }, opened);
  await Promise.race(sockets.map((socket) => once(socket, "close")));
  kept.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  const [said] = (await once(kept, "data")) as [Buffer];
  expect(said.toString()).toMatch(/^HTTP\/1.1 200 /);
  for (const socket of [kept, ...sockets]) socket.destroy();
});

test("a hundred concurrent readiness checks cost one statement", async () => {
  const statements = vi.spyOn(api.db, "selectFrom");
  const answers = await Promise.all(Array.from({ length: 100 }, () => api.app.inject("/readyz")));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(statements.mock.calls.length).toBeLessThanOrEqual(3);
  statements.mockRestore();
});

describe("openapi.json", () => {
  const get = (headers: Record<string, string> = {}) =>
    api.app.inject({ url: "/sandbox/api/v5/openapi.json", headers });

  test("is compressed once, and has the same content in each encoding", async () => {
    const plain = await get();
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const [br, gzip] = [
      await get({ "accept-encoding": "gzip, deflate, br" }),
      await get({ "accept-encoding": "gzip;q=1.0, br;q=0" }),
    ];
    expect([br.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual([
      "br",
      "gzip",
    ]);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(br.headers["vary"]).toBe("accept-encoding");
    const before = process.cpuUsage();
    for (let times = 0; times < 50; times++) await get({ "accept-encoding": "br" });
    const { user } = process.cpuUsage(before);
    // Drawing it takes tens of milliseconds, compressing it ten more each time.
    expect(user / 50 / 1000).toBeLessThan(8);
  });

  test("is 304 for a client that has it, and may be cached for a minute", async () => {
    const { headers } = await get();
    expect(headers["cache-control"]).toBe("public, max-age=60");
    const again = await get({ "if-none-match": headers["etag"] as string });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect((await get({ "if-none-match": '"another"' })).statusCode).toBe(200);
  });
});
