import { randomUUID } from "node:crypto";
import type { Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { bySystem } from "../../domain/accounts/principal.ts";
import { firstDayOf, lastDayOf } from "../../domain/time/months.ts";
import { fromCents } from "../../domain/values/money.ts";
import { recordEvent } from "../../events/outbox.ts";
import { toCsv } from "./csv.ts";
import { linesOf } from "./lines.ts";
import type { StatementRow } from "./store.ts";
import * as work from "./work-store.ts";

/**
 * Makes the files of one statement whose month is closed, and marks it ready. Returns whether there was one.
 */
export async function makeNext(platform: Platform, signal: AbortSignal): Promise<boolean> {
  const { db, process_id, config, clock, log } = platform;
  const { lease_seconds } = config;
  const row = await work.takeDue(db, { process_id, lease_seconds, now: clock.now() });
  if (!row) return false;
  try {
    await makeStatement(platform, row, signal);
  } catch (error) {
    if (!signal.aborted) log.error({ statement_id: row.id, err: error }, "statement.not_made");
    const pauseMs = signal.aborted ? 0 : retryMs;
    const due_at = new Date(clock.now().getTime() + pauseMs);
    await work.makeLater(db, row, { process_id, due_at });
  }
  return true;
}

const retryMs = 60_000;

async function makeStatement(
  platform: Platform,
  row: StatementRow,
  signal: AbortSignal,
): Promise<void> {
  const { db, files } = platform;
  const { account_id, id, number } = row;
  const lines = () => linesOf(platform, row, signal);
  // A new key for each try: a process that was taken for dead overwrites no file in use. Its last part is the
  // suggested file name.
  const key = `${account_id}/statements/${id}/${randomUUID()}/statement-${number}`;
  const keys = { pdf_key: `${key}.pdf`, csv_key: `${key}.csv` };
  // What draws is large, and loaded with the first statement.
  const { planStatement, renderStatement } = await import("../../documents/statement.ts");
  const csv = await files.write(keys.csv_key, toCsv(lines()));
  const facts = await factsOf(platform, row);
  const plan = await planStatement(facts, lines());
  const pdf = await files.write(keys.pdf_key, renderStatement(facts, plan, lines()));
  const made = {
    ...keys,
    pdf_bytes: pdf.bytes,
    pdf_sha256: pdf.sha256,
    csv_bytes: csv.bytes,
    csv_sha256: csv.sha256,
  };
  await inTransaction(db, async (tx) => {
    if (!(await work.makeReady(tx, row, made))) return;
    const data = {
      statement_id: id,
      number,
      status: "ready" as const,
      previous_status: "generating" as const,
      closing_balance: fromCents(row.closing_cents),
      currency: row.currency,
    };
    const by = bySystem("statements.files");
    await recordEvent(tx, { account_id, type: "statement.ready", subject_id: id, data, by });
  });
}

async function factsOf({ db }: Platform, row: StatementRow) {
  const { number, time_zone, currency, created_at, opening_cents, closing_cents } = row;
  const { name, environment, default_from_address } = await work.accountHolder(db, row.account_id);
  return {
    number,
    time_zone,
    currency,
    created_at,
    opening_cents,
    closing_cents,
    account: {
      id: row.account_id,
      name,
      is_sandbox: environment === "test",
      address: default_from_address,
    },
    period: { first_day: firstDayOf(number), last_day: lastDayOf(number) },
    totals: [
      { name: "Top-ups", amount_cents: row.top_ups_cents },
      { name: "Labels", amount_cents: row.labels_cents },
      { name: "LTL freight", amount_cents: row.ltl_cents },
      { name: "Refunds", amount_cents: row.refunds_cents },
      { name: "Adjustments", amount_cents: row.adjustments_cents },
      { name: "Fees", amount_cents: row.fees_cents },
    ],
    taxes_cents: row.taxes_cents,
    transaction_count: row.through_sequence - row.after_sequence,
  };
}
