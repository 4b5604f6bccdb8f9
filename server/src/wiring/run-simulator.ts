import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import { dialects } from "../carriers/dialects.ts";
import { startSimulator } from "../carriers/simulator/simulator.ts";
import type { Config } from "../config.ts";
import { lockDataDirectory } from "../database/embedded-postgres/lock.ts";
import { startLoops } from "../jobs/loops.ts";
import { drawOn } from "../threads/draw-on.ts";
import type { Threads } from "../threads/threads.ts";

/**
 * One simulator writes one journal. The first process on a data directory holds the lock of its folder, runs it, and
 * writes its address next to the journal; the others use that one. The operating system releases the lock however that
 * process ends. The next one to take it listens at the same address, so that for the others nothing changes.
 */

interface Running {
  url: string;
  close(): Promise<void>;
}

/** How long a start waits for the process that has the lock: it may be starting, too. */
const answerWithinMs = 15_000;
const askAgainMs = 100;

/**
 * Runs the simulator, or finds the one that another process runs: `close` is then null. Port 0 takes the port that it
 * had last, where that is free, else any.
 */
export async function runSimulator(
  config: Config,
  { host, port, threads }: { host: string; port: number; threads: Threads },
): Promise<{ url: string; close: Running["close"] | null }> {
  const { folder } = placeOf(config);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const until = Date.now() + answerWithinMs;
  for (;;) {
    const last = readAddress(config);
    const locked = lockOf(folder);
    if ("unlock" in locked) {
      const again = { host, port: Number(last?.port ?? 0) };
      const at = port === 0 && (await isFree(again)) ? again : { host, port };
      return startLocked(config, { ...at, threads, unlock: locked.unlock });
    }
    if (last && (await answers(last.origin))) return { url: last.origin, close: null };
    if (Date.now() > until) throw locked.error;
    await wait(askAgainMs);
  }
}

const watchEveryMs = 1000;

/**
 * Runs the simulator at the address at which another process ran it, as soon as that one has ended. Returns what ends
 * the watch, and the simulator.
 */
export function takeOverSimulator(
  config: Config,
  { url, threads, log }: { url: string; threads: Threads; log: Logger },
): () => Promise<void> {
  const { hostname, port } = new URL(url);
  const at = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
  let running: Running | null = null;
  let isLost = false;

  async function watch(): Promise<boolean> {
    if (running) return false;
    const locked = lockOf(placeOf(config).folder);
    if (!("unlock" in locked)) {
      noteLoss(readAddress(config)?.origin ?? url);
      return false;
    }
    if (!(await isFree(at))) {
      locked.unlock();
      noteLoss("");
      return false;
    }
    running = await startLocked(config, { ...at, threads, unlock: locked.unlock });
    log.info({ url }, "simulator.taken_over");
    isLost = false;
    return false;
  }

  /** The calls of this process go to `url` until it ends. */
  function noteLoss(now: string): void {
    const wasLost = isLost;
    isLost = now !== url;
    if (isLost && !wasLost) log.error({ url, now }, "simulator.lost");
  }

  const loops = startLoops(
    [{ name: "simulator.watch", every_ms: watchEveryMs, run: watch, is_restless: true }],
    log,
  );
  return async () => {
    await loops.stop();
    await running?.close();
  };
}

function placeOf(config: Config) {
  const folder = join(resolve(config.data_dir), "simulator");
  return { folder, address: join(folder, "address") };
}

function lockOf(folder: string): { unlock: () => void } | { error: unknown } {
  try {
    return { unlock: lockDataDirectory(folder) };
  } catch (error) {
    return { error };
  }
}

/** Of the simulator that runs, or ran last; null where none did, or it is being written. */
function readAddress(config: Config): URL | null {
  const { address } = placeOf(config);
  return existsSync(address) ? URL.parse(readFileSync(address, "utf8").trim()) : null;
}

async function startLocked(
  config: Config,
  {
    threads,
    unlock,
    ...listen
  }: { host: string; port: number; threads: Threads; unlock: () => void },
): Promise<Running> {
  const { folder, address } = placeOf(config);
  try {
    const simulator = await startSimulator({
      ...listen,
      journal_path: join(folder, "journal.jsonl"),
      pace: {
        first_scan_seconds: config.simulator_first_scan_seconds,
        delivery_seconds: config.simulator_delivery_seconds,
      },
      dialects,
      draw: drawOn(threads),
    });
    writeFileSync(address, simulator.url);
    return {
      url: simulator.url,
      async close() {
        await simulator.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Whether a server can listen there: asked before the journal is read, which takes longer the longer it is. */
async function isFree(at: { host: string; port: number }): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(at), "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
