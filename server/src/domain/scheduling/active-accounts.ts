/**
 * Which accounts this process has lately worked for. An account's long work yields while there are others;
 * alone, it goes on at full speed.
 */

interface LastRequest {
  account_id: string | null;
  /** By `performance.now()`. */
  at: number;
}

const latelyMs = 10_000;
/**
 * Of an account's time, long work may take a quarter: other accounts' requests meet it in one of four
 * cases, and are quick in three.
 */
const share = 1 / 4;

// Two are enough to know whether there is another than any given one.
let latest: LastRequest = { account_id: null, at: -Infinity };
let other: LastRequest = { account_id: null, at: -Infinity };

/** A request of the account has arrived. */
export function noteRequestOf(account_id: string): void {
  const at = performance.now();
  if (latest.account_id !== account_id) other = latest;
  latest = { account_id, at };
}

export function isOnlyActiveAccount(account_id: string): boolean {
  const { at } = latest.account_id === account_id ? other : latest;
  return performance.now() - at > latelyMs;
}

/** How much of its time the account has used up by work that took so long: none while it is alone. */
export function timeUsed(account_id: string, worked_ms: number): number {
  return isOnlyActiveAccount(account_id) ? 0 : worked_ms / share;
}
