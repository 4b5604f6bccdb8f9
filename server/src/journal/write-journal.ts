import type { JournalEntry, JournalWriter } from "../carriers/journal-entry.ts";
import type { Clock } from "../domain/time/clock.ts";
import type { AppendedFile, AppendedFiles } from "../providers/files/appended.ts";

/**
 * The journal of effects at carriers that cannot list them, outside the database: a folder for each day, in it a
 * file of each process, an entry a line. What one process notes at one moment is stored together.
 */

export interface OpenJournal extends JournalWriter {
  /** Deletes the days that no restore needs any more. */
  prune(): Promise<void>;
  close(): void;
}

/** How long a call waits for its entry: with its wait for a slot, less than half a lease (`queueSeconds`). */
export function writeWaitSeconds({ lease_seconds }: { lease_seconds: number }): number {
  return lease_seconds / 8;
}

const dayMs = 86_400_000;

export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

export function openJournal(parts: {
  files: AppendedFiles;
  clock: Clock;
  process_id: string;
  kept_days: number;
}): OpenJournal {
  const { files, clock, process_id, kept_days } = parts;
  let waiting: { line: string; stored: PromiseWithResolvers<void> }[] = [];
  let isWriting = false;
  let open: { day: string; file: AppendedFile } | null = null;
  let count = 0;

  function leave(): void {
    open?.file.close();
    open = null;
  }

  async function fileOfToday(): Promise<AppendedFile> {
    const day = dayOf(clock.now());
    if (open?.day !== day) {
      leave();
      count += 1;
      open = { day, file: await files.begin(`${day}/${process_id}-${count}.jsonl`) };
    }
    return open.file;
  }

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      try {
        const file = await fileOfToday();
        await file.append(Buffer.from(now.map(({ line }) => `${line}\n`).join("")));
        for (const { stored } of now) stored.resolve();
      } catch (error) {
        // It may end in half a line, which must be its last.
        leave();
        for (const { stored } of now) stored.reject(error);
      }
    }
    isWriting = false;
  }

  return {
    write(entry: JournalEntry) {
      const stored = Promise.withResolvers<void>();
      waiting.push({ line: JSON.stringify(entry), stored });
      if (!isWriting) void writeWaiting();
      return stored.promise;
    },

    async prune() {
      const oldest = dayOf(new Date(clock.now().getTime() - kept_days * dayMs));
      for (const day of await files.folders()) if (day < oldest) await files.remove(day);
    },

    close: leave,
  };
}
