import {
  descriptorUnder,
  isFreightService,
  type Carrier,
  type CarrierDescriptor,
  type CarrierQuote,
  type CarrierService,
} from "../carriers/carrier.ts";
import type { CapturedRate } from "../domain/pricing/captured-rate.ts";
import type { Clock } from "../domain/time/clock.ts";
import { goodsIn, needsRates } from "../domain/limits/goods-in-currency.ts";
import { exclusionOf } from "../domain/rules/rule-effects.ts";
import { noRates, type ExchangeTable } from "../domain/values/exchange-table.ts";
import { isRetryable, type ExcludedService } from "../domain/pricing/rate.ts";
import { freightExclusionFor } from "../domain/limits/freight-limits.ts";
import { exclusionFor, type Exclusion } from "../domain/limits/service-limits.ts";
import { askCarrier, type Reply } from "./ask-carrier.ts";
import type { QuoteInput, UsableConnection } from "./quote-input.ts";
import { startDeadline, type Deadline } from "./deadline.ts";
import { hasOtherCurrency, readAnswer, unaskedServices, type Outcome } from "./read-answer.ts";

/**
 * The rate fan-out: every carrier of the shipment's kind, of parcels or of freight, is asked at once, and the
 * responses by the deadline count. One invariant holds whatever a carrier does (decision 7): each service of
 * each such carrier is in exactly one of `rates` and `excluded`, because both are made by walking the
 * services, never by walking a response.
 */

interface QuoteDeps {
  /** The carriers that are enabled for the account. */
  carriers: readonly Carrier[];
  clock: Clock;
  log: QuoteLog;
  /** Called for each carrier call just before it is made: for the metrics. */
  onCarrierCall: (carrier: string, operation: "quote") => void;
}

interface QuoteLog {
  warn(details: object, event: string): void;
}

export interface Quote {
  rates: CapturedRate[];
  excluded: ExcludedService[];
  timeout_seconds: number;
}

/**
 * Never throws for what a carrier does, and returns when `timeout_seconds` have passed even if every carrier
 * hangs and ignores its abort. Neither list has an order: rates are sorted once priced.
 */
export async function quote(input: QuoteInput, deps: QuoteDeps): Promise<Quote> {
  const deadline = startDeadline(input.timeout_seconds);
  const mode = input.shipment.freight ? "ltl" : "courier";
  const carriers = deps.carriers.filter(({ descriptor }) => descriptor.mode === mode);
  const fanOut = { input, deps, deadline, exchange: await ratesFor(input, carriers) };
  const asking = carriers.map((carrier) => quoteCarrier(carrier, fanOut));
  const result: Quote = { rates: [], excluded: [], timeout_seconds: input.timeout_seconds };
  for (const { carrier, service, outcome } of (await Promise.all(asking)).flat()) {
    if ("rate" in outcome) result.rates.push(outcome.rate);
    else result.excluded.push(toExcluded(carrier, service, outcome.exclusion));
  }
  deadline.stop();
  return result;
}

interface FanOut {
  input: QuoteInput;
  deps: QuoteDeps;
  deadline: Deadline;
  exchange: ExchangeTable;
}

/** The exchange rates, where the shipment's values have to be stated in another currency to one of them. */
async function ratesFor(
  { shipment, currency, exchange, connections }: QuoteInput,
  carriers: readonly Carrier[],
): Promise<ExchangeTable> {
  const isNeeded = carriers.some(({ descriptor }) => {
    const own = descriptorUnder(descriptor, connections.find(descriptor.code)?.id);
    return needsRates(shipment, own, currency);
  });
  return isNeeded ? exchange.fresh() : noRates;
}

interface ServiceOutcome {
  carrier: CarrierDescriptor;
  service: CarrierService;
  outcome: Outcome;
}

/** Splits the carrier's services into those that are excluded already and those to ask for. */
async function quoteCarrier(carrier: Carrier, fanOut: FanOut): Promise<ServiceOutcome[]> {
  const { only_service: only } = fanOut.input;
  const outcomes: ServiceOutcome[] = [];
  const asked: CarrierService[] = [];
  const connection = fanOut.input.connections.find(carrier.descriptor.code);
  const descriptor = descriptorUnder(carrier.descriptor, connection?.id);
  const uncallable = notConnected(descriptor, connection, fanOut.input);
  for (const service of descriptor.services) {
    if (only !== null && service.code !== only) continue;
    const exclusion =
      knownExclusion(service, fanOut) ?? ruledOut(descriptor, service, fanOut.input) ?? uncallable;
    if (exclusion) outcomes.push({ carrier: descriptor, service, outcome: { exclusion } });
    else asked.push(service);
  }
  if (asked.length === 0) return outcomes;
  return [...outcomes, ...(await askFor({ carrier, connection }, asked, fanOut))];
}

