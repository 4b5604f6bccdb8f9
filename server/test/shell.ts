import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { World } from "./world.ts";
import { cli } from "./program.ts";
import { programEnvironment } from "./program-environment.ts";

/** `waybill <command>` as a process of its own, on a platform's database, files and carriers. */

export type Place = Pick<World, "database_url" | "data_dir"> & {
  simulator_url?: string;
  settings?: Record<string, string>;
};

export function startCli(
  words: string[],
  { database_url, data_dir, simulator_url, settings }: Place,
): ChildProcess {
  return spawn(process.execPath, [cli, ...words], {
    stdio: "pipe",
    env: {
      ...programEnvironment,
      DATABASE_URL: database_url,
      WAYBILL_DATA_DIR: data_dir,
      WAYBILL_SIMULATOR_URL: simulator_url ?? "",
      WAYBILL_SECRET: "a secret of forty characters for tests ab",
      ...settings,
    },
  });
}

export interface Ended {
  /** Null when a signal ended it. */
  status: number | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs a command to its end. */
export function runCli(words: string[], place: Place): Promise<Ended> {
  return ended(startCli(words, place));
}

/** Resolves once the process has ended, however. */
export async function ended(running: ChildProcess): Promise<Ended> {
  const [stdout, stderr]: Buffer[][] = [[], []];
  running.stdout!.on("data", (chunk: Buffer) => stdout!.push(chunk));
  running.stderr!.on("data", (chunk: Buffer) => stderr!.push(chunk));
  const [status] = (await once(running, "close")) as [number | null];
  return { status, stdout: Buffer.concat(stdout!), stderr: Buffer.concat(stderr!).toString() };
}
