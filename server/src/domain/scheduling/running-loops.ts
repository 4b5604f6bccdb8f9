/**
 * The background work of this process that is in the middle of a round, for reports of what was under
 * way.
 */
const running = new Map<string, number>();

export function runningLoops(): string[] {
  return [...running.keys()];
}

/** Runs one round. Several platforms in one process (tests) have loops of one name. */
export async function asRunning<T>(name: string, round: () => Promise<T>): Promise<T> {
  running.set(name, (running.get(name) ?? 0) + 1);
  try {
    return await round();
  } finally {
    const others = running.get(name)! - 1;
    if (others > 0) running.set(name, others);
    else running.delete(name);
  }
}
