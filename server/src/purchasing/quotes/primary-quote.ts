import type { CarrierService } from "../../carriers/carrier.ts";
import type { CarrierConnection } from "../../carriers/connection.ts";
import type { AccountContext, FoundConnection } from "../../context.ts";
import { dearerBy, type CapturedRate } from "../../domain/pricing/captured-rate.ts";
import { protectionProblems } from "../../domain/limits/declared-value.ts";
import { ApiError, invalid, throwIfAny } from "../../domain/errors/errors.ts";
import { fromCents, type Cents } from "../../domain/values/money.ts";
import { expectedCharge, priceRate, type Cost } from "../../domain/pricing/pricing.ts";
import { compareRates, type AddOnCode, type Rate } from "../../domain/pricing/rate.ts";
import type { PriceCap } from "../../domain/rules/rule-effects.ts";
import { strategies } from "../../domain/shipments/shipment-enums.ts";
import { toConnection } from "../../shipping/connections/connection-book.ts";
import { readRatesFor } from "../../shipping/exchange-rates/exchange-book.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";
import { quotedRate } from "./quotes.ts";
import { nothingOffered } from "./nothing-offered.ts";
import { quoteShipment, wantedAddOns } from "./quote-shipment.ts";
import * as store from "./store.ts";
import type { StoredQuote } from "./store.ts";

/** The price of a purchase: the account's own, and the expected charge of the carrier. */
export interface Quoted {
  rate: Rate;
  /** The captured rate that it was priced from. */
  captured: CapturedRate;
  cost: Cost;
  add_ons: AddOnCode[];
  carrier: string;
  service: CarrierService;
  /** That it was priced on, and is bought on. */
  connection: CarrierConnection | null;
}

interface RateChoice {
  service?: string | null;
  rate_id?: string | null;
  add_ons?: readonly AddOnCode[] | null;
}

/**
 * The account's primary rate for the choice (spec 4.14, decision 8): the quote that the client saw while it
 * is valid, else that one service rated anew. Throws 422 `unserviceable` when the service is not available,
 * 502 `carrier_error` when that is a carrier's transient fault, and 422 `validation_failed` when no service
 * is named anywhere. `stored` is the shipment's stored quote where the caller has read it already.
 */
export async function primaryQuote(
  ctx: AccountContext,
  row: ShipmentRow,
  choice: RateChoice,
  stored?: StoredQuote | null,
): Promise<Quoted> {
  const addOns = [...(choice.add_ons ?? wantedAddOns(row))];
  if (addOns.includes("protection")) await refuseForeignValue(ctx, row);
  const quote = stored === undefined ? await store.findQuote(ctx.db, row, ctx.clock.now()) : stored;
  const stored_rates = quote?.revision === row.revision ? quote.rates : [];
  const kept = await onUsableConnections(ctx, stored_rates);
  const captured = await chooseRate(ctx, row, { choice, kept });
  const known = ctx.carriers.findService(captured.service);
  if (!known) throw new ApiError("unserviceable", { details: { service: captured.service } });
  const connection = await connectionOf(ctx, captured);
  const terms = { settings: ctx.account.settings, add_ons: addOns, now: ctx.clock.now() };
  const { rate, cost } = priceRate(captured, terms);
  refuseAboveCap(row, choice, cost);
  const selected = rate.add_ons.filter((addOn) => addOn.selected).map(({ code }) => code);
  const carrier = captured.carrier.code;
  return { rate, captured, cost, add_ons: selected, carrier, service: known.service, connection };
}

/** Protection is priced in the account's currency, and so covers only values that have an amount in it. */
async function refuseForeignValue(ctx: AccountContext, row: ShipmentRow): Promise<void> {
  const { packages, insured_value_cents: insured } = row;
  await readRatesFor(ctx, packages);
  const money = { currency: ctx.account.currency, exchange: ctx.exchange.known() };
  throwIfAny(protectionProblems({ packages, insured }, money));
}

/** Throws 422 `unserviceable` for a price above what the rule that chose the service allows. */
export function refuseAboveCap(row: ShipmentRow, choice: RateChoice, cost: Quoted["cost"]): void {
  const cap = capOf(row, choice);
  if (cap && cost.total_cents > cap.max_total_cents) throw tooDear(cap);
}

/** The price cap of a purchase whose service a rule chose and no later change replaced. */
function capOf({ service, rule_terms }: ShipmentRow, choice: RateChoice): PriceCap | null {
  const cap = rule_terms?.price_cap ?? null;
  const chosen = choice.rate_id ? null : (choice.service ?? service);
  return cap && service === cap.service && chosen === cap.service ? cap : null;
}

function tooDear({ service, max_total_cents, rule_name }: PriceCap): ApiError {
  const max_total = fromCents(max_total_cents);
  return new ApiError("unserviceable", {
    message: `${service} costs more than the ${max_total.toFixed(2)} that the rule "${rule_name}" allows.`,
    details: { service, reason: "filtered_by_rule", max_total, retryable: false },
  });
}

/**
 * The price if the carrier's charge were this, in the carrier's currency: the difference counts as postage.
 */
export function quotedAtCharge(ctx: AccountContext, quoted: Quoted, chargedCents: Cents): Quoted {
  const { add_ons } = quoted;
  const captured = dearerBy(
    quoted.captured,
    chargedCents - expectedCharge(quoted.cost).amount_cents,
  );
  const terms = { settings: ctx.account.settings, add_ons, now: ctx.clock.now() };
  return { ...quoted, captured, ...priceRate(captured, terms) };
}

