import type { Carrier, CarrierDescriptor, QuoteRequest, UnavailableService } from "../carrier.ts";
import { CarrierError } from "../carrier.ts";
import { connectionTest } from "../protocol/connection-test.ts";
import { makeLabelHere, type MakeLabel } from "../protocol/label-files.ts";
import { connectionOf, type Hosts } from "../protocol/rest-client.ts";
import { accountOf } from "./credentials.ts";
import { uspsClient, uspsHosts, type UspsClient } from "./client.ts";
import { errorTable } from "./errors.ts";
import { uspsLabels } from "./label-calls.ts";
import { uspsManifests } from "./manifest-calls.ts";
import { uspsPickups } from "./pickup-calls.ts";
import { addressPath, fromAddressResponse, fromPostOffices, postOfficesPath } from "./locations.ts";
import { fromOptionsResponse, optionsPath, toOptionsRequest, toQuote } from "./rates.ts";
import type { AddOnCode } from "../carrier.ts";
import { fromTracking, trackingPath } from "./tracking.ts";

/** USPS over its REST API: build, send, parse. */
export function uspsCarrier(
  descriptor: CarrierDescriptor,
  hosts: Hosts = uspsHosts,
  make: MakeLabel = makeLabelHere,
): Carrier {
  const client = uspsClient(hosts);
  const timeout_ms = descriptor.purchaseTimeoutSeconds * 1_000;
  const addresses = addressesOf(client, timeout_ms);
  return {
    descriptor,
    quote: (request, signal) => quote(client, request, signal),
    ...uspsLabels(client, timeout_ms, make),
    async listLabels() {
      return Promise.reject(new Error("USPS lists no labels"));
    },
    async track({ context, tracking_code }, signal) {
      const path = trackingPath(tracking_code);
      const answer = await client.call({ context, method: "GET", path, signal, timeout_ms });
      return fromTracking(answer, descriptor.trackingEvents);
    },
    testConnection: connectionTest(descriptor.name, async (context, signal) => {
      // The payment's authorization needs all of the credentials; the address needs a token only.
      const path = addressPath(headquarters);
      await client
        .paidCall({ context, method: "GET", path, signal, timeout_ms })
        .then(fromAddressResponse);
    }),
    pickups: uspsPickups(client, timeout_ms),
    addresses,
    locations: {
      async near({ context, address, limit }, signal) {
        const path = postOfficesPath(address, limit);
        return fromPostOffices(
          await client.call({ context, method: "GET", path, signal, timeout_ms }),
        );
      },
    },
    manifests: uspsManifests(client, timeout_ms),
  };
}

const headquarters = {
  name: null,
  company: null,
  address1: "475 Lenfant Plz SW",
  address2: null,
  city: "Washington",
  province_code: "DC",
  postal_code: "20260",
  country_code: "US",
  phone: null,
  email: null,
  is_residential: false,
  tax_identifier: null,
};

function addressesOf(client: UspsClient, timeout_ms: number): NonNullable<Carrier["addresses"]> {
  return {
    async check({ context, address }, signal) {
      if (address.country_code !== "US") {
        return { state: "not_covered", candidates: [], is_residential: null };
      }
      const path = addressPath(address);
      return fromAddressResponse(
        await client.call({ context, method: "GET", path, signal, timeout_ms }),
      );
    },
  };
}

/** For the response to begin: the caller's signal ends a quote earlier. */
const quoteTimeoutMs = 60_000;

/**
 * Two searches, since USPS counts them: one for the plain prices, and one with all extras for theirs. Where that one is
 * refused, the extras are not offered.
 */
async function quote(client: UspsClient, request: QuoteRequest, signal: AbortSignal) {
  const { context, shipment, services, estimated } = request;
  const account = accountOf(connectionOf(errorTable, context));
  const search = async (add_ons: readonly AddOnCode[]) => {
    const body = toOptionsRequest(shipment, { account, add_ons });
    const call = { context, method: "POST", path: optionsPath, body, signal } as const;
    const steering = shipment.to_address.address2;
    return fromOptionsResponse(
      await client.call({ ...call, steering, timeout_ms: quoteTimeoutMs }),
    );
  };
  const here = shipment.from_address.country_code === "US";
  if (!here) return { rates: [], unavailable: services.map(({ code }) => notFromHere(code)) };
  const [plain, extras] = await Promise.all([
    search([]),
    estimated ? [] : search(allExtras).catch(noneIfRefused),
  ]);
  return toQuote(shipment, services, { account, plain, extras });
}

const allExtras: readonly AddOnCode[] = ["signature", "adult_signature", "protection"];

function noneIfRefused(error: unknown): [] {
  if (error instanceof CarrierError) return [];
  throw error;
}

function notFromHere(service: string): UnavailableService {
  const message = "USPS takes parcels in the United States only.";
  return { service, reason: "origin_not_supported", message };
}
