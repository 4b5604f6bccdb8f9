import type {
  AddOnCode,
  CallContext,
  Carrier,
  CarrierDescriptor,
  CarrierService,
  CarrierVoid,
  LabelRef,
  QuoteRequest,
  UnavailableService,
} from "../carrier.ts";
import { CarrierError } from "../carrier.ts";
import { codeIn, listIn } from "../protocol/json.ts";
import { connectionOf, type Hosts } from "../protocol/rest-client.ts";
import { accountOf } from "./credentials.ts";
import { upsClient, upsHosts, type UpsClient } from "./client.ts";
import { errorTable, unreadable } from "./errors.ts";
import { filesOf } from "./files.ts";
import {
  fromRecoveryResponse,
  fromShipmentResponse,
  fromVoidResponse,
  recoveryPath,
  shipPath,
  toRecoveryRequest,
  toShipmentRequest,
  voidPath,
  type NativeFile,
} from "./labels.ts";
import { upsAddresses } from "./addresses.ts";
import { upsLocations } from "./locations.ts";
import { upsPickups } from "./pickup-calls.ts";
import { fromRateResponse, ratePath, toQuote, toRateRequest, type PricedAddOn } from "./rates.ts";
import {
  fromReference,
  fromTracking,
  isVoidedIn,
  referencePath,
  saysUnknown,
  trackingPath,
} from "./tracking.ts";

/** UPS over its REST API: build, send, parse. */
export function upsCarrier(descriptor: CarrierDescriptor, hosts: Hosts = upsHosts): Carrier {
  const client = upsClient(hosts);
  const timeout_ms = descriptor.purchaseTimeoutSeconds * 1_000;
  return {
    descriptor,
    quote: (request, signal) => quote(client, request, signal),
    ...labels(client, timeout_ms),
    async listLabels() {
      return Promise.reject(new Error("UPS lists no labels"));
    },
    async track({ context, tracking_code }, signal) {
      const path = trackingPath(tracking_code);
      const answer = await client.call({ context, method: "GET", path, signal, timeout_ms });
      if (saysUnknown(answer)) return null;
      return fromTracking(answer, tracking_code, descriptor.trackingEvents);
    },
    pickups: upsPickups(client, timeout_ms),
    addresses: upsAddresses(client, timeout_ms),
    locations: upsLocations(client, timeout_ms),
  };
}

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
  const extras = request.estimated ? [] : addOnsOf(services, request);
  const [rated, ...add_ons] = await Promise.all([
    rate([]),
    ...extras.map((code) => pricedAddOn(code, rate)),
  ]);
  const quoted = toQuote(shipment, services, { rated, add_ons });
  return { ...quoted, unavailable: [...quoted.unavailable, ...elsewhere.map(notFromHere)] };
}

