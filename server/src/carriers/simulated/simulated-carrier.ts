import { Compile } from "typebox/compile";
import type { Carrier, CarrierDescriptor, CarrierService, UnavailableService } from "../carrier.ts";
import {
  WireLabelResponse,
  WireLabelsResponse,
  WireListResponse,
  WireQuoteResponse,
  WireVoidResponse,
} from "../simulator/wire.ts";
import { carrierClient } from "./client.ts";
import {
  fromLabelResponse,
  fromListResponse,
  fromLookupResponse,
  fromVoidResponse,
  toLabelRequest,
} from "./labels.ts";
import { simulatedPickups } from "./pickups.ts";
import { fromQuoteResponse, parcelRates, quoteTimeoutMs, toQuoteRequest } from "./quotes.ts";
import { simulatedTracking } from "./tracking.ts";

const quoteShape = Compile(WireQuoteResponse);
const labelShape = Compile(WireLabelResponse);
const labelsShape = Compile(WireLabelsResponse);
const listShape = Compile(WireListResponse);
const voidShape = Compile(WireVoidResponse);

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
    descriptor,
    ...(descriptor.pickups ? { pickups: simulatedPickups(client, timeout_ms) } : {}),

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

    async buyLabel(request, signal) {
      const { context } = request;
      const body = toLabelRequest(request);
      const { data } = await client.call(
        { method: "POST", path: "/labels", body, context, signal, timeout_ms },
        { shape: labelShape, fits: ({ data }) => data.reference === body.reference },
      );
      return fromLabelResponse(data);
    },

    async findLabel(reference, context, signal) {
      const path = `/labels?reference=${encodeURIComponent(reference)}`;
      const { data } = await client.call(
        { method: "GET", path, context, signal, timeout_ms },
        {
          shape: labelsShape,
          fits: (answer) => answer.data.every((label) => label.reference === reference),
        },
      );
      return data[0] ? fromLookupResponse(data[0]) : null;
    },

    async listLabels({ environment, since, cursor }, signal) {
      const query = new URLSearchParams({ since: since.toISOString(), cursor: cursor ?? "0" });
      const path = `/labels/changes?${query.toString()}`;
      // No account's in particular: the contract with the carrier is the platform's.
      const context = { environment, account_id: "platform" };
      const { data, next_cursor } = await client.call(
        { method: "GET", path, context, signal, timeout_ms },
        { shape: listShape },
      );
      return {
        labels: data.flatMap(fromListResponse),
        next_cursor: next_cursor === null ? null : String(next_cursor),
      };
    },

    async voidLabel({ context, reference, carrier_label_id, tracking_code }, signal) {
      const path = `/labels/${encodeURIComponent(carrier_label_id)}/void`;
      const body = { reference, tracking_code };
      const { data } = await client.call(
        { method: "POST", path, body, context, signal, timeout_ms },
        { shape: voidShape },
      );
      return fromVoidResponse(data);
    },

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
