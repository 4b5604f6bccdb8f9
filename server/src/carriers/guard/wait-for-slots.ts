import { isBulkheadRejectedError, type BulkheadPolicy } from "cockatiel";

/** No slot was freed in time. The call was not made and never will be. */
export class Busy extends Error {}

/**
 * Makes the call once it has a slot in each of these, in order; waits until `signal` fires, and for
 * `wait_ms` at most, then throws `Busy`. A process that was paused meanwhile makes no late call.
 */
export async function withSlots<T>(
  slots: readonly BulkheadPolicy[],
  { signal, wait_ms }: { signal: AbortSignal; wait_ms: number },
  call: () => Promise<T>,
): Promise<T> {
  const askedAt = performance.now();
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  let isWaiting = true;
  const giveUp = () => {
    if (isWaiting) reject(new Busy());
    isWaiting = false;
  };
  const timer = setTimeout(giveUp, wait_ms);
  signal.addEventListener("abort", giveUp, { once: true });
  const stopWaiting = () => {
    isWaiting = false;
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  };

  const start = async () => {
    const isLate = signal.aborted || performance.now() - askedAt >= wait_ms;
    if (!isWaiting || isLate) throw new Busy();
    stopWaiting();
    return call();
  };
  const running = slots.reduceRight((inner, each) => async () => each.execute(inner), start)();
  try {
    return await Promise.race([running, givenUp]);
  } catch (error) {
    throw isBulkheadRejectedError(error) ? new Busy() : error;
  } finally {
    stopWaiting();
    // A call that timed out leaves a queued slot behind, whose end is ignored.
    running.catch(() => undefined);
  }
}
