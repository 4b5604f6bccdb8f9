/**
 * Long work on the event loop of a process that many requests share. It pauses after each turn. Of all long
 * work that is paused, one goes on in each round of the loop, so that ten long calls hold it no longer than one
 * does. While short work is seen between the turns, each turn is followed by a rest: a request that awaits the
 * database thirty times would otherwise wait for thirty turns.
 */

/** How long one may work before others get their turn. */
const turnMs = 2;
/** Between two turns under pressure: long work has a quarter of the loop then. */
const restMs = 3 * turnMs;
/** An empty round of the event loop takes less. */
const noticedMs = 0.1;
/** For so long after other work was seen, more is expected: it may be waiting for the database. */
const pressureMs = 50;

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
    await turn();
    changed.push(await change(entry, place));
  }
  return changed;
}

const waiting: (() => void)[] = [];
/** When the last turn ended, and when other work was last seen on the event loop. */
let endedAt = 0;
let othersAt = -Infinity;

function waitForTurn(goOn: () => void): void {
  endedAt = performance.now();
  waiting.push(goOn);
  if (waiting.length === 1) setImmediate(nextTurn);
}

/** Runs once the event loop has been round: what it did since the last turn was for others. */
function nextTurn(): void {
  const now = performance.now();
  if (now - endedAt > noticedMs) othersAt = now;
  if (now - othersAt < pressureMs) setTimeout(giveTurn, restMs);
  else giveTurn();
}

function giveTurn(): void {
  endedAt = performance.now();
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(nextTurn);
}
