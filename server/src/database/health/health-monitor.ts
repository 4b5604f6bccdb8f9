import { Socket } from "node:net";
import pg from "pg";
import { pause } from "../retry.ts";
import type { Activity } from "../../domain/scheduling/activity.ts";
import { isFull } from "../errors.ts";

/**
 * One connection that continuously checks whether the database is available. A statement may legitimately
 * take seconds, for it may wait for a lock; this one waits for nothing, so a second without a response means
 * that the server, its machine or the network has stopped, and no caller has to wait to find that out.
 */
interface Watch {
  stop(): Promise<void>;
}

interface WatchOptions {
  url: string;
  application_name: string;
  /** Logs `database.unavailable` and `database.available`, once each. */
  log: WatchLog;
  onUnavailable(cause: unknown): void;
  onAvailable(): void;
  /** While it is quiet, the database is asked half as often: each time wakes both. */
  activity?: Activity;
}

export interface WatchLog {
  error(details: object, event: string): void;
  info(details: object, event: string): void;
}

// Together at most 1.5 s, which leaves a request time to be refused within two (docs/reliability.md).
const everyMs = 250;
const restMs = 500;
const hangMs = 1000;

export function watchDatabase({
  log,
  onUnavailable,
  onAvailable,
  activity,
  ...address
}: WatchOptions): Watch {
  const stopping = new AbortController();
  let session: Session | null = null;
  let unavailableSince: number | null = null;

  async function ask(): Promise<void> {
    if (session) {
      const known = session;
      session = null;
      try {
        await known.ask();
        session = known;
        return;
      } catch (error) {
        known.end();
        if (error instanceof Unresponsive) throw error;
        // One broken connection proves little about the server.
      }
    }
    session = await open(address).catch((error: unknown) => {
      if (error instanceof Unresponsive) throw error;
      // A cut can also affect a new connection; two in a row are no coincidence.
      return open(address);
    });
  }

  async function round(): Promise<void> {
    // A full server refuses the connection because it is up. The pool may well have its share of connections.
    const failure: unknown = await ask().then(
      () => null,
      (error: unknown) => (isFull(error) ? null : error),
    );
    if (failure !== null && unavailableSince === null) {
      unavailableSince = performance.now();
      onUnavailable(failure);
      log.error({ err: failure }, "database.unavailable");
    } else if (failure === null && unavailableSince !== null) {
      const away_seconds = Math.round((performance.now() - unavailableSince) / 100) / 10;
      unavailableSince = null;
      onAvailable();
      log.info({ away_seconds }, "database.available");
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round();
      if (unavailableSince === null && activity?.isQuiet())
        await activity.rest(restMs, stopping.signal);
      else await pause(everyMs, stopping.signal);
    }
    session?.end();
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface Session {
  /** Resolves when the server answers. Throws `Unresponsive` when it does not, else the connection's error. */
  ask(): Promise<unknown>;
  end(): void;
}

/** Opens a connection that has answered once. */
async function open(address: { url: string; application_name: string }): Promise<Session> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: address.url,
    application_name: `${address.application_name} watch`,
    stream: () => socket,
  });
  // A break between two checks is found by the next.
  client.on("error", () => undefined);
  const session = {
    ask: () => withTimeout(client.query("SELECT 1")),
    end: () => void socket.destroy(),
  };
  try {
    await withTimeout(client.connect());
    await session.ask();
    return session;
  } catch (error) {
    session.end();
    throw error;
  }
}

class Unresponsive extends Error {
  constructor() {
    super(`the database said nothing for ${hangMs} ms`);
    this.name = "Unresponsive";
  }
}

const tickMs = 100;

/**
 * Counts the process's own ticks and not the clock: a process that was paused itself, busy or stopped, finds
 * the response waiting, and must not take the database for unavailable.
 */
async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const silence = Promise.withResolvers<never>();
  let ticks = 0;
  const timer = setInterval(() => {
    if (++ticks * tickMs >= hangMs) silence.reject(new Unresponsive());
  }, tickMs);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, silence.promise]);
  } finally {
    clearInterval(timer);
  }
}
