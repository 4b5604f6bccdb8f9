import type { CarrierService } from "../../carriers/carrier.ts";
import type { AccountContext } from "../../context.ts";
import type { CapturedRate } from "../../domain/captured-rate.ts";
import { ApiError, invalid } from "../../domain/errors.ts";
import { fromCents, type Cents } from "../../domain/money.ts";
import { priceRate, type Cost } from "../../domain/pricing.ts";
import { compareRates, type AddOnCode, type Rate } from "../../domain/rate.ts";
import type { PriceCap } from "../../domain/rules/rule-terms.ts";
import { strategies } from "../../domain/shipment-words.ts";
import type { ShipmentRow } from "../shipments/service.ts";
import { quoteShipment, wantedAddOns } from "./quote-shipment.ts";
import * as store from "./store.ts";

/** What a label is bought at: the account's own price, and what the carrier is to charge us. */
export interface Quoted {
  rate: Rate;
  /** What it was priced from. */
  captured: CapturedRate;
  cost: Cost;
  add_ons: AddOnCode[];
  carrier: string;
  service: CarrierService;
}

export interface RateChoice {
  service?: string | null;
  rate_id?: string | null;
  add_ons?: readonly AddOnCode[] | null;
}

/**
 * The account's primary rate for what was chosen (spec 4.14, decision 8): the quote that the client
 * saw while it is valid, else that one service rated anew. Throws 422 `unserviceable` when the service
 * cannot be had, and 422 `validation_failed` when no service is named anywhere.
 */
export async function primaryQuote(
  ctx: AccountContext,
  row: ShipmentRow,
  choice: RateChoice,
): Promise<Quoted> {
  const addOns = [...(choice.add_ons ?? wantedAddOns(row))];
  const captured = await chooseRate(ctx, row, choice);
  const known = ctx.carriers.findService(captured.service);
  if (!known) throw new ApiError("unserviceable", { details: { service: captured.service } });
  const terms = { settings: ctx.account.settings, add_ons: addOns, now: ctx.clock.now() };
  const { rate, cost } = priceRate(captured, terms);
  const cap = capOf(row, choice);
  if (cap && cost.total_cents > cap.max_total_cents) throw tooDear(cap);
  const selected = rate.add_ons.filter((addOn) => addOn.selected).map(({ code }) => code);
  const carrier = captured.carrier.code;
  return { rate, captured, cost, add_ons: selected, carrier, service: known.service };
}

/** What the purchase may cost at most, when it is of the service that a rule chose and nobody changed. */
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

/** The account's total if the carrier charged us this much for the same: what is new counts as postage. */
export function totalAtCost(ctx: AccountContext, quoted: Quoted, carrierCostCents: Cents): Cents {
  const { captured, cost, add_ons } = quoted;
  const base_cents = captured.base_cents + carrierCostCents - cost.carrier_cost_cents;
  const terms = { settings: ctx.account.settings, add_ons, now: ctx.clock.now() };
  return priceRate({ ...captured, base_cents }, terms).cost.total_cents;
}

async function chooseRate(
  ctx: AccountContext,
  row: ShipmentRow,
  choice: RateChoice,
): Promise<CapturedRate> {
  if (choice.rate_id && choice.service) {
    throw invalid({ rate_id: ["must not be combined with service."] });
  }
  if (choice.rate_id) return rateById(ctx, row, choice.rate_id);
  const service = choice.service ?? row.service;
  if (!service) throw invalid({ service: ["is required: name a service or a rate_id."] });
  return isStrategy(service) ? rateByStrategy(ctx, row, service) : rateByService(ctx, row, service);
}

async function rateById(ctx: AccountContext, row: ShipmentRow, id: string): Promise<CapturedRate> {
  const quoted = await store.findQuote(ctx.db, row, ctx.clock.now());
  const found = quoted.find((each) => each.id === id);
  if (found) return found;
  throw new ApiError("unserviceable", {
    message: "There is no such valid rate of this shipment; ask for its rates again.",
    details: { rate_id: id },
  });
}

async function rateByService(
  ctx: AccountContext,
  row: ShipmentRow,
  service: string,
): Promise<CapturedRate> {
  const known = ctx.carriers.findService(service);
  if (!known) throw invalid({ service: [`${service} is no service of ours.`] });
  if (known.carrier.descriptor.mode !== row.type)
    throw invalid({ service: [`${service} is not for ${row.type} shipments.`] });
  if (ctx.account.settings.disabled_services.includes(service)) throw unserviceable(service, null);
  const kept = (await store.findQuote(ctx.db, row, ctx.clock.now())).find(
    (each) => each.service === service,
  );
  if (kept) return kept;
  const { captured, excluded } = await quoteShipment(ctx, row, { only_service: service });
  const fresh = captured.find((each) => each.service === service);
  if (!fresh) throw unserviceable(service, excluded[0] ?? null);
  return fresh;
}

function unserviceable(
  service: string,
  excluded: { reason: string; message: string; retryable: boolean } | null,
): ApiError {
  return new ApiError("unserviceable", {
    message: excluded?.message,
    details: {
      service,
      reason: excluded?.reason ?? "service_disabled",
      retryable: excluded?.retryable ?? false,
    },
  });
}

type Strategy = (typeof strategies)[number];

function isStrategy(service: string): service is Strategy {
  return (strategies as readonly string[]).includes(service);
}

async function rateByStrategy(
  ctx: AccountContext,
  row: ShipmentRow,
  strategy: Strategy,
): Promise<CapturedRate> {
  const kept = await store.findQuote(ctx.db, row, ctx.clock.now());
  const { captured, excluded } =
    kept.length > 0 ? { captured: kept, excluded: [] } : await quoteShipment(ctx, row);
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
  if (!best && cap && offers.length > 0) throw tooDear(cap);
  if (!best) {
    throw new ApiError("unserviceable", {
      message: "No service can take this shipment.",
      details: { service: strategy, excluded_services: excluded },
    });
  }
  return best.captured;
}

function byDays(a: Rate, b: Rate): number {
  const days = (rate: Rate) => rate.estimated_delivery_days ?? Number.MAX_SAFE_INTEGER;
  return days(a) - days(b) || compareRates(a, b);
}