/** The extras that one of the services has, and that UPS can price for this shipment. */
function addOnsOf(services: readonly CarrierService[], { shipment }: QuoteRequest): AddOnCode[] {
  const offered = services.flatMap((service) => ("add_ons" in service ? service.add_ons : []));
  const hasValue = shipment.packages.every(
    ({ declared_value, currency }) => declared_value !== null && currency !== null,
  );
  return [...new Set(offered)].filter((code) => code !== "protection" || hasValue);
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

type LabelMethods = Pick<
  Carrier,
  "buyLabel" | "lookUpLabel" | "fetchFiles" | "refundState" | "voidLabel"
>;

function labels(client: UpsClient, timeout_ms: number): LabelMethods {
  return {
    async buyLabel(request, signal) {
      const { context, label_format: format, label_size: size } = request;
      const account = accountOf(connectionOf(errorTable, context));
      const body = toShipmentRequest(request, account);
      const answer = await client.call({
        ...{ context, method: "POST", path: shipPath, body, signal, timeout_ms },
      });
      const { shipment_id, package_tracking_codes, cost, files } = fromShipmentResponse(answer);
      const pieces = package_tracking_codes.length;
      const printed = await filesOf(files, { format, size, pieces });
      return {
        carrier_label_id: shipment_id,
        tracking_code: package_tracking_codes[0]!,
        package_tracking_codes,
        cost,
        // What is missing, or cannot be read, can be recovered.
        files: printed.some(({ type }) => type === "label") ? printed : "pending",
        carrier_data: { packages: package_tracking_codes },
      };
    },

    async lookUpLabel({ context, reference, sent_at }, signal) {
      const { number: account_number } = accountOf(connectionOf(errorTable, context));
      const path = referencePath(reference, { account_number, sent_at });
      const answer = await client.call({ context, method: "GET", path, signal, timeout_ms });
      const seen = fromReference(answer, reference);
      if (!seen) return null;
      const { package_tracking_codes, state } = seen;
      const tracking_code = package_tracking_codes[0]!;
      return {
        carrier_label_id: tracking_code,
        tracking_code,
        package_tracking_codes,
        state,
        cost: null,
        files: "fetch",
        carrier_data: { packages: package_tracking_codes, first_is_unknown: true },
      };
    },

    async fetchFiles({ context, tracking_code, carrier_data }, format, signal) {
      const codes = packagesIn(carrier_data, tracking_code);
      const native: NativeFile[] = [];
      for (const [index, code] of codes.entries()) {
        const body = toRecoveryRequest(code, format);
        const call = {
          context,
          method: "POST",
          path: recoveryPath,
          body,
          signal,
          timeout_ms,
        } as const;
        native.push(...fromRecoveryResponse(await client.call(call), index));
      }
      const files = await filesOf(native, { format, size: "4x6", pieces: codes.length });
      if (!files.some(({ type }) => type === "label")) throw unreadable();
      return files;
    },

    async refundState({ context, tracking_code }, signal) {
      const path = trackingPath(tracking_code);
      const answer = await client.call({ context, method: "GET", path, signal, timeout_ms });
      return isVoidedIn(answer) ? "approved" : "none";
    },

    voidLabel: (label, signal) => voidLabel(client, label, { signal, timeout_ms }),
  };
}

/**
 * Voids a shipment by its number, which is its first package's. Tracking does not say which one that is: then each
 * is tried until UPS takes one, for it refuses the others.
 */
async function voidLabel(
  client: UpsClient,
  { context, carrier_label_id, tracking_code, carrier_data }: LabelRef,
  limits: Limits,
): Promise<CarrierVoid> {
  const others = carrier_data?.first_is_unknown
    ? packagesIn(carrier_data, tracking_code).filter((code) => code !== carrier_label_id)
    : [];
  let refusal: CarrierError | null = null;
  for (const id of [carrier_label_id, ...others]) {
    refusal = await refusalOfVoid(client, { context, path: voidPath(id) }, limits);
    if (refusal === null) return { refund: "approved" };
  }
  // UPS has several codes for what was voided before, and they are not listed: tracking says it.
  const isVoid = await client
    .call({ context, method: "GET", path: trackingPath(tracking_code), ...limits })
    .then(isVoidedIn)
    .catch(() => false);
  if (!isVoid) throw refusal!;
  return { refund: "approved" };
}

interface Limits {
  signal: AbortSignal;
  timeout_ms: number;
}

/** Null where UPS voided it. Throws where it is not known whether it did. */
async function refusalOfVoid(
  client: UpsClient,
  call: { context: CallContext; path: string },
  limits: Limits,
): Promise<CarrierError | null> {
  const answer = await client.call({ ...call, method: "DELETE", ...limits });
  try {
    fromVoidResponse(answer);
    return null;
  } catch (error) {
    if (error instanceof CarrierError && error.kind === "refused") return error;
    throw error;
  }
}

function packagesIn(carrier_data: unknown, tracking_code: string): string[] {
  const codes = listIn(carrier_data, "packages").flatMap((code) => codeIn(code) ?? []);
  return codes.length > 0 ? codes : [tracking_code];
}
