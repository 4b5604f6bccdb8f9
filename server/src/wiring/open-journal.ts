import type { HeardEntry } from "../carriers/journal-entry.ts";
import type { Config } from "../config.ts";
import type { Platform } from "../context.ts";
import { openJournal } from "../journal/write-journal.ts";
import { openJournalFiles } from "./open-files.ts";

/** The journal beside the database: what calls note in it, and what the platform reads and deletes. */
export function journalOf(
  config: Config,
  { log, clock, process_id }: Pick<Platform, "log" | "clock" | "process_id">,
) {
  const files = openJournalFiles(config);
  const journal = openJournal({ files, clock, process_id, kept_days: config.journal_days });
  const kept: Platform["journal"] = {
    files,
    prune: () => journal.prune(),
    close: () => journal.close(),
  };
  const on_lost = ({ effect, reference }: HeardEntry, err: unknown) =>
    log.error({ effect, reference, err }, "journal.answer_not_noted");
  return { kept, noting: { journal, on_lost } };
}
