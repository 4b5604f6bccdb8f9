/** One deadline for a whole quote, after which no carrier is waited for. */
export interface Deadline {
  seconds: number;
  passed: Promise<typeof tooLate>;
  /** Clears the timer, so that an early response leaves none behind. */
  stop: () => void;
}

export const tooLate = Symbol("too late");

export function startDeadline(seconds: number): Deadline {
  const { promise, resolve } = Promise.withResolvers<typeof tooLate>();
  const timer = setTimeout(() => resolve(tooLate), seconds * 1000);
  return { seconds, passed: promise, stop: () => clearTimeout(timer) };
}
