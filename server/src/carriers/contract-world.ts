import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { mkdtemp } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { Clock } from "../domain/time/clock.ts";
import type { Address } from "../domain/addresses/address.ts";
import { addDays } from "../domain/time/business-days.ts";
import type { Freight } from "../domain/goods/freight.ts";
import { newId } from "../domain/values/ids.ts";
import {
  CarrierError,
  type CallContext,
  type Carrier,
  type CarrierLabel,
  type CarrierRate,
  type LabelPage,
  type LabelRequest,
  type ListedLabel,
  type ListRequest,
  type QuoteRequest,
  type SentLabel,
  type Sighting,
} from "./carrier.ts";
import type { CarrierPickup, FoundPickup } from "./pickups.ts";
import type { Dialect } from "./simulator/dialect.ts";
import type { DrawLabel } from "./simulator/print-label.ts";
import { startSimulator, type Simulator } from "./simulator/simulator.ts";

/** Test data of the contract and of the simulator's tests: addresses, parcels, and a simulated carrier. */

export const context = {
  account_id: "acc_contract",
  environment: "test",
  connection: null,
} as const;

/** Of a manifest; no carrier gets them. */
export const manifestReferences = {
  account_id: context.account_id,
  manifest_id: "man_1",
  part: 0,
  shipment_ids: ["shp_1"],
  idempotency_key: null,
};

const nobody = {
  name: "Ada Byron",
  company: null,
  address2: null,
  phone: "+14165550100",
  email: null,
  is_residential: true,
  tax_identifier: null,
};

export const toronto: Address = {
  ...nobody,
  address1: "290 Bremner Blvd",
  city: "Toronto",
  province_code: "ON",
  postal_code: "M5V 3L9",
  country_code: "CA",
};

export const vancouver: Address = {
  ...nobody,
  address1: "845 Avison Way",
  city: "Vancouver",
  province_code: "BC",
  postal_code: "V6G 3E2",
  country_code: "CA",
};

export const seattle: Address = {
  ...nobody,
  address1: "400 Broad St",
  city: "Seattle",
  province_code: "WA",
  postal_code: "98109",
  country_code: "US",
};

export const newYork: Address = {
  ...nobody,
  address1: "20 W 34th St",
  city: "New York",
  province_code: "NY",
  postal_code: "10001",
  country_code: "US",
};

/** A shipment of one two-kilogram parcel. */
export function aShipment(from: Address, to: Address): QuoteRequest["shipment"] {
  return {
    from_address: from,
    to_address: to,
    return_address: from,
    is_return: false,
    packages: [
      {
        id: "pkg_1",
        weight: 2,
        weight_unit: "kg",
        length: 30,
        width: 20,
        height: 10,
        size_unit: "cm",
        package_contents: "Books",
        package_type: "parcel",
        reference: null,
        declared_value: 80,
        currency: "CAD",
        tracking_code: null,
      },
    ],
    items: [],
    contents_type: "merchandise",
    incoterm: "DDU",
    reference: "PO 1001",
    ship_date: "2026-10-05",
  };
}

const stop = {
  ready_time: "09:00",
  close_time: "17:00",
  location_type: "business_with_dock",
  contact: { name: "Ada Byron", phone: "+14165550100", email: null },
  instructions: null,
  appointment_required: false,
  accessorials: [],
  implied_accessorials: [],
} as const;

/** One pallet of 500 lb, class 100, from dock to dock, to be picked up in a month. */
export function someFreight(): Freight {
  const today = new Date().toISOString().slice(0, 10);
  return {
    handling_units: [
      {
        type: "pallet",
        quantity: 1,
        length: 48,
        width: 40,
        height: 48,
        size_unit: "in",
        weight: 500,
        weight_unit: "lbs",
        stackable: true,
        freight_class: "100",
        freight_class_source: "given",
        nmfc_code: null,
        description: "Machine parts",
        pieces: null,
        hazmat: false,
      },
    ],
    pickup: { ...stop, date: addDays(today, 30), accessorials: [], implied_accessorials: [] },
    delivery: { ...stop, accessorials: ["liftgate_delivery"], implied_accessorials: [] },
  };
}

/** A request for all of a carrier's services at home; `steering` goes into the destination's second line. */
export function aQuote({ descriptor }: Carrier, steering: string | null = null): QuoteRequest {
  const isCanadian = descriptor.services.some(({ origins }) => origins.includes("CA"));
  const [from, to] = isCanadian ? [toronto, vancouver] : [newYork, seattle];
  const parcels = aShipment(from, { ...to, address2: steering });
  const shipment =
    descriptor.mode === "ltl" ? { ...parcels, packages: [], freight: someFreight() } : parcels;
  return { context, shipment, services: descriptor.services, currency: "CAD", estimated: false };
}

/** The purchase of a quoted rate under a reference of its own. */
export function aPurchase(carrier: Carrier, quote: QuoteRequest, rate: CarrierRate): LabelRequest {
  return {
    context,
    reference: newId("att"),
    references: {
      account_id: context.account_id,
      shipment_id: `shp_${randomUUID()}`,
      shipment_digest: "digest",
      idempotency_key: 'a "key" ~',
    },
    shipment: quote.shipment,
    ship_code: "AB12CD",
    service: carrier.descriptor.services.find(({ code }) => code === rate.service)!,
    add_ons: [],
    label_format: "pdf",
    label_size: "4x6",
    expected_cost: { amount_cents: costOf(rate), currency: rate.currency },
    quote_number: rate.freight?.quote_number,
  };
}

/**
 * What differs between a carrier's own wire format and the simulator's. By default a carrier speaks the latter,
 * which knows everything that Waybill knows.
 */
