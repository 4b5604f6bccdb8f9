/**
 * Slots that lines of work share: the next one goes to the account with the fewest under way, and to its line
 * with the fewest; of equal ones to the one that was served longest ago. No account may take all slots. A
 * choice costs as much with ten thousand lines as with ten.
 */
export interface Line {
  account_id: string;
  /** Kept by the order; the caller only reads it. */
  under_way: number;
}

export interface FewestFirst<L extends Line> {
  /** The line has something to begin. */
  offer(line: L): void;
  /** It has nothing more to begin. */
  withdraw(line: L): void;
  /** The line that begins its next job, which takes a slot; null when there is no slot or no line. */
  next(): L | null;
  /** Ends a job and frees its slot. */
  leave(line: L): void;
  taken(): number;
}

interface Account<L> {
  under_way: number;
  able: Set<L>;
}

export function fewestFirst<L extends Line>(slots: {
  all: number;
  of_account: number;
}): FewestFirst<L> {
  const accounts = new Map<string, Account<L>>();
  /** The accounts with a line that is able, by how many they have under way; who was served last is last. */
  const byCount: Set<Account<L>>[] = [];
  let taken = 0;

  function accountOf({ account_id }: L): Account<L> {
    const known = accounts.get(account_id) ?? { under_way: 0, able: new Set<L>() };
    accounts.set(account_id, known);
    return known;
  }

  function list(account: Account<L>): void {
    if (account.able.size > 0) (byCount[account.under_way] ??= new Set()).add(account);
  }

  function unlist(account: Account<L>): void {
    byCount[account.under_way]?.delete(account);
  }

  function count(line: L, change: 1 | -1): void {
    const account = accountOf(line);
    unlist(account);
    account.under_way += change;
    line.under_way += change;
    taken += change;
    list(account);
    forget(line, account);
  }

  function forget({ account_id }: L, { under_way, able }: Account<L>): void {
    if (under_way === 0 && able.size === 0) accounts.delete(account_id);
  }

  function mostDue(): L | null {
    for (let place = 0; place < Math.min(byCount.length, slots.of_account); place++)
      for (const { able } of byCount[place] ?? []) return withFewest(able);
    return null;
  }

  return {
    offer(line) {
      const account = accountOf(line);
      account.able.add(line);
      list(account);
    },
    withdraw(line) {
      const account = accountOf(line);
      account.able.delete(line);
      if (account.able.size === 0) unlist(account);
      forget(line, account);
    },
    next() {
      const line = taken < slots.all ? mostDue() : null;
      if (!line) return null;
      const { able } = accountOf(line);
      able.delete(line);
      able.add(line);
      count(line, 1);
      return line;
    },
    leave: (line) => count(line, -1),
    taken: () => taken,
  };
}

/** Of equal ones the first. */
function withFewest<L extends Line>(lines: Set<L>): L {
  let best: L | null = null;
  for (const line of lines) if (!best || line.under_way < best.under_way) best = line;
  return best!;
}
