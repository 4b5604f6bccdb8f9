/**
 * Runs tasks with the same key one after the other, and those with different keys concurrently. So a
 * second purchase under a reference waits for the first and then sees it, and so does a lookup.
 */
export function inTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = mine.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
