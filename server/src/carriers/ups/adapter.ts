import {
  CarrierError,
  type AddOnCode,
  type Carrier,
  type CarrierDescriptor,
  type CarrierService,
  type QuoteRequest,
  type UnavailableService,
} from "../carrier.ts";
import { makeLabelHere, type MakeLabel } from "../protocol/label-files.ts";
import { pricedAddOns } from "../protocol/priced-add-ons.ts";
import { connectionTest } from "../protocol/connection-test.ts";
import { connectionOf, type Hosts } from "../protocol/rest-client.ts";
import { accountOf } from "./credentials.ts";
import { upsClient, upsHosts, type UpsClient } from "./client.ts";
import { errorTable } from "./errors.ts";
import { upsLabels } from "./label-calls.ts";
import { upsAddresses } from "./addresses.ts";
import { upsLocations } from "./locations.ts";
import { upsPickups } from "./pickup-calls.ts";
import { fromRateResponse } from "./rated-services.ts";
import { ratePath, toQuote, toRateRequest, type PricedAddOn } from "./rates.ts";
import { fromTracking, saysUnknown, trackingPath } from "./tracking.ts";

/** UPS over its REST API: build, send, parse. */
export function upsCarrier(
  descriptor: CarrierDescriptor,
  hosts: Hosts = upsHosts,
  make: MakeLabel = makeLabelHere,
): Carrier {
  const client = upsClient(hosts);
  const timeout_ms = descriptor.purchaseTimeoutSeconds * 1_000;
  const addresses = upsAddresses(client, timeout_ms);
  return {
    descriptor,
    quote: (request, signal) => quote(client, request, signal),
    ...upsLabels(client, timeout_ms, make),
    async listLabels() {
      return Promise.reject(new Error("UPS lists no labels"));
    },
    async track({ context, tracking_code }, signal) {
      const path = trackingPath(tracking_code);
      const answer = await client.call({ context, method: "GET", path, signal, timeout_ms });
      if (saysUnknown(answer)) return null;
      return fromTracking(answer, tracking_code, descriptor.trackingEvents);
    },
    testConnection: connectionTest(descriptor.name, (context, signal) =>
      addresses.check({ context, address: testAddress }, signal),
    ),
    pickups: upsPickups(client, timeout_ms),
    addresses,
    locations: upsLocations(client, timeout_ms),
  };
}

/** The Empire State Building: UPS's own test system knows addresses of two states only, New York's among them. */
const testAddress = {
  name: null,
  company: null,
  address1: "20 W 34th St",
  address2: null,
  city: "New York",
  province_code: "NY",
  postal_code: "10001",
  country_code: "US",
  phone: null,
  email: null,
  is_residential: false,
  tax_identifier: null,
};

/** For the response to begin: the caller's signal ends a quote earlier. */
const quoteTimeoutMs = 60_000;

async function quote(client: UpsClient, request: QuoteRequest, signal: AbortSignal) {
  const { context, shipment } = request;
  const account = accountOf(connectionOf(errorTable, context));
  const origin = shipment.from_address.country_code;
  // UPS numbers its services anew in each country: one that does not start here must not be asked for.
  const services = request.services.filter(({ origins }) => origins.includes(origin));
  const elsewhere = request.services.filter(({ origins }) => !origins.includes(origin));
  if (services.length === 0) return { rates: [], unavailable: elsewhere.map(notFromHere) };
  const rate = async (add_ons: readonly AddOnCode[]) =>
    fromRateResponse(
      await client.call({
        context,
        method: "POST",
        path: ratePath,
        body: toRateRequest(shipment, { account, add_ons }),
        signal,
        timeout_ms: quoteTimeoutMs,
      }),
    );
  const extras = request.estimated ? [] : pricedAddOns(services);
  const [rated, ...add_ons] = await Promise.all([
    rate([]),
    ...extras.map((code) => pricedAddOn(code, rate)),
  ]);
  const quoted = toQuote(shipment, services, { account, rated, add_ons });
  return { ...quoted, unavailable: [...quoted.unavailable, ...elsewhere.map(notFromHere)] };
}

/** An extra that UPS does not price is not offered; the shipment is, without it. */
async function pricedAddOn(
  code: AddOnCode,
  rate: (add_ons: readonly AddOnCode[]) => Promise<PricedAddOn["rated"]>,
): Promise<PricedAddOn> {
  try {
    return { code, rated: await rate([code]) };
  } catch (error) {
    if (error instanceof CarrierError) return { code, rated: [] };
    throw error;
  }
}

function notFromHere(service: CarrierService): UnavailableService {
  const message = `${service.name} does not start in this country.`;
  return { service: service.code, reason: "origin_not_supported", message };
}
