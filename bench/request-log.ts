import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { readConfig } from "../server/src/config.ts";
import { connect } from "../server/src/database/connect.ts";
import { newId } from "../server/src/domain/values/ids.ts";
import { ring } from "../server/src/request-log/ring.ts";
import { startLogWriter } from "../server/src/request-log/writer.ts";
import { openDatabase } from "../server/src/wiring/open-database.ts";

/**
 * `node bench/request-log.ts [lines a second]`: whether the log keeps up with so many lines, each with bodies of 1 KB
 * and one subject, for ten seconds. Prints how many were dropped and what writing cost this process. What the log costs a
 * request is measured by `paired.ts` against a checkout without it.
 */

const perSecond = Number(process.argv[2] ?? 5000);
const seconds = 10;
const data_dir = await mkdtemp(join(tmpdir(), "waybill-bench-"));
const undo: (() => Promise<unknown>)[] = [() => rm(data_dir, { recursive: true, force: true })];
try {
  const log = pino({ level: "error" });
  const { url } = await openDatabase(readConfig({ WAYBILL_DATA_DIR: data_dir }), undo);
  const { db, close } = connect({ url, connections_max: 1, application_name: "bench" });
  undo.push(close);
  let dropped = 0;
  const lines = ring({
    lines_max: 5000,
    bytes_max: 8 * 1024 * 1024,
    now: () => new Date(),
    on_lost: (count) => (dropped += count),
  });
  const writer = startLogWriter({ db, ring: lines, process_id: newId("prc"), log });
  const before = process.cpuUsage();
  const begun = performance.now();
  for (let appended = 0; appended < perSecond * seconds;) {
    const due = Math.min(perSecond * seconds, ((performance.now() - begun) / 1000) * perSecond);
    for (; appended < due; appended++) lines.append(aLine());
    await wait(10);
  }
  await writer.stop();
  const { user, system } = process.cpuUsage(before);
  const micros = ((user + system) / (perSecond * seconds)).toFixed(0);
  console.log(
    `${perSecond} lines/s for ${seconds} s: ${dropped} dropped, ${micros} µs of this process a line`,
  );
} finally {
  for (const step of undo.reverse()) await step();
}

function aLine() {
  const at = new Date();
  const body = JSON.stringify({ data: "x".repeat(1000) });
  return {
    request: {
      account_id: "acc_bench",
      at,
      id: newId("req", at),
      request_id: "00000000-0000-0000-0000-000000000000",
      method: "POST",
      route: "/shipments",
      path: "/shipments",
      status: 201,
      ms: 3,
      actor: "token:tok_bench",
      idempotency_key: newId("req"),
      is_replay: false,
      error_code: null,
      ip: "127.0.0.1",
      subject_id: null,
    },
    bodies: { request_body: body, response_body: null },
    subject_ids: [newId("shp")],
  };
}
