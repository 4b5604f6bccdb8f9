const longestDelayMs = 8000;
/** A server that asks for more time than this gets its call from the caller, not from a waiting client. */
const longestRetryAfterSeconds = 60;

/**
 * Milliseconds before the next try, or null when it is not worth it. `Retry-After` is obeyed; without one it is a
 * random time up to half a second, doubled with each try, so that clients that failed together do not return together.
 */
export function delayBefore(attempt: number, retryAfterSeconds: number | null): number | null {
  if (retryAfterSeconds === null)
    return Math.random() * Math.min(longestDelayMs, 500 * 2 ** attempt);
  return retryAfterSeconds > longestRetryAfterSeconds ? null : retryAfterSeconds * 1000;
}

/** Resolves after that time, or rejects with the signal's reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
