/** The one source of the present, so that a test (and the seed) can say what time it is. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until told otherwise. */
export function manualClock(
  start: Date,
): Clock & { set(moment: Date): void; advance(milliseconds: number): void } {
  let moment = start;
  return {
    now: () => new Date(moment),
    set: (next) => void (moment = next),
    advance: (milliseconds) => void (moment = new Date(moment.getTime() + milliseconds)),
  };
}
