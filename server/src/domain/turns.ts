/**
 * Long work in one process that many share: whoever works asks now and then whether others are waiting, and
 * goes on when it is its turn again. Of all who wait one goes on in each round of the event loop, so that
 * ten long calls hold it no longer than one does.
 */

/** How long one may work before others get their turn. */
const turnMs = 10;

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

function waitForTurn(goOn: () => void): void {
  waiting.push(goOn);
  if (waiting.length === 1) setImmediate(nextTurn);
}

function nextTurn(): void {
  waiting[0]!();
  // Only then, so that whoever comes meanwhile starts no second round.
  waiting.shift();
  if (waiting.length > 0) setImmediate(nextTurn);
}