async function chooseRate(
  ctx: AccountContext,
  row: ShipmentRow,
  { choice, kept }: { choice: RateChoice; kept: readonly CapturedRate[] },
): Promise<CapturedRate> {
  if (choice.rate_id && choice.service) {
    throw invalid({ rate_id: ["must not be combined with service."] });
  }
  const { rate_id } = choice;
  // A rate of `GET /rates/{shipment_id}`, else one of `POST /rates`.
  if (rate_id) return kept.find(({ id }) => id === rate_id) ?? quotedRate(ctx, row, rate_id);
  const service = choice.service ?? row.service;
  if (!service) throw invalid({ service: ["is required: name a service or a rate_id."] });
  return isStrategy(service)
    ? rateByStrategy(ctx, row, { strategy: service, kept })
    : rateByService(ctx, row, { service, kept });
}

async function rateByService(
  ctx: AccountContext,
  row: ShipmentRow,
  { service, kept }: { service: string; kept: readonly CapturedRate[] },
): Promise<CapturedRate> {
  const known = ctx.carriers.findService(service);
  if (!known) throw invalid({ service: [`${JSON.stringify(service)} is no service of ours.`] });
  if (known.carrier.descriptor.mode !== row.type)
    throw invalid({ service: [`${JSON.stringify(service)} is not for ${row.type} shipments.`] });
  if (ctx.account.settings.disabled_services.includes(service)) throw switchedOff(service);
  const stored = kept.find((each) => each.service === service);
  if (stored) return stored;
  const { code, name } = known.carrier.descriptor;
  refuseFailing((await ctx.connections.inForce(ctx.account)).find(code), name);
  const { captured, excluded } = await quoteShipment(ctx, row, { only_service: service });
  const fresh = captured.find((each) => each.service === service);
  if (!fresh) throw nothingOffered(service, excluded);
  return fresh;
}

/** Those whose connection is still there and not disabled; one that fails is refused when it is bought. */
async function onUsableConnections(
  ctx: AccountContext,
  rates: readonly CapturedRate[],
): Promise<CapturedRate[]> {
  const { account_id } = ctx.account;
  const usable: CapturedRate[] = [];
  for (const rate of rates) {
    const found = await ctx.connections.find(account_id, rate.connection_id ?? null);
    if (rate.connection_id === undefined || (found && found.status !== "disabled"))
      usable.push(rate);
  }
  return usable;
}

/**
 * The connection that the rate was priced on. Throws 502 `carrier_error` where its carrier does not accept it,
 * and 409 `rate_changed` where it is gone.
 */
async function connectionOf(
  ctx: AccountContext,
  { connection_id, carrier, service }: CapturedRate,
): Promise<CarrierConnection | null> {
  if (connection_id === undefined) return null;
  const found = await ctx.connections.find(ctx.account.account_id, connection_id);
  if (!found || found.status === "disabled") throw connectionGone(carrier.name, service);
  refuseFailing(found, carrier.name);
  return toConnection(found);
}

/** 409: the service may have another price on the connection that is used from now on. */
export function connectionGone(carrierName: string, service: string): ApiError {
  const message = `The connection with ${carrierName} that the rate was quoted on is gone; ask for the rates again.`;
  return new ApiError("rate_changed", { message, details: { service } });
}

/** The carrier would refuse the call: nothing is held, and the answer is not stored for the key. */
function refuseFailing(found: FoundConnection | null, carrierName: string): void {
  if (found?.status !== "failing") return;
  const carrier_message = `${carrierName} does not accept the credentials of its connection.`;
  throw new ApiError("carrier_error", {
    message: `${carrier_message} Nothing was bought.`,
    details: {
      carrier: found.carrier,
      carrier_code: "credentials_invalid",
      carrier_message,
      retryable: false,
    },
  });
}

function switchedOff(service: string): ApiError {
  const details = { service, reason: "service_disabled", retryable: false };
  return new ApiError("unserviceable", { details });
}

type Strategy = (typeof strategies)[number];

function isStrategy(service: string): service is Strategy {
  return (strategies as readonly string[]).includes(service);
}

/** Among the stored rates, else rated anew: a carrier that offered none then may work again by now. */
async function rateByStrategy(
  ctx: AccountContext,
  row: ShipmentRow,
  { strategy, kept }: { strategy: Strategy; kept: readonly CapturedRate[] },
): Promise<CapturedRate> {
  const best = bestOf(ctx, row, { strategy, captured: kept });
  if (best) return best;
  const { captured, excluded } = await quoteShipment(ctx, row);
  const fresh = bestOf(ctx, row, { strategy, captured });
  if (fresh) return fresh;
  const cap = capOf(row, { service: strategy });
  const isFailure = excluded.some(({ retryable }) => retryable);
  throw cap && captured.length > 0 && !isFailure
    ? tooDear(cap)
    : nothingOffered(strategy, excluded);
}

/** The strategy's choice within a rule's price cap; null when no rate qualifies. */
function bestOf(
  ctx: AccountContext,
  row: ShipmentRow,
  { strategy, captured }: { strategy: Strategy; captured: readonly CapturedRate[] },
): CapturedRate | null {
  const terms = {
    settings: ctx.account.settings,
    add_ons: wantedAddOns(row),
    now: ctx.clock.now(),
  };
  const cap = capOf(row, { service: strategy });
  const offers = captured
    .filter((each) => strategy !== "cheapest_tracked" || each.trackable)
    .map((each) => ({ captured: each, ...priceRate(each, terms) }))
    .sort((a, b) =>
      strategy === "fastest" ? byDays(a.rate, b.rate) : compareRates(a.rate, b.rate),
    );
  const best = offers.find(({ cost }) => !cap || cost.total_cents <= cap.max_total_cents);
  return best?.captured ?? null;
}

function byDays(a: Rate, b: Rate): number {
  const days = (rate: Rate) => rate.estimated_delivery_days ?? Number.MAX_SAFE_INTEGER;
  return days(a) - days(b) || compareRates(a, b);
}
