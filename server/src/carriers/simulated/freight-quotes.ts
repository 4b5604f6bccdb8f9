import { Compile } from "typebox/compile";
import { accessorialsOf, type Freight, type HandlingUnit } from "../../domain/goods/freight.ts";
import { toCentimetres, toGrams } from "../../domain/goods/units.ts";
import type { CarrierService, QuoteRequest, ShipmentForCarrier } from "../carrier.ts";
import {
  WireFreightRate,
  type WireFreightQuoteRequest,
  type WireHandlingUnit,
} from "../simulator/freight/wire.ts";
import { defaultCurrency, toRate, type RateReader } from "./quotes.ts";

/**
 * Freight quotes: the domain request in the simulator's format, and how a rate of its response is read.
 * No I/O.
 */

export function toFreightQuoteRequest(
  { shipment, currency }: QuoteRequest,
  services: readonly CarrierService[],
): WireFreightQuoteRequest {
  return {
    ...toFreightConsignment(shipment),
    currency: currency ?? defaultCurrency,
    service_codes: services.map(({ carrier_service_code }) => carrier_service_code),
  };
}

export function toFreightConsignment(shipment: ShipmentForCarrier) {
  const freight = freightOf(shipment);
  return {
    pickup_date: freight.pickup.date,
    sender: shipment.from_address,
    recipient: shipment.to_address,
    units: freight.handling_units.map(toWireUnit),
    accessorials: accessorialsOf(freight),
  };
}

/** Throws for a shipment of parcels: sending it to a freight carrier is a programming error. */
export function freightOf({ freight }: ShipmentForCarrier): Freight {
  if (!freight) throw new Error("a freight carrier was asked to carry parcels");
  return freight;
}

function toWireUnit(unit: HandlingUnit): WireHandlingUnit {
  const { type, quantity, stackable, freight_class, nmfc_code, description, pieces, hazmat } = unit;
  return {
    type,
    quantity,
    weight_grams: toGrams(unit.weight, unit.weight_unit),
    length_cm: toCentimetres(unit.length, unit.size_unit),
    width_cm: toCentimetres(unit.width, unit.size_unit),
    height_cm: toCentimetres(unit.height, unit.size_unit),
    stackable,
    freight_class,
    nmfc_code,
    description,
    pieces,
    hazmat,
  };
}

const shape = Compile(WireFreightRate);

export const freightRates: RateReader<WireFreightRate> = {
  isReadable: (entry) => shape.Check(entry),
  toRate: (service, rate) => ({
    ...toRate(service, { ...rate, extras: [] }),
    freight: { quote_number: rate.quote_number, accessorials: rate.accessorials },
  }),
};
