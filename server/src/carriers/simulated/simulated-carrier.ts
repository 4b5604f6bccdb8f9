import { Compile } from "typebox/compile";
import type { Carrier, CarrierDescriptor, CarrierService, UnavailableService } from "../carrier.ts";
import { WireQuoteResponse } from "../simulator/wire.ts";
import { carrierClient } from "./client.ts";
import { connectionTest, simulatedCredentials } from "./connections.ts";
import { simulatedLabels } from "./label-calls.ts";
import { simulatedManifests } from "./manifests.ts";
import { simulatedPickups } from "./pickups.ts";
import { fromQuoteResponse, parcelRates, quoteTimeoutMs, toQuoteRequest } from "./quotes.ts";
import { simulatedTracking } from "./tracking.ts";

const quoteShape = Compile(WireQuoteResponse);

/**
 * A carrier of the catalogue whose other end is the simulator at `simulatorUrl`. One implementation
 * serves all couriers: build (`quotes.ts`, `labels.ts`), send (`client.ts`), parse.
 */
export function simulatedCarrier(descriptor: CarrierDescriptor, simulatorUrl: string): Carrier {
  const client = carrierClient({
    code: descriptor.code,
    name: descriptor.name,
    url: `${simulatorUrl}/carriers/${descriptor.code}`,
  });
  const timeout_ms = descriptor.purchaseTimeoutSeconds * 1_000;

  return {
    descriptor: { credentials: simulatedCredentials, ...descriptor },
    testConnection: connectionTest(client, { name: descriptor.name, timeout_ms }),
    ...(descriptor.pickups ? { pickups: simulatedPickups(client, timeout_ms) } : {}),
    ...(descriptor.manifests ? { manifests: simulatedManifests(client, timeout_ms) } : {}),

    async quote(request, signal) {
      const { context } = request;
      const origin = request.shipment.from_address.country_code;
      // UPS numbers its services anew in each country: one that does not start here must not be
      // requested.
      const services = request.services.filter(({ origins }) => origins.includes(origin));
      const elsewhere = request.services.filter(({ origins }) => !origins.includes(origin));
      if (services.length === 0) return { rates: [], unavailable: elsewhere.map(notFromHere) };
      const body = toQuoteRequest(request, services);
      const { data } = await client.call(
        { method: "POST", path: "/quotes", body, context, signal, timeout_ms: quoteTimeoutMs },
        { shape: quoteShape },
      );
      const quote = fromQuoteResponse(data, { services, currency: body.currency }, parcelRates);
      return { ...quote, unavailable: [...quote.unavailable, ...elsewhere.map(notFromHere)] };
    },

    ...simulatedLabels(client, descriptor),

    track: simulatedTracking(client, descriptor),
  };
}

function notFromHere(service: CarrierService): UnavailableService {
  return {
    service: service.code,
    reason: "origin_not_supported",
    message: `${service.name} does not start in this country.`,
  };
}
