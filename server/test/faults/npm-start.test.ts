import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { processesIn } from "./process-group.ts";
import { freePort } from "./served.ts";
import { programEnvironment } from "../program-environment.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** `npm start` on an empty data directory, in a process group of its own, once it is ready. */
async function started(data_dir: string): Promise<ChildProcess> {
  const port = await freePort();
  const npm = spawn("npm", ["start"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...programEnvironment,
      HOME: process.env["HOME"],
      PORT: String(port),
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_LOG_LEVEL: "error",
    },
  });
  const said: Buffer[] = [];
  for (const stream of [npm.stdout, npm.stderr])
    stream.on("data", (chunk: Buffer) => said.push(chunk));
  onTestFinished(() => {
    for (const pid of processesIn(npm.pid!)) process.kill(pid, "SIGKILL");
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await expect
    .poll(
      async () => {
        if (npm.exitCode !== null) throw new Error(Buffer.concat(said).toString());
        return isReady();
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(true);
  return npm;
}

// What belongs to the group is read from /proc.
test.skipIf(!existsSync("/proc/self/stat"))(
  "SIGTERM to `npm start` stops every process gracefully, and the next start finds the data directory free",
  { timeout: 180_000 },
  async () => {
    const data_dir = await mkdtemp(join(tmpdir(), "waybill-npm-"));
    onTestFinished(() => rm(data_dir, { recursive: true, force: true }));
    for (const start of ["first", "second"]) {
      const npm = await started(data_dir);
      expect(processesIn(npm.pid!).length, start).toBeGreaterThan(1);
      const ended = once(npm, "exit");
      npm.kill("SIGTERM");
      await ended;
      await expect.poll(() => processesIn(npm.pid!), { timeout: 20_000 }).toEqual([]);
      expect(existsSync(join(data_dir, "postgres", "postmaster.pid")), start).toBe(false);
    }
  },
);
