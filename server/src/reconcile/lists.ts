import type { Decision } from "./finding.ts";
import type { Job } from "./job.ts";
import { findAttempt, type KnownAttempt } from "./store.ts";

/** The lists of outside parties, and the findings for one that has no list. */

/**
 * All pages of a list. Throws what asking throws, and when a page leads back to one that was asked for; no
 * page may take longer than that.
 */
export async function allPages<Item>(
  pageSeconds: number,
  ask: (
    cursor: string | null,
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const all: Item[] = [];
  const asked = new Set<string | null>();
  let cursor: string | null = null;
  do {
    if (asked.has(cursor)) throw new Error("its list never ends");
    asked.add(cursor);
    const signal = AbortSignal.timeout(pageSeconds * 1000);
    const page: { items: Item[]; next_cursor: string | null } = await ask(cursor, signal);
    all.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}

/** How items of a kind are identified and decided on. */
interface Judge<Item> {
  nameOf(item: Item): { account_id: string; reference: string };
  decideKnown(job: Job, item: Item, attempt: KnownAttempt): Promise<Decision | null>;
  decideMissing(job: Job, item: Item): Promise<Decision>;
}

/**
 * Decides about each listed item: first about those that the database has, then about missing ones. An item
 * that is on two pages, because the list changed while it was read, is one item, as it was listed last.
 */
export async function* decideEach<Item>(
  job: Job,
  listed: readonly Item[],
  { nameOf, decideKnown, decideMissing }: Judge<Item>,
): AsyncGenerator<Decision> {
  const things = new Map(
    listed.map((item) => {
      const { account_id, reference } = nameOf(item);
      return [`${account_id} ${reference}`, item];
    }),
  );
  const forgotten: Item[] = [];
  for (const item of things.values()) {
    const attempt = await findAttempt(job.platform.db, nameOf(item));
    const decision = attempt ? await decideKnown(job, item, attempt) : null;
    if (!attempt) forgotten.push(item);
    if (decision) yield decision;
  }
  for (const item of forgotten) yield await decideMissing(job, item);
}

/** A party's list could not be read, so that nothing is known of what it has. */
export function cannotBeAsked(party: string, error: unknown): Decision {
  const found = `could not be asked (${(error as Error).message})`;
  return { ...aboutParty(party), found, action: "wait" };
}

/** A party has no list, so that a person has to check: `what` says what. */
export function cannotList(party: string, what: string): Decision {
  return { ...aboutParty(party), found: `cannot list ${what}`, action: "by_hand" };
}

/** Of a party that has no list the journal is damaged: a line of that file cannot be read. */
export function unreadable(party: string, name: string): Decision {
  const found = `cannot list what it has, and ${name} of the journal is damaged`;
  return { ...aboutParty(party), found, action: "by_hand" };
}

function aboutParty(party: string) {
  return {
    kind: "party" as const,
    party,
    reference: party,
    account_id: null,
    shipment_id: null,
    tracking_code: null,
    amount_cents: null,
    currency: null,
  };
}
