import { newYork, seattle, toronto, vancouver } from "../../contract-samples-world.ts";
import type { Address } from "../../../domain/addresses/address.ts";
import { freightCost, priceFreight, type FreightConsignment } from "./rating/price-freight.ts";
import { freightCarrierOf } from "../carriers/carriers.ts";
import type { WireHandlingUnit } from "./wire.ts";

/** Test data of freight: places, pallets, and their prices. */

const at = (city: string, province_code: string, postal_code: string): Address => ({
  ...toronto,
  city,
  province_code,
  postal_code,
});

export const places = {
  toronto,
  vancouver,
  newYork,
  seattle,
  montreal: at("Montreal", "QC", "H2Y 1C6"),
  winnipeg: at("Winnipeg", "MB", "R3C 0V8"),
  halifax: at("Halifax", "NS", "B3J 1S9"),
  yellowknife: at("Yellowknife", "NT", "X1A 1A1"),
  iqaluit: at("Iqaluit", "NU", "X0A 0H0"),
  miami: { ...newYork, city: "Miami", province_code: "FL", postal_code: "33101" },
};

export function gramsOf(pounds: number): number {
  return Math.round(pounds * 453.59237);
}

/** A pallet of 500 lb, 40 × 48 in and four feet high, of class 100. */
export const pallet: WireHandlingUnit = {
  type: "pallet",
  quantity: 1,
  weight_grams: gramsOf(500),
  length_cm: 121.92,
  width_cm: 101.6,
  height_cm: 121.92,
  stackable: true,
  freight_class: "100",
  nmfc_code: null,
  description: "Machine parts",
  pieces: null,
  hazmat: false,
};

/** One pallet from Toronto to Montreal, dock to dock. */
export const consignment: FreightConsignment = {
  pickup_date: "2026-10-05",
  sender: places.toronto,
  recipient: places.montreal,
  units: [pallet],
  accessorials: [],
  currency: "CAD",
};

/** Each carrier's service without a guaranteed day. */
export const standardServices = [
  ["tforce_freight", "308"],
  ["day_ross", "GL"],
  ["manitoulin", "LTL"],
] as const;

export function priced(
  carrier: string,
  code: string,
  change: Partial<FreightConsignment> = {},
): ReturnType<typeof priceFreight> {
  return priceFreight(freightCarrierOf(carrier).tariff, code, { ...consignment, ...change });
}

/** Throws where there is no rate. */
export function freightRate(...asked: Parameters<typeof priced>) {
  const answer = priced(...asked);
  if ("rate" in answer) return answer.rate;
  throw new Error(answer.unavailable.message);
}

export function totalCents(...asked: Parameters<typeof priced>): number {
  return freightCost(freightRate(...asked));
}
