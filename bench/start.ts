import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { processorSeconds, residentMebibytes, treeSeconds } from "./processor-time.ts";

/**
 * `node bench/start.ts`: what `npm start` runs, on a new data directory and then on the same one, with the demo and without.
 * Prints when it was ready, the processor time until then, and its memory and processor time after half a minute
 * without a request. The demo's parcels are on their way for some minutes, and to track them is work.
 */

const idleSeconds = 30;
const port = await freePort();
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: { start: string };
};

for (const demo of ["on", "off"]) {
  const data_dir = mkdtempSync(join(tmpdir(), "waybill-start-"));
  for (const state of ["new directory", "existing data", "existing data"])
    console.log(`demo ${demo}, ${state}: ${await measured(data_dir, demo)}`);
  rmSync(data_dir, { recursive: true, force: true });
}

async function measured(data_dir: string, demo: string): Promise<string> {
  const start = performance.now();
  const server = spawn("sh", ["-c", scripts.start], {
    stdio: "ignore",
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      PORT: port,
      WAYBILL_SIMULATOR_PORT: "0",
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_DEMO: demo,
    },
  });
  const pid = server.pid!;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  while (!(await isReady())) await wait(20);
  const ready_ms = Math.round(performance.now() - start);
  const ready_seconds = processorSeconds(pid).toFixed(2);
  await wait(idleSeconds * 500);
  const half = { server: processorSeconds(pid), all: treeSeconds(pid) };
  await wait(idleSeconds * 500);
  const percent = (seconds: number) => ((seconds / (idleSeconds / 2)) * 100).toFixed(1);
  const idle = percent(processorSeconds(pid) - half.server);
  const with_database = percent(treeSeconds(pid) - half.all);
  const memory = Math.round(residentMebibytes(pid));
  server.kill("SIGTERM");
  await ended;
  return (
    `ready after ${ready_ms} ms and ${ready_seconds} CPU s; ${memory} MiB when idle, ` +
    `${idle} % of a core, ${with_database} % with the database`
  );
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return answer?.status === 200;
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return String(port);
}
