/**
 * Long work on the event loop that many requests share: it yields after each slice. Of all long work that is
 * paused, one continues in each round of the loop, so that ten long calls block it no longer than one does.
 */

/**
 * How long one slice lasts before others run. A purchase awaits the database some thirty times, and each time
 * it may meet a running slice: so a slice is short.
 */
const sliceMs = 1;

/** Null to go on at once, else what to wait for first: `await yieldIfDue()` costs next to nothing. */
export type YieldIfDue = () => Promise<void> | null;

/** Begins the time slices of one piece of work. */
export function startTimeSlice(): YieldIfDue {
  let ends = performance.now() + sliceMs;
  return () => {
    if (performance.now() < ends) return null;
    return new Promise((resolve) =>
      waitForSlice(() => {
        ends = performance.now() + sliceMs;
        resolve();
      }),
    );
  };
}

/** Maps each entry, in order, yielding the event loop between slices. */
export async function mapYielding<From, To>(
  entries: readonly From[],
  change: (entry: From, place: number) => To | Promise<To>,
): Promise<To[]> {
  const yieldIfDue = startTimeSlice();
  const changed: To[] = [];
  for (const [place, entry] of entries.entries()) {
    // Nothing is awaited without need: others would run meanwhile, and their time would count in this
    // slice.
    const pause = yieldIfDue();
    if (pause) await pause;
    const made = change(entry, place);
    changed.push(made instanceof Promise ? await made : made);
  }
  return changed;
}

const waiting: (() => void)[] = [];

function waitForSlice(goOn: () => void): void {
  waiting.push(goOn);
  if (waiting.length === 1) setImmediate(nextSlice);
}

function nextSlice(): void {
  // The work continues once this has returned.
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(nextSlice);
}
