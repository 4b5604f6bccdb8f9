import { startTimeSlice } from "./time-slices.ts";

/** What is sorted at once: about a millisecond. */
const partSize = 1000;

/** Sorts by `compare`, as `toSorted` does, yielding the event loop between slices. Equal entries keep their order. */
export async function sortYielding<T>(
  entries: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const yieldIfDue = startTimeSlice();
  let parts: T[][] = [];
  for (let start = 0; start < entries.length; start += partSize) {
    await yieldIfDue();
    parts.push(entries.slice(start, start + partSize).sort(compare));
  }
  while (parts.length > 1) {
    const merged: T[][] = [];
    for (let place = 0; place < parts.length; place += 2)
      merged.push(await mergeOf(parts[place]!, parts[place + 1] ?? []));
    parts = merged;
  }
  return parts[0] ?? [];

  async function mergeOf(left: readonly T[], right: readonly T[]): Promise<T[]> {
    const merged: T[] = [];
    let [fromLeft, fromRight] = [0, 0];
    while (merged.length < left.length + right.length) {
      const pause = yieldIfDue();
      if (pause) await pause;
      const isLeft =
        fromRight === right.length ||
        (fromLeft < left.length && compare(left[fromLeft]!, right[fromRight]!) <= 0);
      merged.push(isLeft ? left[fromLeft++]! : right[fromRight++]!);
    }
    return merged;
  }
}
