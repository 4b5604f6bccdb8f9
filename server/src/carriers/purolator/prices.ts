import type {
  AddOnCode,
  CarrierQuote,
  CarrierService,
  LabelRequest,
  QuoteRequest,
  ShipmentForCarrier,
} from "../carrier.ts";
import { addOnsIn, orNoPrices, pricedAddOns } from "../protocol/priced-add-ons.ts";
import { costOf } from "../protocol/read-rate.ts";
import { connectionOf } from "../protocol/rest-client.ts";
import { accountOf } from "./credentials.ts";
import { errorTable, successOf } from "./errors.ts";
import { fromEstimates, toEstimateRequest, toQuote } from "./rates.ts";
import type { SoapClient } from "./soap.ts";

/** Longer than any wait for rates: the caller's deadline ends a quote, not this timeout. */
const timeout_ms = 30_000;

interface PriceRequest {
  context: QuoteRequest["context"];
  shipment: ShipmentForCarrier;
  service: CarrierService;
  add_ons: readonly AddOnCode[];
  all_services: boolean;
}

/**
 * The prices of all services in one call, and of each add-on in one more beside it; one that fails costs the
 * add-on and not the rate.
 */
export async function quotePrices(
  client: SoapClient,
  { context, shipment, services, estimated }: QuoteRequest,
  signal: AbortSignal,
): Promise<CarrierQuote> {
  const ask = (add_ons: readonly AddOnCode[], service: CarrierService) =>
    estimates(
      client,
      { context, shipment: located(shipment, estimated), service, add_ons, all_services: true },
      signal,
    );
  const [plain, ...add_ons] = await Promise.all([
    ask([], services[0]!),
    ...pricedAddOns(services).map(async (code) => {
      const service = services.find((each) => addOnsIn(each).includes(code))!;
      return { code, rates: await orNoPrices(ask([code], service)) };
    }),
  ]);
  return toQuote(shipment, services, { plain, add_ons });
}

/** Of an estimate only the postal codes and the weight are real: the rest is what Purolator's form requires. */
function located(shipment: ShipmentForCarrier, estimated: boolean): ShipmentForCarrier {
  if (!estimated) return shipment;
  const { from_address, to_address } = shipment;
  const filler = { name: "Estimate", address1: "1 Main St", address2: null, phone: "+14165550100" };
  return {
    ...shipment,
    from_address: { ...from_address, ...filler, city: from_address.city || "City" },
    to_address: {
      ...to_address,
      ...filler,
      address2: to_address.address2,
      city: to_address.city || "City",
    },
  };
}

/** What a label would cost now, with its add-ons; null where there is no price for it. */
export async function priceNow(
  client: SoapClient,
  { context, shipment, service, add_ons }: LabelRequest,
  signal: AbortSignal,
): Promise<number | null> {
  const asked = { context, shipment, service, add_ons, all_services: false };
  const all = await estimates(client, asked, signal);
  const { price = null } =
    all.find(({ service_code }) => service_code === service.carrier_service_code) ?? {};
  return price && costOf(price);
}

async function estimates(client: SoapClient, asked: PriceRequest, signal: AbortSignal) {
  const { context, shipment, service, add_ons, all_services } = asked;
  const account = accountOf(connectionOf(errorTable, context));
  const answer = await client.call({
    service: "estimating",
    operation: "GetFullEstimate",
    request: toEstimateRequest(shipment, {
      service: service.carrier_service_code,
      add_ons,
      account,
      all_services,
    }),
    context,
    signal,
    timeout_ms,
  });
  return fromEstimates(successOf(answer, "GetFullEstimateResponse"));
}
