/** The entries of a timeline, and their order (ADR 27). */

export const entryKinds = [
  "request",
  "quote",
  "rule",
  "attempt",
  "carrier_call",
  "ledger",
  "event",
  "delivery",
  "tracking",
  "operator",
] as const;
export type EntryKind = (typeof entryKinds)[number];

export const causeTypes = ["request", "batch", "rule", "schedule", "operator"] as const;

/** What began it. */
export interface Cause {
  type: (typeof causeTypes)[number];
  id: string;
}

/** A place between entries. Milliseconds, as clients see moments: what is finer cannot be handed back. */
export interface Position {
  at: Date;
  /** Of what happened in one millisecond the earlier has the lower rank. */
  rank: number;
  id: string;
}

export interface Entry extends Position {
  kind: EntryKind;
  /** One sentence for a person. */
  title: string;
  request_id: string | null;
  cause: Cause | null;
  details: Record<string, unknown>;
  /** Paths of the API, by name. */
  links: Record<string, string>;
}

/** In the order in which one leads to the other. */
export const ranks = {
  request: 0,
  decided: 10,
  operator: 11,
  rule: 20,
  quote: 30,
  begun: 40,
  held: 41,
  carrier_call: 50,
  ended: 60,
  ledger: 70,
  released: 71,
  event: 80,
  delivery: 90,
  tracking: 100,
} as const;

/** Before every entry. */
export const beginning: Position = { at: new Date(0), rank: -1, id: "" };

/** Ids are compared by their bytes, as the database compares them. */
export function comparePositions(a: Position, b: Position): number {
  return a.at.getTime() - b.at.getTime() || a.rank - b.rank || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
