import type { Platform } from "../../context.ts";
import { pause } from "../../database/retry.ts";
import { isUnavailable } from "../../database/errors.ts";
import type { Ended, PurchaseQueue, QueueJob, QueueSource } from "./queue.ts";

/**
 * Writes the ends of jobs, several in one statement, so that an item of a batch costs no commit beyond its
 * purchase's. An end that a process never wrote is read from the attempts by the process that takes over.
 */
export interface QueueEnds<Job> {
  /** Resolves when it is written, or abandoned: because the process stops, or because of a bug. */
  write(ended: Ended<Job>): Promise<void>;
  /** Whether an end was abandoned, so that its job is still claimed. */
  isGivenUp(): boolean;
}

/** The most that one statement writes, and how long the first waits for others. */
const together = 100;
const waitMs = 40;
const retryMs = 250;

interface Group<Job> {
  ended: Ended<Job>[];
  written: PromiseWithResolvers<void>;
}

export function queueEnds<Job extends QueueJob>(
  { log }: Pick<Platform, "log">,
  { name, end }: Pick<PurchaseQueue<QueueSource, Job>, "name" | "end">,
  signal: AbortSignal,
): QueueEnds<Job> {
  let open: Group<Job> | null = null;
  const closed: Group<Job>[] = [];
  let isWriting = false;
  let isGivenUp = false;

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

  async function writeGroup({ ended }: Group<Job>): Promise<void> {
    for (;;) {
      try {
        return await end(ended);
      } catch (error) {
        if (!isUnavailable(error) || signal.aborted) {
          isGivenUp = true;
          return log.error({ err: error, count: ended.length }, `${name}.ends_not_written`);
        }
      }
      await pause(retryMs, signal);
    }
  }

  return {
    write(ended) {
      if (!open) {
        open = { ended: [], written: Promise.withResolvers() };
        const mine = open;
        void pause(waitMs, signal).then(() => (open === mine ? close() : undefined));
      }
      const { written } = open;
      open.ended.push(ended);
      if (open.ended.length >= together) close();
      return written.promise;
    },
    isGivenUp: () => isGivenUp,
  };
}
