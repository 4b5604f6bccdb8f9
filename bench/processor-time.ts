import { readdirSync, readFileSync } from "node:fs";

/** The processor time of processes so far, from Linux's /proc; zero where there is none. */

const ticksPerSecond = 100;

/** Processor seconds of the process, and of those of its children that have ended. */
export function processorSeconds(pid: number): number {
  const fields = statOf(pid);
  return fields
    ? fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
    : 0;
}

/** The same for a process and all its descendants, such as a database server's backends. */
export function treeSeconds(pid: number): number {
  return processorSeconds(pid) + childrenOf(pid).reduce((sum, each) => sum + treeSeconds(each), 0);
}

/** Resident memory in mebibytes. */
export function residentMebibytes(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(line?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((each) => each > 0 && Number(statOf(each)?.[1]) === pid);
  } catch {
    return [];
  }
}

/** The fields of /proc/<pid>/stat from the state on; the name before it may contain any character. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
