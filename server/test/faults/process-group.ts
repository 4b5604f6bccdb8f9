import { readdirSync, readFileSync } from "node:fs";

/** The living processes of a group, from Linux's /proc. */
export function processesIn(group: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && groupOf(pid) === group);
}

/** Null for a process that is gone, or dead and not yet waited for. */
function groupOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before it may contain any character.
    const [state, , group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? null : Number(group);
  } catch {
    return null;
  }
}
