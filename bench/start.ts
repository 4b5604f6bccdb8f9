import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { processorSeconds, residentMebibytes } from "./processor-time.ts";

/**
 * `node bench/start.ts`: what `npm start` runs, on a new data directory, then twice on the same one. Prints when it was ready,
 * the processor time until then, and its memory and processor time after half a minute without a request.
 */

const data_dir = mkdtempSync(join(tmpdir(), "waybill-start-"));
const port = "18099";
const idleSeconds = 30;
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: { start: string };
};

for (const name of ["new directory", "existing data", "existing data"]) {
  const start = performance.now();
  const server = spawn("sh", ["-c", scripts.start], {
    stdio: "ignore",
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      PORT: port,
      WAYBILL_SIMULATOR_PORT: "0",
      WAYBILL_DATA_DIR: data_dir,
    },
  });
  const pid = server.pid!;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  while (!(await isReady())) await wait(20);
  const ready_ms = Math.round(performance.now() - start);
  const ready_seconds = processorSeconds(pid);
  await wait(idleSeconds * 500);
  const half = processorSeconds(pid);
  await wait(idleSeconds * 500);
  const idle_percent = ((processorSeconds(pid) - half) / (idleSeconds / 2)) * 100;
  console.log(
    `${name}: ready after ${ready_ms} ms and ${ready_seconds.toFixed(2)} CPU s; ` +
      `${Math.round(residentMebibytes(pid))} MiB and ${idle_percent.toFixed(1)} % of a core when idle`,
  );
  server.kill("SIGTERM");
  await ended;
}
rmSync(data_dir, { recursive: true, force: true });

async function isReady(): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return answer?.status === 200;
}
