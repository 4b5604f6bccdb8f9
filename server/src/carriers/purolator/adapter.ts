import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierDescriptor,
  type CarrierService,
  type ConnectionTest,
  type QuoteRequest,
  type ShipmentForCarrier,
  type UnavailableService,
} from "../carrier.ts";
import type { CarrierAddresses, CarrierLocations } from "../capabilities.ts";
import type { CarrierConnection } from "../connection.ts";
import { connectionOf, type Hosts } from "../protocol/rest-client.ts";
import { accountOf } from "./credentials.ts";
import { errorTable, successOf } from "./errors.ts";
import { purolatorLabels } from "./labels.ts";
import { purolatorManifests } from "./manifest-calls.ts";
import { purolatorPickups } from "./pickup-calls.ts";
import { fromCityCheck, fromLocator, toCityCheck, toLocatorRequest } from "./locations.ts";
import { quotePrices } from "./prices.ts";
import { shipmentOf } from "./shipments.ts";
import { purolatorHosts, soapClient, type SoapClient } from "./soap.ts";
import { fromTracking, toTrackRequest } from "./tracking.ts";

const timeout_ms = 20_000;

/** Purolator over its SOAP services, at the host of each call's environment. */
export function purolatorCarrier(
  descriptor: CarrierDescriptor,
  hosts: Hosts = purolatorHosts,
): Carrier {
  const client = soapClient(hosts);
  return {
    descriptor,
    ...purolatorLabels(client),
    pickups: purolatorPickups(client),
    manifests: purolatorManifests(client),
    addresses: addresses(client),
    locations: locations(client),

    async quote(request, signal) {
      const { askable, unavailable } = sorted(request);
      if (askable.length === 0) return { rates: [], unavailable };
      const quote = await quotePrices(client, { ...request, services: askable }, signal);
      return { ...quote, unavailable: [...quote.unavailable, ...unavailable] };
    },

    listLabels: () => {
      throw new Error("Purolator lists no labels with our references");
    },

    async track({ context, tracking_code }, signal) {
      const request = toTrackRequest([tracking_code]);
      const operation = "TrackPackagesByPin";
      const call = {
        service: "tracking",
        operation,
        request,
        context,
        signal,
        timeout_ms,
      } as const;
      const result = successOf(await client.call(call), `${operation}Response`);
      return fromTracking(result, tracking_code);
    },

    testConnection: (connection, signal) => testConnection(client, connection, signal),
  };
}

function addresses(client: SoapClient): CarrierAddresses {
  return {
    async check({ context, address }, signal) {
      if (address.country_code !== "CA" && address.country_code !== "US") {
        return { state: "not_covered", candidates: [], is_residential: null };
      }
      const operation = "ValidateCityPostalCodeZip";
      const request = toCityCheck(address);
      const call = {
        service: "availability",
        operation,
        request,
        context,
        signal,
        timeout_ms,
      } as const;
      return fromCityCheck(successOf(await client.call(call), `${operation}Response`), address);
    },
  };
}

function locations(client: SoapClient): CarrierLocations {
  return {
    async near({ context, address, limit }, signal) {
      if (address.country_code !== "CA") return [];
      const operation = "GetLocationsByPostalCode";
      const request = toLocatorRequest(address, limit);
      const call = { service: "locator", operation, request, context, signal, timeout_ms } as const;
      return fromLocator(successOf(await client.call(call), "GetLocationsResponse"));
    },
  };
}

/** Asks for a city and its postal code: it shows the credentials, and changes nothing. */
async function testConnection(
  client: SoapClient,
  connection: CarrierConnection,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const ottawa = {
    city: "Ottawa",
    province_code: "ON",
    country_code: "CA",
    postal_code: "K1A 0B1",
  };
  const context = { account_id: "platform", environment: connection.environment, connection };
  const operation = "ValidateCityPostalCodeZip";
  const request = toCityCheck(ottawa);
  try {
    const call = {
      service: "availability",
      operation,
      request,
      context,
      signal,
      timeout_ms,
    } as const;
    successOf(await client.call(call), `${operation}Response`);
    return { ok: true, code: "ok", message: "Purolator accepts the credentials." };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    const isInvalid = error.exclusion === "carrier_credentials_invalid";
    const code = isInvalid ? "credentials_invalid" : error.carrier_code;
    return { ok: false, code, message: error.message };
  }
}

/** The services that may be asked for, and why the others may not. */
function sorted({ services, shipment, estimated, context }: QuoteRequest): {
  askable: CarrierService[];
  unavailable: UnavailableService[];
} {
  const origin = shipment.from_address.country_code;
  const from = services.filter(({ origins }) => origins.includes(origin));
  const elsewhere = services.filter((service) => !from.includes(service)).map(notFromHere);
  const problem = estimated || from.length === 0 ? null : problemOf(shipment, context);
  if (problem === null) return { askable: from, unavailable: elsewhere };
  const incomplete = from.map(({ code }): UnavailableService => ({ service: code, ...problem }));
  return { askable: [], unavailable: [...incomplete, ...elsewhere] };
}

/** What its estimate and its purchase would be refused for. */
function problemOf(
  shipment: ShipmentForCarrier,
  context: CallContext,
): Pick<UnavailableService, "reason" | "message"> | null {
  try {
    const account = accountOf(connectionOf(errorTable, context));
    shipmentOf(shipment, { service: "", add_ons: [], account, references: [] });
    return null;
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { reason: error.exclusion, message: error.message };
  }
}

function notFromHere({ code, name }: CarrierService): UnavailableService {
  const message = `${name} does not start in this country.`;
  return { service: code, reason: "origin_not_supported", message };
}
