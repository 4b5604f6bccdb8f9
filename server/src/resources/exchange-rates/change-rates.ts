import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addProblem, notFound, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { rateDigitsMax, readRate } from "../../domain/values/exchange.ts";
import { isId } from "../../domain/values/ids.ts";
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

const rowsAtATime = 5000;

/** Brings in all rates of a file, or none: 422 names every row that cannot be read. */
export async function importRates(ctx: Context, given: ExchangeImport): Promise<StoredResponse> {
  const rates = readExchangeFile(given);
  const days = rates.map(({ valid_from }) => valid_from).sort();
  const response = await inTransaction(ctx.db, async (tx) => {
    const done = { created: 0, updated: 0 };
    for (let start = 0; start < rates.length; start += rowsAtATime) {
      const part = rates.slice(start, start + rowsAtATime);
      const of = { source: given.format, now: ctx.clock.now() };
      const { created, updated } = await store.writeRates(tx, part, of);
      done.created += created;
      done.updated += updated;
    }
    const unchanged = rates.length - done.created - done.updated;
    const data = { ...done, unchanged, first_day: days[0]!, last_day: days.at(-1)! };
    return recordResponse(tx, ctx, {
      answer: answer(200, ExchangeImported, data),
      subject_id: given.format,
      action: "exchange_rates.imported",
      details: data,
    });
  });
  ctx.exchange.forget();
  return response;
}

export function toExchangeRate(row: store.RateRow): ExchangeRate {
  return {
    ...row,
    rate: Number(row.rate),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