export interface CarrierWays {
  context: CallContext;
  /** Its place at the simulator's address. */
  path: string;
  /** The simulator speaks its form there. */
  dialects: readonly Dialect[];
  /** That it bills in; null where it bills in any that is asked for. */
  currency: string | null;
  /** Whether it has its own codes for what the simulator refuses. */
  own_codes: boolean;
  /** Whether a reference that was used is taken again: to buy once more, or to be answered with the same label. */
  sells_twice: boolean;
  /** Whether its lookup, and what it says of a refund, show that a label was voided. */
  shows_voids: boolean;
  /** Whether the cancellation of a pickup is answered by a status alone. */
  cancels_silently: boolean;
  /** Whether a purchase begins with a question: where that fails, nothing was bought. */
  asks_before_buying: boolean;
  /** Whether a manifest begins with a question: where that fails, nothing was handed over. */
  asks_before_handing_over: boolean;
  /** A label as its lookup shows it. */
  seen(label: CarrierLabel): Sighting;
  /** A pickup as its lookup shows it, while it is to come; a cancelled one is not there. */
  seenPickup: ((pickup: CarrierPickup) => FoundPickup) | null;
  /** Whether a file that is had again is the one of the purchase, byte for byte. */
  same_file_again: boolean;
  /** Answers the calls that come before the one that a test is about: for a token. False for all else. */
  beforehand(request: IncomingMessage, response: ServerResponse): boolean;
  /** A refusal in its form. */
  refusal: string;
}

export const simulatorsWays: CarrierWays = {
  context,
  path: "",
  dialects: [],
  currency: null,
  own_codes: false,
  sells_twice: false,
  shows_voids: true,
  cancels_silently: false,
  asks_before_buying: false,
  asks_before_handing_over: false,
  seen: asSeen,
  seenPickup: null,
  same_file_again: true,
  beforehand: () => false,
  refusal: '{"error":{"code":"no","message":"No."}}',
};

/** The carrier, with every call under this context. */
export function inContext<T extends object>(carrier: T, own: CallContext): T {
  return new Proxy(carrier, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "descriptor") return value;
      if (typeof value === "object" && value !== null) return inContext(value, own);
      if (typeof value !== "function") return value;
      return (request: object, ...rest: unknown[]) =>
        (value as (...given: unknown[]) => unknown)(
          "context" in request ? { ...request, context: own } : request,
          ...rest,
        );
    },
  });
}

/** The lookup of a purchase that was sent just now. */
export function sentLabel({ reference, shipment, service }: LabelRequest): SentLabel {
  const { to_address, packages, freight, ship_date } = shipment;
  return {
    context,
    reference,
    sent_at: new Date(),
    look_up: {
      ship_date,
      destination: { country: to_address.country_code, postal_code: to_address.postal_code },
      pieces: freight?.handling_units.length ?? packages.length,
      carrier_service_code: service.carrier_service_code,
    },
  };
}

/** The same label, as a lookup shows it. */
export function asSeen({ files, ...label }: CarrierLabel): Sighting {
  return { ...label, files: files === "pending" ? "fetch" : files, state: "live" };
}

/** A rate's cost without its add-ons. */
export function costOf({ base_cents, surcharges }: CarrierRate): number {
  return surcharges.reduce((sum, { amount_cents }) => sum + amount_cents, base_cents);
}

const noAbort = new AbortController().signal;

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<CarrierError> {
  const failure: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof CarrierError) return failure;
  throw new Error("the call did not fail with a CarrierError", { cause: failure });
}

/** All pages of a list, and how many there were. */
export async function listAll(carrier: Carrier, request: Omit<ListRequest, "cursor">) {
  const labels: ListedLabel[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: LabelPage = await carrier.listLabels({ ...request, cursor }, noAbort);
    labels.push(...page.labels);
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== null);
  return { labels, pages };
}

/** A simulator on a free port with an empty journal. */
export async function aSimulator(
  clock?: Clock,
  dialects: readonly Dialect[] = [],
  draw?: DrawLabel,
): Promise<Simulator & { journal_path: string }> {
  const journal_path = join(await mkdtemp(join(tmpdir(), "simulator-")), "journal.jsonl");
  const simulator = await startSimulator({
    host: "127.0.0.1",
    port: 0,
    journal_path,
    clock,
    dialects,
    draw,
  });
  return { ...simulator, journal_path };
}

export interface BrokenParty {
  url: string;
  /** How many connections are open to it now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A server in a carrier's place whose responses are broken as the test says. */
export async function aBrokenParty(listener: RequestListener): Promise<BrokenParty> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Respond = (response: ServerResponse) => void;

/** Responses that no carrier should give and that every carrier has given. */
export const garbage: [string, Respond][] = [
  ["an empty response", (response) => response.end()],
  ["an endless response", (response) => response.end(" ".repeat(17 * 1024 * 1024))],
  ["a web page", (response) => response.end("<html>It works!</html>")],
  ["a web page with status 404", (response) => response.writeHead(404).end("<h1>Not found</h1>")],
  ["a number that is none", (response) => response.end('{"data": NaN}')],
  ["null", (response) => response.end("null")],
  ["an array", (response) => response.end("[]")],
  ["fields of the wrong type", (response) => response.end('{"data": {"rates": "none"}}')],
  [
    "a prototype instead of data",
    (response) => response.end('{"__proto__": {"data": {"rates": [], "unavailable": []}}}'),
  ],
  [
    "a body that breaks off",
    (response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"data": {"rates": [');
      response.destroy();
    },
  ],
  ["a reset", (response) => response.destroy()],
  ["status 500", (response) => response.writeHead(500).end('{"error": "oops"}')],
  ["a redirect", (response) => response.writeHead(302, { location: "/" }).end()],
];
