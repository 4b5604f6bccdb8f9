import { createServer } from "node:http";
import { expect, test, vi } from "vitest";
import { errorCatalogue } from "../../server/src/domain/errors/errors.ts";
import { ConnectionFailed, createWaybill, WaybillError } from "../src/index.ts";
import { aFetch, closed, listening, refusal } from "./fakes.ts";

const retried = new Set(["too_many_requests", "unavailable", "idempotency_in_progress"]);

test.each(Object.entries(errorCatalogue))(
  "a call that is refused with %s is tried again if and only if waiting helps",
  async (code, [status]) => {
    const server = aFetch(() => refusal(status, code));
    const call = createWaybill(server).labels.buy("shp_1");
    const error = await call.catch((each: unknown) => each);
    expect(error).toBeInstanceOf(WaybillError);
    expect(error).toMatchObject({
      code,
      status,
      requestId: "req_1",
      isRetryable: retried.has(code),
      idempotencyKey: server.calls[0]?.headers["idempotency-key"],
    });
    expect(server.calls).toHaveLength(retried.has(code) ? 3 : 1);
    expect(new Set(server.calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  },
);

test("a code of a newer server is a WaybillError all the same, and so is a page of a proxy", async () => {
  const newer = createWaybill(aFetch(() => refusal(409, "not_invented_yet", { why: 1 })));
  const error = await newer.labels.buy("shp_1").catch((each: unknown) => each);
  expect(error).toBeInstanceOf(WaybillError);
  expect(error).toMatchObject({ code: "not_invented_yet", details: { why: 1 } });
  const proxied = createWaybill(
    aFetch(() => new Response("<h1>Bad gateway</h1>", { status: 502 })),
  );
  await expect(proxied.credits.balance()).rejects.toMatchObject({ code: "http_502", status: 502 });
});

test("two calls have two keys, a given key wins, and a read has none", async () => {
  const server = aFetch(() => Response.json({ data: {} }));
  const waybill = createWaybill(server);
  await waybill.labels.buy("shp_1");
  await waybill.labels.buy("shp_1");
  await waybill.labels.buy("shp_1", undefined, { idempotencyKey: "mine" });
  await waybill.labels.get("shp_1");
  const [first, second, given, read] = server.calls.map(
    ({ headers }) => headers["idempotency-key"],
  );
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first);
  expect([given, read]).toEqual(["mine", undefined]);
});

test("Retry-After is obeyed, and one of hours is the caller's to wait for", async () => {
  vi.useFakeTimers();
  try {
    const server = aFetch((call) =>
      call === 1 ? refusal(429, "too_many_requests", {}, "7") : Response.json({ data: {} }),
    );
    const call = createWaybill(server).credits.balance();
    await vi.advanceTimersByTimeAsync(6_900);
    expect(server.calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await call;
    expect(server.calls).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
  const busy = aFetch(() => refusal(429, "too_many_requests", {}, "3600"));
  await expect(createWaybill(busy).credits.balance()).rejects.toMatchObject({
    code: "too_many_requests",
    retryAfterSeconds: 3600,
  });
  expect(busy.calls).toHaveLength(1);
});

test("without Retry-After no delay is longer than eight seconds", async () => {
  const delays: number[] = [];
  const random = vi.spyOn(Math, "random").mockReturnValue(0.999);
  const timer = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: () => void,
    ms = 0,
  ) => {
    if (ms < 30_000) queueMicrotask(run);
    if (ms < 30_000) delays.push(ms);
    return 0;
  }) as unknown as typeof setTimeout);
  try {
    const server = aFetch(() => Promise.reject(new TypeError("fetch failed")));
    const call = createWaybill({ ...server, maxRetries: 8 }).credits.balance();
    await expect(call).rejects.toBeInstanceOf(ConnectionFailed);
  } finally {
    timer.mockRestore();
    random.mockRestore();
  }
  expect(delays).toHaveLength(8);
  expect(delays[0]).toBeLessThan(500);
  expect(Math.max(...delays)).toBeLessThan(8000);
});

test("a server that hangs is a timeout, and an abort ends the call with its reason, also between tries", async () => {
  const server = createServer(() => undefined);
  const baseUrl = await listening(server);
  try {
    const waybill = createWaybill({ baseUrl, token: "wb_test_token", timeout: 50, maxRetries: 0 });
    await expect(waybill.credits.balance()).rejects.toMatchObject({ code: "timeout", status: 0 });
    const controller = new AbortController();
    const call = waybill.credits.balance({ signal: controller.signal, timeoutMs: 60_000 });
    controller.abort(new Error("The page was left."));
    await expect(call).rejects.toThrow("The page was left.");
  } finally {
    await closed(server);
  }
  const waiting = new AbortController();
  const busy = aFetch(() => {
    queueMicrotask(() => waiting.abort(new Error("Enough.")));
    return refusal(503, "unavailable", {}, "30");
  });
  const call = createWaybill(busy).credits.balance({ signal: waiting.signal });
  await expect(call).rejects.toThrow("Enough.");
});
