import { Writable } from "node:stream";
import { fastify } from "fastify";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Platform } from "../context.ts";
import { createMetrics } from "../metrics.ts";
import { reportBlockedLoop } from "./blocked-loop.ts";

interface Line {
  msg: string;
  blocked_ms: number;
  requests: { method: string; route: string; request_id: string }[];
}

/** Keeps the processor busy for so many milliseconds. */
function spend(milliseconds: number): void {
  const spentUs = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
  const start = spentUs();
  while (spentUs() - start < milliseconds * 1000);
}

/** A server that reports blocked loops, the lines of its log, and when the first of them is written. */
function aReportingServer() {
  const lines: Line[] = [];
  const written = Promise.withResolvers<void>();
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Line);
      written.resolve();
      done();
    },
  });
  const metrics = createMetrics();
  const app = fastify();
  app.decorateRequest("ctx", null as never);
  reportBlockedLoop(app, { db: {}, log: pino(stream), metrics } as unknown as Platform);
  return { app, metrics, lines, written: written.promise };
}

test("what blocks the event loop is counted, and the log names the requests that were under way", async () => {
  const { app, metrics, lines, written } = aReportingServer();
  app.get("/holds/:id", async () => {
    spend(200);
    await written;
    return "done";
  });
  await app.inject("/holds/7");
  await app.close();
  expect(lines[0]).toMatchObject({
    msg: "event_loop.blocked",
    requests: [{ method: "GET", route: "/holds/:id" }],
  });
  expect(lines[0]!.blocked_ms).toBeGreaterThanOrEqual(150);
  const text = await metrics.registry.metrics();
  expect(text).toContain("waybill_event_loop_blocked_seconds_count 1");
});

test("a request that is answered by the time the loop is free again is named, too", async () => {
  const { app, lines, written } = aReportingServer();
  app.get("/answers", async () => {
    spend(200);
    return "done";
  });
  await app.inject("/answers");
  await written;
  await app.close();
  expect(lines[0]?.requests).toMatchObject([{ method: "GET", route: "/answers" }]);
});

test("a process of which nothing is asked checks once a second, and a request has it check at once", async () => {
  const { app, lines, written } = aReportingServer();
  app.get("/holds", async () => {
    spend(200);
    return "done";
  });
  await app.ready();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 60_000);
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => void vi.restoreAllMocks());
  const waits = () => timers.mock.calls.map(([, ms]) => ms);
  await vi.waitFor(() => expect(waits()).toContain(1000));
  timers.mockClear();
  await app.inject("/holds");
  expect(waits()).toContain(20);
  await written;
  await app.close();
  expect(lines[0]?.requests).toMatchObject([{ method: "GET", route: "/holds" }]);
});
