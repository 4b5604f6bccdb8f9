/**
 * Long work on the event loop of a process that many requests share: it pauses after each turn. Of all long work
 * that is paused, one goes on in each round of the loop, so that ten long calls hold it no longer than one does.
 */

/**
 * How long one may work before others get their turn. A purchase awaits the database some thirty times, and each
 * time it may find a turn begun: so a turn is short.
 */
const turnMs = 1;

/** Null to go on at once, else what to wait for first: `await turn()` costs next to nothing. */
export type Turn = () => Promise<void> | null;

/** Begins a turn for one piece of work. */
export function startTurn(): Turn {
  let ends = performance.now() + turnMs;
  return () => {
    if (performance.now() < ends) return null;
    return new Promise((resolve) =>
      waitForTurn(() => {
        ends = performance.now() + turnMs;
        resolve();
      }),
    );
  };
}

/** What each entry becomes, in order, with turns for others between two. */
export async function mapInTurns<From, To>(
  entries: readonly From[],
  change: (entry: From, place: number) => To | Promise<To>,
): Promise<To[]> {
  const turn = startTurn();
  const changed: To[] = [];
  for (const [place, entry] of entries.entries()) {
    // Nothing is awaited without need: others would go on meanwhile, and this turn's time would be theirs.
    const pause = turn();
    if (pause) await pause;
    const made = change(entry, place);
    changed.push(made instanceof Promise ? await made : made);
  }
  return changed;
}

const waiting: (() => void)[] = [];

function waitForTurn(goOn: () => void): void {
  waiting.push(goOn);
  if (waiting.length === 1) setImmediate(nextTurn);
}

function nextTurn(): void {
  // The work goes on once this has returned.
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(nextTurn);
}
