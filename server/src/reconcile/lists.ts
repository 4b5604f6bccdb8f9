import type { Decision } from "./finding.ts";

/** What outside parties list, and what is told of one that does not. */

/** Everything of a list that comes in pages. Throws what asking throws; no page may take longer than that. */
export async function allPages<Item>(
  pageSeconds: number,
  ask: (
    cursor: string | null,
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | null = null;
  do {
    const signal = AbortSignal.timeout(pageSeconds * 1000);
    const page: { items: Item[]; next_cursor: string | null } = await ask(cursor, signal);
    all.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}

/** That a party's list could not be had, so that nothing is known of what it has. */
export function cannotBeAsked(party: string, error: unknown): Decision {
  const found = `could not be asked (${(error as Error).message})`;
  return { ...aboutParty(party), found, action: "wait" };
}

/** That a party has no list, so that a person has to compare what it has with what is `here`. */
export function cannotList(party: string, what: string): Decision {
  return { ...aboutParty(party), found: `cannot list ${what}`, action: "by_hand" };
}

function aboutParty(party: string) {
  return {
    ...{ kind: "party" as const, party, reference: party, account_id: null, shipment_id: null },
    ...{ tracking_code: null, amount_cents: null, currency: null },
  };
}
