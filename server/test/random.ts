import { randomInt } from "node:crypto";

/**
 * Repeatable random numbers: a test that draws from it names its seed, and
 * `WAYBILL_TEST_SEED=<seed>` repeats the same draws.
 */
export interface Random {
  seed: number;
  /** At least 0 and less than 1. */
  next(): number;
  /** A whole number below the limit. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

export function aRandom(): Random {
  const given = process.env["WAYBILL_TEST_SEED"];
  const seed = given ? Number(given) : randomInt(2 ** 31);
  let state = seed;
  // mulberry32: small, and even enough for choosing what to do next.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { seed, next, below, pick: (from) => from[below(from.length)]! };
}
