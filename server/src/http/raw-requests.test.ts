import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aToken, anAccount, call, testApi, type TestApi } from "../../test/api.ts";
import type { Routes } from "./routes.ts";

/** Requests that no HTTP client sends by itself. */

let api: TestApi;
let token: string;
let hungUp = false;
const running: PromiseWithResolvers<void>[] = [];
const routes: Routes = async (app) => {
  app.post("/notes", { config: { scopes: [] } }, async () => ({ data: 1 }));
  app.addHook("onRequestAbort", async ({ method }) => void (hungUp = method === "POST"));
  app.post("/slow", { config: { scopes: [] } }, async () => {
    const gate = Promise.withResolvers<void>();
    running.push(gate);
    await gate.promise;
    return { data: "finished" };
  });
};
beforeAll(async () => {
  api = await testApi({ routes: [routes], settings: { WAYBILL_HEADERS_TIMEOUT_SECONDS: "1" } });
  token = await aToken(api, await anAccount(api));
  await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => api.close());

function sendRaw(lines: string[]): Promise<string> {
  const socket = connect((api.app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(lines.join("\r\n"));
  return text(socket);
}
const bodyOf = (answer: string) =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { error: { code: string } };

test.each([
  ["nonsense", ["NONSENSE"], 400, "bad_request"],
  ["a header that is none", ["GET / HTTP/1.1", "no colon", "", ""], 400, "bad_request"],
  [
    "headers beyond 16 KiB",
    ["GET / HTTP/1.1", "Host: x", `X-Long: ${"x".repeat(17_000)}`, "", ""],
    413,
    "payload_too_large",
  ],
  [
    "an expectation that nothing meets",
    ["POST /healthz HTTP/1.1", "Host: x", "Expect: x", "Connection: close", ""],
    417,
    "expectation_failed",
  ],
  ["no Host", ["GET /healthz HTTP/1.1", "Connection: close", ""], 400, "bad_request"],
])("%s gets the body that every error has", async (_name, lines, status, code) => {
  const answer = await sendRaw([...lines, ""]);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/\r\nrequest-id: [0-9a-f-]{36}\r\n/);
  expect(bodyOf(answer).error.code).toBe(code);
});

const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
test.each([
  ["too large", 413, 5 * 1024 * 1024],
  ["chunked and too large", 413, null],
  ["without a token", 401, 1_000_000],
])(
  "a client that sends all of a body that is %s before reading gets %i",
  async (name, status, size) => {
    const socket = connect((api.app.server.address() as AddressInfo).port, "127.0.0.1");
    const head = [
      "POST /sandbox/api/v5/notes HTTP/1.1",
      "Host: x",
      "Connection: close",
      ...(name === "without a token" ? [] : [`Authorization: Bearer ${token}`]),
      size === null ? "Transfer-Encoding: chunked" : `Content-Length: ${size}`,
      "",
      size === null ? `${chunk.repeat(80)}0\r\n\r\n` : "x".repeat(size),
    ];
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject).pause();
      socket.write(head.join("\r\n"), () => resolve());
    });
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*"error"`));
  },
);

test("a client that waits for 100 Continue gets it, and then its answer", async () => {
  const answer = await sendRaw([
    "POST /sandbox/api/v5/notes HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${token}`,
    "Expect: 100-continue",
    "Content-Length: 0",
    "Connection: close",
    "",
    "",
  ]);
  expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
});

test("two Idempotency-Keys are one too many", async () => {
  const answer = await sendRaw([
    "POST /sandbox/api/v5/notes HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${token}`,
    "Idempotency-Key: a",
    "Idempotency-Key: a",
    "Content-Length: 0",
    "Connection: close",
    "",
    "",
  ]);
  expect(bodyOf(answer).error.code).toBe("invalid_idempotency_key");
});

test.each([
  ["authorization", ["Authorization: Bearer x", "Host: x"]],
  ["host", ["Host: x", "Host: y"]],
])("two %s headers are refused on every path", async (name, extra) => {
  for (const path of ["/sandbox/api/v5/notes", "/sandbox/api/v5/openapi.json", "/healthz", "/no"]) {
    const answer = await sendRaw([
      `GET ${path} HTTP/1.1`,
      `Authorization: Bearer ${token}`,
      ...extra,
      "Connection: close",
      "",
      "",
    ]);
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*\r\nrequest-id: /);
    expect(bodyOf(answer).error).toMatchObject({
      code: "bad_request",
      message: `The request has more than one ${name} header.`,
    });
  }
});

test("a client that disconnects and retries with its key gets the answer that it missed", async () => {
  const head = [
    "POST /sandbox/api/v5/slow HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${token}`,
    "Idempotency-Key: missed",
    "Content-Length: 0",
    "",
    "",
  ];
  const socket = connect((api.app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(head.join("\r\n"));
  await expect.poll(() => running.length).toBe(1);
  socket.destroy();
  await expect.poll(() => hungUp).toBe(true);
  running[0]!.resolve();
  const retry = await call(api, {
    token,
    method: "POST",
    path: "/slow",
    headers: { "idempotency-key": "missed" },
  });
  expect([retry.statusCode, retry.headers["idempotent-replay"], running.length]).toEqual([
    200,
    "true",
    1,
  ]);
});

test("a stop lets the request under way finish, and its connection ends with it", async () => {
  const answer = sendRaw([
    "POST /sandbox/api/v5/slow HTTP/1.1",
    "Content-Length: 0",
    "Host: x",
    `Authorization: Bearer ${token}`,
    "",
    "",
  ]);
  await expect.poll(() => running.length).toBe(2);
  api.app.startDraining();
  const closed = api.app.close();
  running[1]!.resolve();
  expect(await answer).toMatch(/\r\nconnection: close\r\n[^]*"finished"/i);
  await closed;
});
