import type { Context } from "../../context.ts";
import { addProblem, invalid } from "../../domain/errors/errors.ts";
import { refuseMissedPickup } from "../../domain/shipments/freight-rules.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { previewRules } from "../../automation/rule-before-purchase.ts";
import { readNewShipment, typeOf } from "../../shipping/shipments/new-shipment.ts";
import { getShipment } from "../../shipping/shipments/store.ts";
import { requireTypeScope } from "../../shipping/shipments/type-scope.ts";
import { readEstimate } from "./estimate.ts";
import {
  quoteShipment,
  toRatesResponse,
  validMinutes,
} from "../../purchasing/quotes/quote-shipment.ts";
import { LtlRatesRequest, RatesRequest } from "./schemas.ts";
import { storeQuote } from "../../purchasing/quotes/quotes.ts";
import { saveQuote } from "../../purchasing/quotes/store.ts";

/** The three ways to ask for rates (spec 4.2). Each answers `{ data, meta }`, even when empty. */

/** Rates of a stored shipment, kept so that it can be bought at them. */
export async function getShipmentRates(
  ctx: Context,
  shipmentId: string,
  timeout: number | undefined,
) {
  const row = await getShipment(ctx.db, ctx.account.account_id, shipmentId);
  if (row.status === "draft") refuseMissedPickup(row, ctx.clock.now());
  const rule_terms = await previewRules(ctx, row, ["shipment.before_purchase"]);
  const quoted = await quoteShipment(ctx, { ...row, rule_terms }, { timeout_seconds: timeout });
  const now = ctx.clock.now();
  if (row.status === "draft") {
    await saveQuote(ctx.db, {
      account_id: row.account_id,
      shipment_id: row.id,
      revision: row.revision,
      rates: quoted.captured,
      quoted_at: now,
      expires_at: new Date(now.getTime() + validMinutes(ctx.config, row.type) * 60_000),
    });
  }
  return toRatesResponse(ctx, row, quoted);
}

/** Rates of a shipment that is not created, kept so that one of the same data can be bought at them. */
export async function getRates(ctx: Context, body: unknown) {
  return quoteBody(ctx, body, false);
}

/** Rates from two locations and a weight, or from a whole body. They cannot be bought. */
export async function estimateRates(ctx: Context, body: unknown) {
  const isWhole =
    typeof body === "object" &&
    body !== null &&
    ["to_address", "packages", "handling_units"].some((field) => field in body);
  if (isWhole) return quoteBody(ctx, body, true);
  requireTypeScope(ctx, "courier");
  const { shipment, timeout } = readEstimate(ctx, body);
  const quoted = await quoteShipment(ctx, shipment, { timeout_seconds: timeout, estimated: true });
  return toRatesResponse(ctx, shipment, quoted);
}

/** The trigger of the rules that apply to a stored shipment. */
async function quoteBody(ctx: Context, body: unknown, estimated: boolean) {
  const type = typeOf(body);
  if (type) requireTypeScope(ctx, type);
  const problems = problemsOf(type === "ltl" ? LtlRatesRequest : RatesRequest, body);
  const read = await readNewShipment(ctx, body, "quote");
  for (const [path, texts] of Object.entries<string[]>(read.problems ?? {})) {
    for (const text of texts) addProblem(problems, path, text);
  }
  if (!read.row || Object.keys(problems).length > 0) throw invalid(problems);
  const { timeout } = body as { timeout?: number | null };
  const rule_terms = await previewRules(ctx, read.row, [
    "shipment.created",
    "shipment.before_purchase",
  ]);
  const shipment = { ...read.row, rule_terms };
  const quoted = await quoteShipment(ctx, shipment, { timeout_seconds: timeout, estimated });
  if (estimated) return toRatesResponse(ctx, read.row, quoted);
  const captured = await storeQuote(ctx, read.row, quoted.captured);
  return toRatesResponse(ctx, read.row, { ...quoted, captured });
}