/** Why the carrier cannot be called at all. */
function notConnected(
  { name, requires_connection }: CarrierDescriptor,
  connection: UsableConnection | null,
  { context }: QuoteInput,
): Exclusion | null {
  const reason = "carrier_credentials_invalid";
  if (connection?.status === "failing")
    return { reason, message: `${name} does not accept the credentials of its connection.` };
  if (connection || !requires_connection?.includes(context.environment)) return null;
  return { reason, message: `There is no connection with ${name}: its credentials are missing.` };
}

/** Why a rule excludes a service that would be available. */
function ruledOut(
  { code: carrier }: CarrierDescriptor,
  { code, name }: CarrierService,
  { rule_terms }: QuoteInput,
): Exclusion | null {
  const rule = exclusionOf(rule_terms, { carrier, service: code });
  if (!rule) return null;
  return {
    reason: "filtered_by_rule",
    message: `${name} is left out by the rule "${rule.rule_name}".`,
  };
}

/** Why a service is excluded before any carrier is asked. */
function knownExclusion(service: CarrierService, { input, exchange }: FanOut): Exclusion | null {
  if (input.disabled_services.includes(service.code)) {
    const message = `${service.name} is switched off for this account.`;
    return { reason: "service_disabled", message };
  }
  const { from_address, to_address, packages, items, freight } = input.shipment;
  const { to_po_box, add_ons, estimated, currency } = input;
  const lane = { from_address, to_address, items, to_po_box };
  const limited = { ...lane, add_ons, estimated, currency, exchange };
  if (!isFreightService(service)) return exclusionFor(service, { ...limited, packages });
  return freight ? freightExclusionFor(service, { ...limited, freight }) : null;
}

/** Asks the carrier once and returns the outcome of each service. */
async function askFor(
  { carrier, connection }: { carrier: Carrier; connection: UsableConnection | null },
  services: readonly CarrierService[],
  { input, deps, deadline, exchange }: FanOut,
): Promise<ServiceOutcome[]> {
  const descriptor = descriptorUnder(carrier.descriptor, connection?.id);
  const { estimated } = input;
  const context = { ...input.context, connection };
  deps.onCarrierCall(descriptor.code, "quote");
  const currency = descriptor.bills_in ?? input.currency;
  const shipment = goodsIn(input.shipment, descriptor, { currency: input.currency, exchange });
  const request = { context, shipment, services, currency, estimated };
  const reply = await askCarrier(carrier, request, deadline);
  logDatabaseFault(descriptor, services, { reply, log: deps.log });
  const isPricedAbroad = "answer" in reply && hasOtherCurrency(reply.answer, input.currency);
  const rates = isPricedAbroad ? await input.exchange.fresh() : exchange;
  const now = deps.clock.now();
  return services.map((service) => {
    const about = { carrier: descriptor, service, input, now, exchange: rates, connection };
    const outcome =
      "answer" in reply ? readAnswer(reply.answer, about) : { exclusion: reply.exclusion };
    return { carrier: descriptor, service, outcome };
  });
}

function logDatabaseFault(
  { code: carrier }: CarrierDescriptor,
  asked: readonly CarrierService[],
  { reply, log }: { reply: Reply<CarrierQuote>; log: QuoteLog },
): void {
  if ("exclusion" in reply) {
    log.warn({ carrier, reason: reply.exclusion.reason, err: reply.cause }, "quote.failed");
    return;
  }
  const codes = asked.map((service) => service.code);
  const unasked = unaskedServices(reply.answer, codes);
  if (unasked.length > 0) log.warn({ carrier, services: unasked }, "quote.unasked_services");
}

function toExcluded(
  carrier: CarrierDescriptor,
  service: CarrierService,
  { reason, message }: Exclusion,
): ExcludedService {
  return {
    postage_type_id: service.postage_type_id,
    service: service.code,
    carrier: carrier.code,
    service_name: service.name,
    reason,
    message,
    retryable: isRetryable(reason),
  };
}
