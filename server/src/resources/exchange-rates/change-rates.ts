import type { Context, Platform } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { addProblem, notFound, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { rateDigitsMax, readRate } from "../../domain/values/exchange.ts";
import type { DatedRate } from "../../domain/values/exchange-table.ts";
import { isId } from "../../domain/values/ids.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { recordChange } from "../../http/record-change.ts";
import { readExchangeFile } from "./read-file.ts";
import {
  ExchangeImported,
  ExchangeRate,
  type ExchangeImport,
  type NewExchangeRate,
} from "./schemas.ts";
import * as store from "./store.ts";

/** Changes of the exchange rates by the operator. Each is in the audit log, and applies to the next quote. */

/** Adds a rate, or replaces the one of the same pair and day. Throws 422. */
export async function putRate(ctx: Context, given: NewExchangeRate): Promise<StoredResponse> {
  const problems: Problems = {};
  if (given.base === given.quote)
    addProblem(problems, "quote", "must be another currency than base.");
  if (readRate(given.rate) === null)
    addProblem(problems, "rate", `must have at most ${rateDigitsMax} significant digits.`);
  throwIfAny(problems);
  const response = await inTransaction(ctx.db, async (tx) => {
    await store.writeRates(tx, [given], { source: "manual", now: ctx.clock.now() });
    const row = await store.findRate(tx, given);
    return recordResponse(tx, ctx, {
      answer: answer(201, ExchangeRate, toExchangeRate(row)),
      subject_id: row.id,
      action: "exchange_rate.set",
      details: { ...given },
    });
  });
  ctx.exchange.forget();
  return response;
}

/** Unknown: 404. */
export async function deleteRate(ctx: Context, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const row = isId("exr", id) ? await store.deleteRate(tx, id) : undefined;
    if (!row) throw notFound();
    const { base, quote, valid_from } = row;
    const details = { base, quote, rate: Number(row.rate), valid_from };
    await recordChange(tx, ctx, { subject_id: id, action: "exchange_rate.deleted", details });
  });
  ctx.exchange.forget();
}

const rowsAtATime = 1000;

/** Brings in all rates of a file, or none: 422 names every row that cannot be read. */
export async function importRates(ctx: Context, given: ExchangeImport): Promise<StoredResponse> {
  const rates = await readExchangeFile(given);
  const response = await inTransaction(ctx.db, async (tx) => {
    const data = await writeFile(tx, rates, { source: given.format, now: ctx.clock.now() });
    return recordResponse(tx, ctx, {
      answer: answer(200, ExchangeImported, data),
      subject_id: given.format,
      action: importedAction,
      details: data,
    });
  });
  ctx.exchange.forget();
  return response;
}

const importedAction = "exchange_rates.imported";

/** The same without a request. */
export async function loadRates(
  { db, clock, exchange }: Pick<Platform, "db" | "clock" | "exchange">,
  { by, ...file }: ExchangeImport & { by: Origin },
): Promise<void> {
  const rates = await readExchangeFile(file);
  await inTransaction(db, async (tx) => {
    const details = await writeFile(tx, rates, { source: file.format, now: clock.now() });
    const line = { subject_id: file.format, action: importedAction, details, by };
    await recordAudit(tx, { account_id: operatorsAccountId, ...line });
  });
  exchange.forget();
}

/**
 * Every import locks the rows of pairs and days in one order, over all its statements: two that meet would deadlock. So
 * `rates` are in that order.
 */
async function writeFile(
  tx: Tx,
  rates: readonly DatedRate[],
  of: { source: ExchangeImport["format"]; now: Date },
) {
  const done = { created: 0, updated: 0 };
  for (let start = 0; start < rates.length; start += rowsAtATime) {
    const part = rates.slice(start, start + rowsAtATime);
    const { created, updated } = await store.writeRates(tx, part, of);
    done.created += created;
    done.updated += updated;
  }
  const unchanged = rates.length - done.created - done.updated;
  return { ...done, unchanged, ...daysOf(rates) };
}

function daysOf(rates: readonly DatedRate[]): { first_day: string; last_day: string } {
  let [first_day, last_day] = [rates[0]!.valid_from, rates[0]!.valid_from];
  for (const { valid_from } of rates) {
    if (valid_from < first_day) first_day = valid_from;
    if (valid_from > last_day) last_day = valid_from;
  }
  return { first_day, last_day };
}

export function toExchangeRate(row: store.RateRow): ExchangeRate {
  return {
    ...row,
    rate: Number(row.rate),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
