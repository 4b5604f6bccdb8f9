/** How many are kept; beyond that the idle ones are dropped, least recently used first. */
const statesMax = 1_000;

/** States by key, made when they are first wanted; the least recently used idle ones are dropped. `calls` are those in flight or waiting. */
export function lruStates<State extends { calls: number }, Of = void>(
  make: (key: string, of: Of) => State,
  onDrop: (key: string) => void = () => undefined,
): (key: string, of: Of) => State {
  const states = new Map<string, State>();
  const forgetOne = () => {
    for (const [key, { calls }] of states) {
      if (calls > 0) continue;
      states.delete(key);
      return onDrop(key);
    }
  };
  return (key, of) => {
    const state = states.get(key) ?? make(key, of);
    if (!states.has(key) && states.size >= statesMax) forgetOne();
    // The most recently used one is last.
    states.delete(key);
    states.set(key, state);
    return state;
  };
}
