import type {
  AddOnCode,
  CarrierQuote,
  CarrierService,
  LabelRequest,
  QuoteRequest,
  ShipmentForCarrier,
} from "../carrier.ts";
import { contractIn, type PostClient } from "./client.ts";
import { addOnsIn, orNoPrices, pricedAddOns } from "../protocol/priced-add-ons.ts";
import { costOf } from "../protocol/read-rate.ts";
import { successOf } from "./errors.ts";
import { fromPriceQuotes, rateMediaType, toMailingScenario, toQuote } from "./rates.ts";

/** Longer than any wait for rates: the caller's deadline ends a quote, not this timeout. */
const timeout_ms = 30_000;

interface PriceRequest {
  context: QuoteRequest["context"];
  shipment: ShipmentForCarrier;
  services: readonly CarrierService[];
}

/**
 * The prices of services, and of the add-ons that they have. Canada Post prices only the options that are asked
 * for, so each add-on is a call of its own, beside the first; one that fails costs the add-on and not the rate.
 */
export async function quotePrices(
  client: PostClient,
  request: PriceRequest,
  signal: AbortSignal,
): Promise<CarrierQuote> {
  const { shipment, services } = request;
  const [plain, ...add_ons] = await Promise.all([
    prices(client, { ...request, add_ons: [] }, signal),
    ...pricedAddOns(services).map(async (code) => {
      const having = services.filter((service) => addOnsIn(service).includes(code));
      const asked = { ...request, services: having, add_ons: [code] };
      return { code, rates: await orNoPrices(prices(client, asked, signal)) };
    }),
  ]);
  return toQuote(shipment, services, { plain, add_ons });
}

/** What a label would cost now, with its add-ons; null where there is no price for it. */
export async function priceNow(
  client: PostClient,
  { context, shipment, service, add_ons }: LabelRequest,
  signal: AbortSignal,
): Promise<number | null> {
  const asked = { context, shipment, services: [service], add_ons };
  const [entry] = await prices(client, asked, signal);
  const { price = null } = entry ?? {};
  return price && costOf(price);
}

async function prices(
  client: PostClient,
  { context, shipment, ...asked }: PriceRequest & { add_ons: readonly AddOnCode[] },
  signal: AbortSignal,
) {
  const body = toMailingScenario(shipment, { ...asked, contract: contractIn(context) });
  const answer = await client.call({
    method: "POST",
    to: "/rs/ship/price",
    media_type: rateMediaType,
    body,
    context,
    signal,
    timeout_ms,
    steering: shipment.to_address.address2,
  });
  return fromPriceQuotes(successOf(answer, "price-quotes"));
}
