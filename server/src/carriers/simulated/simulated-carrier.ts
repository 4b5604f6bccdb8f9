import { Compile } from "typebox/compile";
import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierDescriptor,
  type CarrierService,
  type UnavailableService,
} from "../carrier.ts";
import {
  WireLabelResponse,
  WireLabelsResponse,
  WireListResponse,
  WireQuoteResponse,
  WireVoidResponse,
  type WireLabel,
} from "../simulator/wire.ts";
import { carrierClient } from "./client.ts";
import {
  fromFile,
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

  async function find(
    { reference, context }: { reference: string; context: CallContext },
    signal: AbortSignal,
  ): Promise<WireLabel | null> {
    const path = `/labels?reference=${encodeURIComponent(reference)}`;
    const { data } = await client.call(
      { method: "GET", path, context, signal, timeout_ms },
      {
        shape: labelsShape,
        fits: (answer) => answer.data.every((label) => label.reference === reference),
      },
    );
    return data[0] ?? null;
  }

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

    async lookUpLabel(sent, signal) {
      const label = await find(sent, signal);
      return label && fromLookupResponse(label);
    },

    async fetchFiles(label, format, signal) {
      const found = await find(label, signal);
      const files = found && fromFile(found.label);
      if (files?.every((file) => file.format === format)) return files;
      throw noFile(descriptor, format);
    },

    refundState: async (label, signal) => (await find(label, signal))?.refund ?? "none",

    async listLabels({ environment, since, cursor }, signal) {
      const query = new URLSearchParams({ since: since.toISOString(), cursor: cursor ?? "0" });
      const path = `/labels/changes?${query.toString()}`;
      // No account's in particular: the contract with the carrier is the platform's.
      const context = { environment, account_id: "platform", connection: null };
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

function noFile({ code, name }: CarrierDescriptor, format: string): CarrierError {
  return new CarrierError({
    kind: "refused",
    carrier: code,
    carrier_code: "no_file",
    message: `${name} has no ${format} file of this label.`,
  });
}

function notFromHere(service: CarrierService): UnavailableService {
  return {
    service: service.code,
    reason: "origin_not_supported",
    message: `${service.name} does not start in this country.`,
  };
}
