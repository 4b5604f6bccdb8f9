import type {
  HeardEntry,
  HeardLabel,
  HeardManifest,
  HeardPickup,
  JournalEntry,
  SentEntry,
} from "../carriers/journal-entry.ts";
import type { CarrierRefund } from "../carriers/carrier.ts";
import type { AppendedFiles } from "../providers/files/appended.ts";
import { dayOf } from "./write-journal.ts";

export interface Journal {
  /** What was sent since then and is not proved to have had no effect, in the order of the calls. */
  labels: JournaledLabel[];
  pickups: JournaledPickup[];
  manifests: JournaledManifest[];
  /** Voids and cancellations since then of what was sent before. */
  undone_labels: JournaledUndo[];
  undone_pickups: JournaledUndo[];
  /** The references of all labels, pickups and manifests that were read, of those without an effect, too. */
  references: ReadonlySet<string>;
  /** Files with a whole line that cannot be read. */
  damaged: string[];
}

export interface JournaledLabel {
  sent: SentEntry & { effect: "label" };
  /** Null where no answer proves what became of the call. */
  heard: HeardLabel | null;
  undone: Undone | null;
}

export interface JournaledPickup {
  sent: SentEntry & { effect: "pickup" };
  heard: HeardPickup | null;
  undone: Undone | null;
}

/** No carrier undoes one. */
export interface JournaledManifest {
  sent: SentEntry & { effect: "manifest" };
  heard: HeardManifest | null;
}

export interface JournaledUndo {
  sent: SentEntry;
  undone: Undone;
}

/** `unheard`: the carrier was asked to, and no answer proves whether it did. */
export type Undone = { refund: CarrierRefund } | "unheard";

/** How far before the moment of a call its first entry may be, by other clocks and another day's file. */
const marginMs = 86_400_000;

/**
 * Reads what all processes noted since then; the references from an earlier moment on, where one is given. Throws where
 * the files cannot be read.
 */
export async function readJournal(
  files: AppendedFiles,
  { since, references_from = since }: { since: Date; references_from?: Date },
): Promise<Journal> {
  const earliest = Math.min(since.getTime(), references_from.getTime());
  const first = dayOf(new Date(earliest - marginMs));
  const entries: JournalEntry[] = [];
  const damaged: string[] = [];
  for (const day of await files.folders()) {
    if (day < first) continue;
    for (const name of await files.names(day)) {
      const lines = (await files.read(name)).toString().split("\n");
      // A power cut tears the last line, which has no line break then: it was never relied on.
      lines.pop();
      const read = lines.flatMap((line) => entryIn(line) ?? []);
      entries.push(...read);
      if (read.length < lines.length) damaged.push(name);
    }
  }
  entries.sort((a, b) => a.at.localeCompare(b.at));
  return { ...effectsIn(entries, since), damaged };
}

function entryIn(line: string): JournalEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry> | null;
    const isEntry = entry?.step === "sent" || entry?.step === "heard";
    return isEntry && typeof entry.reference === "string" ? (entry as JournalEntry) : null;
  } catch {
    return null;
  }
}

function effectsIn(entries: readonly JournalEntry[], since: Date): Omit<Journal, "damaged"> {
  const sent = entries.filter((entry) => entry.step === "sent");
  const heard = answersIn(entries);
  const undos = undosIn(sent, heard);
  const isSince = ({ at }: SentEntry) => new Date(at) >= since;
  const isProvenVain = (entry: SentEntry) => heard.get(keyOf(entry))?.outcome === "nothing";
  const wanted = sent.filter((entry) => isSince(entry) && !isProvenVain(entry));
  const undoneOf = ({ reference }: SentEntry) => undos.get(reference)?.undone ?? null;
  const labels = wanted.flatMap((entry): JournaledLabel[] => {
    if (entry.effect !== "label") return [];
    const answer = heard.get(keyOf(entry));
    const label = answer && "label" in answer ? answer.label : null;
    return [{ sent: entry, heard: label, undone: undoneOf(entry) }];
  });
  const pickups = wanted.flatMap((entry): JournaledPickup[] => {
    if (entry.effect !== "pickup") return [];
    const answer = heard.get(keyOf(entry));
    const pickup = answer && "pickup" in answer ? answer.pickup : null;
    return [{ sent: entry, heard: pickup, undone: undoneOf(entry) }];
  });
  const manifests = wanted.flatMap((entry): JournaledManifest[] => {
    if (entry.effect !== "manifest") return [];
    const answer = heard.get(keyOf(entry));
    return [{ sent: entry, heard: answer && "manifest" in answer ? answer.manifest : null }];
  });
  const told = new Set([...labels, ...pickups].map((each) => each.sent.reference));
  const others = [...undos.values()].filter(
    (each) => isSince(each.sent) && !told.has(each.sent.reference),
  );
  return {
    labels,
    pickups,
    manifests,
    undone_labels: others.filter((each) => each.sent.effect === "void"),
    undone_pickups: others.filter((each) => each.sent.effect === "pickup_cancel"),
    references: new Set(sent.flatMap((entry) => (isUndo(entry) ? [] : entry.reference))),
  };
}

function isUndo({ effect }: SentEntry): boolean {
  return effect === "void" || effect === "pickup_cancel";
}

function keyOf({ effect, reference }: Pick<JournalEntry, "effect" | "reference">): string {
  return `${effect} ${reference}`;
}

/** The last answer that proves something; once one says that it was done, it was. */
function answersIn(entries: readonly JournalEntry[]): Map<string, HeardEntry> {
  const answers = new Map<string, HeardEntry>();
  for (const entry of entries) {
    if (entry.step !== "heard" || entry.outcome === "unknown") continue;
    if (answers.get(keyOf(entry))?.outcome !== "done") answers.set(keyOf(entry), entry);
  }
  return answers;
}

/** By the label's or pickup's reference. Voids may be tried again: an answer that refuses counts for those before it. */
function undosIn(
  sent: readonly SentEntry[],
  heard: ReadonlyMap<string, HeardEntry>,
): Map<string, JournaledUndo> {
  const undos = new Map<string, JournaledUndo>();
  for (const entry of sent) {
    if (!isUndo(entry)) continue;
    const answer = heard.get(keyOf(entry));
    if (answer?.outcome === "nothing" && answer.at >= entry.at) continue;
    const refund = answer && "refund" in answer ? answer.refund : "none";
    const undone = answer?.outcome === "done" ? { refund } : "unheard";
    undos.set(entry.reference, { sent: entry, undone });
  }
  return undos;
}
