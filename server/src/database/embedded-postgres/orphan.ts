import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * What a killed parent leaves behind: a PostgreSQL that still runs on the data, or only the pid file of
 * one that is gone.
 */

/**
 * Stops a PostgreSQL that still runs on `data` with the usual shutdown. Returns the pid of a pid file that
 * remains although no PostgreSQL on this folder has that pid (a crash, a restarted machine), else null. The
 * file is not removed: PostgreSQL reads from it whether backends of the dead server are still alive, and
 * removes it itself.
 */
export async function endOrphan(data: string, timeoutMs: number): Promise<number | null> {
  const pid = readPid(data);
  if (pid === null || !isPostgresOn(pid, data)) return pid;
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one that recovers at the next start.
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!signalled(pid, signal) || (await isGoneWithin(timeoutMs, pid, data))) {
      return readPid(data);
    }
  }
  throw new Error(`the PostgreSQL of a killed parent (process ${pid}) does not stop`);
}

function readPid(data: string): number | null {
  try {
    const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Whether that process is a live PostgreSQL on this very folder, not another program with its pid. On Linux
 * its working directory shows it, through links and moves; a zombie has none.
 */
function isPostgresOn(pid: number, data: string): boolean {
  try {
    if (process.platform === "linux") {
      const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(data)];
      const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
      return name === "postgres" && theirs.ino === ours.ino && theirs.dev === ours.dev;
    }
    const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return command.includes("postgres") && command.includes(data);
  } catch {
    return false;
  }
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // It ended between the check and the signal.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

async function isGoneWithin(milliseconds: number, pid: number, data: string): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await wait(50)) {
    if (!isPostgresOn(pid, data)) return true;
  }
  return false;
}
