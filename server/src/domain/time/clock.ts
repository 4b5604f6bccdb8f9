/** The one source of the present time, so that a test (and the seed) can set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that only moves when set. */
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
