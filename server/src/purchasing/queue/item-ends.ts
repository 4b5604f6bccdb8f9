import type { Platform } from "../../context.ts";
import { pause } from "../../database/retry.ts";
import { isUnavailable } from "../../database/errors.ts";
import { endItems, type EndedItem } from "./item-store.ts";

/**
 * Writes down how items ended, those of a moment together, so that an item costs no commit beyond its
 * purchase's. What a process never wrote, its successor learns from the attempts.
 */
export interface ItemEnds {
  /** Resolves when it is written, or given up: because the process stops, or because of a bug. */
  write(ended: EndedItem): Promise<void>;
}

/** What one statement writes at most, and how long the first waits for company. */
const together = 100;
const waitMs = 40;
const retryMs = 250;

interface Group {
  ended: EndedItem[];
  written: PromiseWithResolvers<void>;
}

export function itemEnds(
  { db, process_id, log }: Pick<Platform, "db" | "process_id" | "log">,
  signal: AbortSignal,
): ItemEnds {
  let open: Group | null = null;
  const closed: Group[] = [];
  let isWriting = false;

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

  async function writeGroup({ ended }: Group): Promise<void> {
    for (;;) {
      try {
        return await endItems(db, process_id, ended);
      } catch (error) {
        if (!isUnavailable(error) || signal.aborted)
          return log.error({ err: error, count: ended.length }, "batch.ends_not_written");
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
  };
}
