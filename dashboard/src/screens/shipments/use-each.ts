import { useEffect, useRef, useState } from "react";
import { callEach, type Settled } from "./each.ts";

export interface EachState<Thing> {
  phase: "asking" | "calling" | "ended";
  done: number;
  failed: readonly Settled<Thing>[];
}

/**
 * How far the calls for several things are: for those that there were at first, whatever becomes of the list meanwhile.
 * `run` calls again for those that failed or were not begun.
 */
export function useEach<Thing>(given: readonly Thing[], call: (thing: Thing) => Promise<unknown>) {
  const [things] = useState(given);
  const [state, setState] = useState<EachState<Thing>>({ phase: "asking", done: 0, failed: [] });
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
    });
    setState((before) => ({ ...before, phase: "ended" }));
    return done.current.size === things.length;
  };
  return { ...state, total: things.length, run, stop: () => calling.current?.abort() };
}
