import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dialects } from "../carriers/dialects.ts";
import { startSimulator } from "../carriers/simulator/simulator.ts";
import type { Config } from "../config.ts";
import { lockDataDirectory } from "../database/embedded-postgres/lock.ts";
import { drawOn } from "../threads/draw-on.ts";
import type { Threads } from "../threads/threads.ts";

/**
 * One simulator writes one journal. The first process on a data directory runs it and writes its address next
 * to the journal; later processes use that one.
 */
export async function runSimulator(
  config: Config,
  { threads, ...listen }: { host: string; port: number; threads: Threads },
): Promise<{ url: string; close: (() => Promise<void>) | null }> {
  const folder = join(resolve(config.data_dir), "simulator");
  const address = join(folder, "address");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let unlock: () => void;
  try {
    unlock = lockDataDirectory(folder);
  } catch (error) {
    const url = existsSync(address) ? readFileSync(address, "utf8").trim() : "";
    if (url !== "" && (await answers(url))) return { url, close: null };
    throw error;
  }
  try {
    const journal_path = join(folder, "journal.jsonl");
    const pace = {
      first_scan_seconds: config.simulator_first_scan_seconds,
      delivery_seconds: config.simulator_delivery_seconds,
    };
    const simulator = await startSimulator({
      ...listen,
      journal_path,
      pace,
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

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
