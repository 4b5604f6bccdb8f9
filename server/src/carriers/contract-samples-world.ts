import { randomUUID } from "node:crypto";
import type { Address } from "../domain/addresses/address.ts";
import type { Freight } from "../domain/goods/freight.ts";
import { addDays } from "../domain/time/business-days.ts";
import { newId } from "../domain/values/ids.ts";
import type { Carrier, CarrierRate, LabelRequest, QuoteRequest, SentLabel } from "./carrier.ts";

/** Sample data of the contract and of the simulator's tests: addresses, parcels, freight, and requests with them. */

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

const person = {
  name: "Ada Byron",
  company: null,
  address2: null,
  phone: "+14165550100",
  email: null,
  is_residential: true,
  tax_identifier: null,
};

export const toronto: Address = {
  ...person,
  address1: "290 Bremner Blvd",
  city: "Toronto",
  province_code: "ON",
  postal_code: "M5V 3L9",
  country_code: "CA",
};

export const vancouver: Address = {
  ...person,
  address1: "845 Avison Way",
  city: "Vancouver",
  province_code: "BC",
  postal_code: "V6G 3E2",
  country_code: "CA",
};

export const seattle: Address = {
  ...person,
  address1: "400 Broad St",
  city: "Seattle",
  province_code: "WA",
  postal_code: "98109",
  country_code: "US",
};

export const newYork: Address = {
  ...person,
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

/** The look-up of a purchase that was sent just now. */
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

/** A rate's cost without its add-ons. */
export function costOf({ base_cents, surcharges }: CarrierRate): number {
  return surcharges.reduce((sum, { amount_cents }) => sum + amount_cents, base_cents);
}
