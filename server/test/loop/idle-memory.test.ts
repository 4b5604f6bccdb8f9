import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../faults/served.ts";
import { programEnvironment } from "../program-environment.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: { start: string };
};

/** Resident, in mebibytes. */
const restingMost = 150;

/** What `npm start` runs, itself in place of npm and the shell, once it is ready. */
async function started(data_dir: string): Promise<ChildProcess> {
  const port = await freePort();
  const server = spawn("sh", ["-c", scripts.start], {
    cwd: root,
    stdio: "ignore",
    env: {
      ...programEnvironment,
      PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
      PORT: String(port),
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_LOG_LEVEL: "error",
      // Its parcels and statements are work for minutes.
      WAYBILL_DEMO: "off",
    },
  });
  onTestFinished(() => {
    server.kill("SIGKILL");
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await expect.poll(isReady, { timeout: 60_000, interval: 100 }).toBe(true);
  return server;
}

function residentMebibytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024;
}

// Memory is read from /proc.
test.skipIf(!existsSync("/proc/self/status"))(
  `a process of \`npm start\` of which nothing is asked comes down to ${restingMost} MiB`,
  { timeout: 240_000 },
  async () => {
    const data_dir = await mkdtemp(join(tmpdir(), "waybill-memory-"));
    onTestFinished(() => rm(data_dir, { recursive: true, force: true }));
    // The first start makes the database and compiles what the later ones have compiled.
    const first = await started(data_dir);
    const ended = once(first, "exit");
    first.kill("SIGTERM");
    await ended;
    const second = await started(data_dir);
    await expect
      .poll(() => residentMebibytes(second), { timeout: 60_000, interval: 500 })
      .toBeLessThanOrEqual(restingMost);
    const stopped = once(second, "exit");
    second.kill("SIGTERM");
    await stopped;
  },
);
