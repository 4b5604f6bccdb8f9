import { WaybillError, type CallOptions } from "@waybill/sdk";

/** So many calls are under way at once. More would end no sooner: the server limits the calls of a minute. */
const calls_max = 4;

/** A server that asks for more than its window of a minute refuses for another reason than too many calls. */
const pause_seconds_max = 60;

/** Of a call that had no answer, or was refused for the moment, as often as the SDK would. */
const tries_max = 3;

export interface Settled<Thing> {
  thing: Thing;
  /** Null where the call succeeded. */
  error: unknown;
}

/** A call passes the options on: the client would wait and try again unseen, and each call for itself. */
export type EachCall<Thing> = (
  thing: Thing,
  options: Pick<CallOptions, "maxRetries">,
) => Promise<unknown>;

interface Options<Thing> {
  /**
   * Once it is aborted, no other call begins, and none is tried again. Those that are under way are waited for.
   */
  signal: AbortSignal;
  onSettled: (settled: Settled<Thing>) => void;
  /** The moment until which no call begins because the server had too many of them; null when they go on. */
  onPause?: (until: number | null) => void;
}

/**
 * Calls for each of the things, a few at a time and in their order. A failure does not keep the others from being
 * called. When the server limits the calls of a minute, all of them wait until it takes more. A thing whose call the
 * signal cut short is not settled.
 */
export async function callEach<Thing>(
  things: readonly Thing[],
  call: EachCall<Thing>,
  { signal, onSettled, onPause }: Options<Thing>,
): Promise<void> {
  const pause = pauseOf(signal, onPause);
  let next = 0;
  const work = async () => {
    while (next < things.length && !signal.aborted) {
      const thing = things[next++]!;
      const error = await patiently(() => call(thing, { maxRetries: 0 }), pause, signal);
      if (error !== cutShort) onSettled({ thing, error });
    }
  };
  await Promise.all(Array.from({ length: calls_max }, work));
}

const cutShort = Symbol("cut short");

/** The call's error after as many tries as it may have; null when it succeeded. */
async function patiently(
  call: () => Promise<unknown>,
  pause: Pause,
  signal: AbortSignal,
): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    await pause.over();
    if (signal.aborted) return cutShort;
    try {
      await call();
      return null;
    } catch (thrown) {
      const error = thrown ?? new Error("failed");
      const seconds = limitedFor(error);
      if (seconds !== null) pause.begin(seconds);
      else if (isPassing(error) && tries < tries_max) await sleep(500 * tries, signal);
      else return error;
    }
  }
}

/** For how many seconds the server takes no more calls; null for other errors. */
function limitedFor(error: unknown): number | null {
  if (!(error instanceof WaybillError) || error.status !== 429) return null;
  const { retryAfterSeconds } = error;
  return retryAfterSeconds !== null && retryAfterSeconds <= pause_seconds_max
    ? retryAfterSeconds
    : null;
}

function isPassing(error: unknown): boolean {
  return error instanceof WaybillError && error.isRetryable && error.status !== 429;
}

interface Pause {
  begin: (seconds: number) => void;
  /** Resolves when calls may begin, or the signal came. */
  over: () => Promise<void>;
}

interface Begun {
  until: number;
  over: Promise<void>;
}

/** One pause for all calls: each by itself would run into the limit once more. */
function pauseOf(signal: AbortSignal, onPause: Options<unknown>["onPause"]): Pause {
  let current: Begun | null = null;
  return {
    async over() {
      while (current) await current.over;
    },
    begin(seconds) {
      const until = Date.now() + seconds * 1000;
      if (current && current.until >= until) return;
      const begun: Begun = { until, over: sleep(seconds * 1000, signal).then(() => end(begun)) };
      current = begun;
      onPause?.(until);
    },
  };
  function end(ended: Begun): void {
    if (current !== ended) return;
    current = null;
    onPause?.(null);
  }
}

/** Resolves after that time, or with the signal. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(stop, ms);
    signal.addEventListener("abort", stop);
  });
}
