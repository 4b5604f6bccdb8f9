import { isUnavailable } from "../database/errors.ts";
import { pause } from "../database/retry.ts";
import type { Database } from "../database/tables.ts";
import type { LogLine, Ring } from "./ring.ts";
import { writeLines } from "./store.ts";

/**
 * Writes what is in memory every quarter of a second, on a connection of its own: it never takes one from a
 * request, and no request waits for it. While the database is away or slow the ring drops its oldest lines; that there
 * is a gap is written down with the next ones.
 */
interface WriterOptions {
  db: Database;
  ring: Ring;
  process_id: string;
  log: { error(details: object, event: string): void };
}

interface Writer {
  /** Writes what there is, once more, and ends. */
  stop(): Promise<void>;
}

const everyMs = 250;
const linesAtOnce = 1000;

export function startLogWriter(options: WriterOptions): Writer {
  const stopping = new AbortController();
  const running = run(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function run(options: WriterOptions, signal: AbortSignal): Promise<void> {
  /** Not known to be written. */
  let batch: LogLine[] = [];
  let isDatabaseUnavailable = false;
  for (let isLast = false; !isLast;) {
    await pause(everyMs, signal);
    isLast = signal.aborted;
    try {
      // Lines that came while others were written wait for the next time, unless they are many: a write is a commit.
      let isFull: boolean;
      do {
        if (batch.length === 0) batch = options.ring.take(linesAtOnce);
        await write(options, batch, isDatabaseUnavailable);
        isFull = batch.length === linesAtOnce;
        batch = [];
        isDatabaseUnavailable = false;
      } while ((isFull || isLast) && options.ring.hasMore());
    } catch (error) {
      if (!isDatabaseUnavailable) options.log.error({ err: error }, "request_log.not_written");
      isDatabaseUnavailable = isUnavailable(error);
      if (isDatabaseUnavailable) continue;
      // Lines that the database refuses would be in the way of all others.
      options.ring.release("lost");
      batch = [];
    }
  }
}

async function write(
  { db, ring, process_id }: WriterOptions,
  lines: LogLine[],
  is_repeated: boolean,
): Promise<void> {
  const lost = ring.lost();
  await writeLines(db, { process_id, lines, lost, is_repeated });
  ring.release("written");
  if (lost) ring.reported(lost.count);
}
