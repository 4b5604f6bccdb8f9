/** So many calls are under way at once. More would end no sooner: the server limits the calls of a minute. */
const calls_max = 4;

export interface Settled<Thing> {
  thing: Thing;
  /** Null where the call succeeded. */
  error: unknown;
}

interface Options<Thing> {
  /** Once it is aborted, no other call begins. Those that are under way are waited for. */
  signal: AbortSignal;
  onSettled: (settled: Settled<Thing>) => void;
}

/** Calls for each of the things, a few at a time and in their order. A failure does not keep the others from being called. */
export async function callEach<Thing>(
  things: readonly Thing[],
  call: (thing: Thing) => Promise<unknown>,
  { signal, onSettled }: Options<Thing>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < things.length && !signal.aborted) {
      const thing = things[next++]!;
      const error = await call(thing).then(
        () => null,
        (thrown: unknown) => thrown ?? new Error("failed"),
      );
      onSettled({ thing, error });
    }
  };
  await Promise.all(Array.from({ length: calls_max }, work));
}
