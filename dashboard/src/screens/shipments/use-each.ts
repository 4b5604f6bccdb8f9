import { useEffect, useRef, useState } from "react";
import { callEach, type EachCall, type Settled } from "../../each.ts";

interface EachState<Thing> {
  phase: "asking" | "calling" | "ended";
  done: number;
  failed: readonly Settled<Thing>[];
  /** The moment until which the calls wait for the server's limit; null while they do not. */
  paused_until: number | null;
}

const asking = { phase: "asking", done: 0, failed: [], paused_until: null } as const;

/**
 * How far the calls for several things are: for those that there were at first, whatever becomes of the list meanwhile.
 * `run` calls again for those that failed or were not begun.
 */
export function useEach<Thing>(given: readonly Thing[], call: EachCall<Thing>) {
  const [things] = useState(given);
  const [state, setState] = useState<EachState<Thing>>(asking);
  const done = useRef(new Set<Thing>());
  const calling = useRef<AbortController>(null);
  useEffect(() => () => calling.current?.abort(), []);
  /** Resolves, when all that was begun has its answer, with whether everything is done. */
  const run = async (): Promise<boolean> => {
    const { signal } = (calling.current = new AbortController());
    setState((before) => ({ ...before, phase: "calling", failed: [] }));
    const left = things.filter((thing) => !done.current.has(thing));
    await callEach(left, call, {
      signal,
      onSettled(each) {
        if (each.error !== null)
          return setState((before) => ({ ...before, failed: [...before.failed, each] }));
        done.current.add(each.thing);
        setState((before) => ({ ...before, done: before.done + 1 }));
      },
      onPause: (paused_until) => setState((before) => ({ ...before, paused_until })),
    });
    setState((before) => ({ ...before, phase: "ended" }));
    return done.current.size === things.length;
  };
  return { ...state, total: things.length, run, stop: () => calling.current?.abort() };
}
