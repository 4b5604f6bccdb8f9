import type { FastifyBaseLogger } from "fastify";
import { isUnavailable } from "../database/errors.ts";
import { pause } from "../database/retry.ts";

/**
 * Writes the ends of jobs, several in one statement, so that a job costs no commit of its own. Ends are kept
 * while the database is unavailable.
 */
interface GroupedEnds<End> {
  /** Resolves when it is written, or abandoned: because the process stops, or because of a bug. */
  write(end: End): Promise<void>;
  /** Whether an end was abandoned. */
  isGivenUp(): boolean;
  /** Whether the database was unavailable at the last try. */
  isDatabaseUnavailable(): boolean;
}

export interface Grouping<End> {
  /** Of what, for the log. */
  name: string;
  /** The most that one call of `writeAll` writes. */
  together: number;
  /** How long the first waits for others. */
  wait_ms: number;
  writeAll(ends: readonly End[]): Promise<void>;
}

const retryMs = 250;

interface Group<End> {
  ends: End[];
  written: PromiseWithResolvers<void>;
}

/** Once the signal has fired, ends are written at once, and abandoned if the database is unavailable. */
export function groupedEnds<End>(
  log: FastifyBaseLogger,
  { name, together, wait_ms, writeAll }: Grouping<End>,
  signal: AbortSignal,
): GroupedEnds<End> {
  let open: Group<End> | null = null;
  const closed: Group<End>[] = [];
  let isWriting = false;
  let isGivenUp = false;
  let isDatabaseUnavailable = false;

  function close(): void {
    if (open) closed.push(open);
    open = null;
    if (!isWriting) void writeClosed();
  }

  async function writeClosed(): Promise<void> {
    isWriting = true;
    for (let group = closed.shift(); group; group = closed.shift()) {
      await writeGroup(group);
      group.written.resolve();
    }
    isWriting = false;
  }

  async function writeGroup({ ends }: Group<End>): Promise<void> {
    for (;;) {
      try {
        await writeAll(ends);
        isDatabaseUnavailable = false;
        return;
      } catch (error) {
        isDatabaseUnavailable = isUnavailable(error);
        if (!isDatabaseUnavailable || signal.aborted) {
          isGivenUp = true;
          return log.error({ err: error, count: ends.length }, `${name}.ends_not_written`);
        }
      }
      await pause(retryMs, signal);
    }
  }

  return {
    write(end) {
      if (!open) {
        open = { ends: [], written: Promise.withResolvers() };
        const mine = open;
        void pause(wait_ms, signal).then(() => (open === mine ? close() : undefined));
      }
      const { written } = open;
      open.ends.push(end);
      if (open.ends.length >= together) close();
      return written.promise;
    },
    isGivenUp: () => isGivenUp,
    isDatabaseUnavailable: () => isDatabaseUnavailable,
  };
}
