import { systemClock, type Clock } from "../../domain/time/clock.ts";
import type { CarrierConnection } from "../connection.ts";

/**
 * Access tokens of carriers, in the memory of this process: one for each connection and audience, renewed
 * when 90 % of its life is over. However many calls want one, it is asked for once at a time.
 */
export interface Tokens {
  /** A token that is good now. Rejects as `ask` does, or when the signal fires. */
  get(wanted: WantedToken, signal: AbortSignal): Promise<string>;
  /** Forgets a token that the carrier refused, unless a newer one is there already. */
  drop(wanted: Pick<WantedToken, "connection" | "audience">, token: string): void;
}

export interface WantedToken {
  connection: CarrierConnection;
  /** What it is for: carriers sell several kinds, and hosts differ. */
  audience: string;
  /** Asks the carrier for one. The signal fires when no call waits for it any more. */
  ask(signal: AbortSignal): Promise<IssuedToken>;
}

export interface IssuedToken {
  token: string;
  life_seconds: number;
}

interface CachedToken {
  version: number;
  issued: Promise<IssuedToken & { renewed_at: number }>;
  waiting: number;
  abandon: AbortController;
  /** Null while it is asked for. */
  value: string | null;
  /** In milliseconds of the clock. */
  renewed_at: number;
}

/** A process of many accounts with contracts of their own forgets the oldest token, and asks again. */
const keptMost = 10_000;

/** Tokens in memory, one for each key. Callers at the same moment share one request for it. */
export function tokenCache(clock: Clock = systemClock): Tokens {
  const kept = new Map<string, CachedToken>();

  function asked(key: string, { connection, ask }: WantedToken): CachedToken {
    const beganAt = clock.now().getTime();
    const abandon = new AbortController();
    const issued = ask(abandon.signal).then((answer) => ({
      ...answer,
      renewed_at: beganAt + answer.life_seconds * 900,
    }));
    const { version } = connection;
    const fresh = { value: null, renewed_at: Infinity, waiting: 0 };
    const entry: CachedToken = { version, issued, abandon, ...fresh };
    const forget = () => {
      if (kept.get(key) === entry) kept.delete(key);
    };
    issued.then(
      ({ token, renewed_at }) => Object.assign(entry, { value: token, renewed_at }),
      forget,
    );
    kept.delete(key);
    kept.set(key, entry);
    if (kept.size > keptMost) kept.delete(kept.keys().next().value!);
    return entry;
  }

  return {
    async get(wanted, signal) {
      const key = keyOf(wanted);
      const present = kept.get(key);
      const { version } = wanted.connection;
      const isGood = present?.version === version && present.renewed_at > clock.now().getTime();
      const entry = isGood ? present : asked(key, wanted);
      entry.waiting += 1;
      try {
        const { token } = await untilAborted(entry.issued, signal);
        return token;
      } finally {
        entry.waiting -= 1;
        if (entry.waiting === 0 && entry.value === null) {
          entry.abandon.abort();
          if (kept.get(key) === entry) kept.delete(key);
        }
      }
    },
    drop(wanted, token) {
      const key = keyOf(wanted);
      if (kept.get(key)?.value === token) kept.delete(key);
    },
  };
}

function keyOf({ connection, audience }: Pick<WantedToken, "connection" | "audience">): string {
  return `${connection.id} ${audience}`;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
