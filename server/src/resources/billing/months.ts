import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { newId } from "../../domain/values/ids.ts";
import { monthAfter, monthAt, startOf } from "../../domain/time/months.ts";
import { isTimeZone } from "../../domain/time/wall-clock.ts";
import * as store from "./store.ts";
import * as work from "./work-store.ts";

/**
 * The months of every account, consecutively: the first is opened with the account, and a worker closes each
 * when it is over, which opens the next. After a downtime of months they are closed one by one, oldest first.
 */

const accountsAtOnce = 100;

/** Opens the first statement of a new account, in the transaction that opens its ledger. */
export async function openStatements(
  tx: Tx,
  account: { account_id: string; currency: string; since: Date },
): Promise<void> {
  const time_zone = await work.timeZoneOf(tx, account.account_id);
  await work.insertOpen(tx, [first({ ...account, time_zone }, account.since)]);
}

/** The same for accounts from before there were statements. Returns whether there may be more of them. */
export async function openFirst({ db, clock }: Platform): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const accounts = await work.takeNewAccounts(tx, accountsAtOnce);
    if (accounts.length === 0) return false;
    const now = clock.now();
    await work.insertOpen(
      tx,
      accounts.map((account) => first(account, now)),
    );
    return accounts.length === accountsAtOnce;
  });
}

function first({ account_id, currency, since, ...account }: work.NewAccount, created_at: Date) {
  const nothing = { after_sequence: 0, opening_cents: 0 };
  const time_zone = knownZone(account.time_zone);
  const month = monthAt(since, time_zone);
  return { account_id, currency, ...nothing, created_at, ...period(month, time_zone) };
}

/** An invalid zone that was set by hand must not stop the months of all other accounts. */
function knownZone(name: string): string {
  return isTimeZone(name) ? name : "America/Toronto";
}

/** Purchases in progress at midnight end within this time; later ones are on the next statement. */
const graceMs = 60_000;

function period(number: string, time_zone: string) {
  const ends_at = startOf(monthAfter(number), time_zone);
  return {
    id: newId("stm", startOf(number, time_zone)),
    number,
    time_zone,
    ends_at,
    due_at: new Date(ends_at.getTime() + graceMs),
  };
}

/** When the month in which a moment falls is closed, by the clocks of a time zone. */
export function timeOfClosing(moment: Date, time_zone: string): Date {
  return period(monthAt(moment, time_zone), time_zone).due_at;
}

/** Closes one month that is over, of any account, and opens the next. Returns whether there was one. */
export async function closeNext({ db, clock, log }: Platform): Promise<boolean> {
  const now = clock.now();
  let row: store.StatementRow | null = null;
  try {
    await inTransaction(db, async (tx) => {
      row = await work.lockOver(tx, now);
      if (row) await close(tx, row, now);
    });
  } catch (error) {
    if (!row) throw error;
    // One account's month must not keep all the others waiting.
    log.error({ ...keyOf(row), err: error }, "statement.not_closed");
    await work.closeLater(db, row, new Date(now.getTime() + retryMs));
  }
  return row !== null;
}

const retryMs = 60_000;

function keyOf({ account_id, id }: store.StatementRow) {
  return { account_id, statement_id: id };
}

async function close(tx: Tx, row: store.StatementRow, now: Date): Promise<void> {
  const closed = await store.counted(tx, row);
  await work.closeMonth(tx, closed, now);
  const { account_id, currency, through_sequence, closing_cents } = closed;
  const next = { account_id, currency, after_sequence: through_sequence, created_at: now };
  const time_zone = knownZone(await work.timeZoneOf(tx, account_id));
  await work.insertOpen(tx, [
    { ...next, opening_cents: closing_cents, ...period(monthAfter(row.number), time_zone) },
  ]);
}
