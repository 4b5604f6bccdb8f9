import type {
  Carrier,
  CarrierQuote,
  CarrierRate,
  CarrierService,
  QuoteRequest,
} from "../carriers/carrier.ts";
import type { Address } from "../domain/addresses/address.ts";
import { manualClock } from "../domain/time/clock.ts";
import type { Package } from "../domain/goods/parcel.ts";
import { noRates } from "../domain/values/exchange-table.ts";
import { quote } from "./quote.ts";
import type { QuoteInput } from "./quote-input.ts";

/** Test data of quoting: a domestic shipment, and fake carriers. */

const address: Address = {
  name: "Ada Roy",
  company: null,
  address1: "10 Main Street",
  address2: null,
  city: "Toronto",
  province_code: "ON",
  postal_code: "M5V 2T6",
  country_code: "CA",
  phone: null,
  email: null,
  is_residential: true,
  tax_identifier: null,
};

const parcel: Package = {
  id: "pkg_01k6w0000000000000000000aa",
  weight: 2,
  weight_unit: "kg",
  length: null,
  width: null,
  height: null,
  size_unit: null,
  package_contents: null,
  package_type: "parcel",
  reference: null,
  declared_value: 80,
  currency: "CAD",
  tracking_code: null,
};

export function anInput(given: Partial<QuoteInput> = {}): QuoteInput {
  return {
    context: {
      account_id: "acc_01k6w0000000000000000000aa",
      environment: "test",
    },
    shipment: {
      from_address: address,
      to_address: { ...address, province_code: "QC", postal_code: "H2X 1Y4", city: "Montréal" },
      return_address: address,
      is_return: false,
      packages: [parcel],
      items: [],
      contents_type: null,
      incoterm: null,
      reference: null,
      ship_date: "2026-10-05",
    },
    connections: { find: () => null },
    to_po_box: false,
    add_ons: [],
    insured_value: null,
    estimated: false,
    currency: "CAD",
    exchange: { fresh: async () => noRates, margin_percent: 0 },
    rule_terms: null,
    disabled_services: [],
    only_service: null,
    timeout_seconds: 10,
    valid_minutes: 30,
    ...given,
  };
}

export function aService(code: string, given: Partial<CarrierService> = {}): CarrierService {
  return {
    code,
    postage_type_id: 900 + code.length,
    name: `Name of ${code}`,
    carrier_service_code: "X",
    origins: ["CA"],
    destinations: ["CA"],
    reach: "any",
    package_types: ["parcel"],
    max_packages: 10,
    max_weight_grams: 30_000,
    max_length_cm: 200,
    max_length_plus_girth_cm: 300,
    requires_dimensions: false,
    delivers_to_po_box: true,
    max_declared_value_cents: 1_000_000,
    trackable: true,
    pickup_supported: true,
    add_ons: ["protection", "signature"],
    ...given,
  };
}

export function aRate(service: string, given: Partial<CarrierRate> = {}): CarrierRate {
  return {
    service,
    currency: "CAD",
    base_cents: 1000,
    surcharges: [{ code: "fuel", name: "Fuel", amount_cents: 200 }],
    add_ons: [{ code: "signature", cost_cents: 150, required: false }],
    estimated_delivery_days: 2,
    estimated_delivery_date: "2026-10-07",
    billable_weight: { value: 2, unit: "kg", basis: "actual" },
    zone: "3",
    ...given,
  };
}

export type Answering = (request: QuoteRequest, signal: AbortSignal) => Promise<CarrierQuote>;

export const answersAll: Answering = async ({ services }) => ({
  rates: services.map((service) => aRate(service.code)),
  unavailable: [],
});

/** A carrier that only quotes, as the test specifies. */
export function aCarrier(
  code: string,
  answering: Answering = answersAll,
  services: readonly CarrierService[] = [aService(`${code}.slow`), aService(`${code}.express`)],
): Carrier {
  const never = async () => Promise.reject(new Error("A quote makes no other call."));
  return {
    descriptor: {
      code,
      name: `Carrier ${code}`,
      mode: "courier",
      scac: null,
      lookUp: { by: "reference", absence: "proof", after_seconds: 60 },
      voids: { kind: "api", until: "scan" },
      confirms_price: "in_call",
      evidence: "simulated",
      manifest: "none",
      listsLabels: true,
      purchaseTimeoutSeconds: 30,
      trackingUrl: (trackingCode) => trackingCode,
      trackingEvents: {},
      services,
    },
    quote: answering,
    buyLabel: never,
    lookUpLabel: never,
    fetchFiles: never,
    refundState: never,
    listLabels: never,
    voidLabel: never,
    track: never,
  };
}

export const saying =
  (answer: unknown): Answering =>
  async () =>
    answer as CarrierQuote;
export const throwing =
  (error: Error): Answering =>
  async () =>
    Promise.reject(error);
export const hanging: Answering = async () => new Promise(() => {});

/** Everything that a quote needs, with what was passed to the metrics and the log. */
export function theDeps(carriers: readonly Carrier[]) {
  const calls: string[] = [];
  const warnings: unknown[] = [];
  return {
    carriers,
    clock: manualClock(new Date("2026-10-05T12:00:00Z")),
    log: { warn: (details: object, event: string) => void warnings.push({ event, ...details }) },
    onCarrierCall: (carrier: string, operation: string) =>
      void calls.push(`${carrier} ${operation}`),
    calls,
    warnings,
  };
}

/** `service → reason`, with `rate` for the services that have one. */
export async function fates(carriers: readonly Carrier[], given: Partial<QuoteInput> = {}) {
  const { rates, excluded } = await quote(anInput(given), theDeps(carriers));
  return Object.fromEntries([
    ...rates.map(({ service }) => [service, "rate"]),
    ...excluded.map(({ service, reason }) => [service, reason]),
  ]) as Record<string, string>;
}
