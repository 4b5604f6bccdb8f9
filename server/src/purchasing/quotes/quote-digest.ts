import type { Address } from "../../domain/addresses/address.ts";
import type { FreightDelivery } from "../../domain/goods/freight.ts";
import { digestOf, type QuotableShipment } from "./quote-shipment.ts";

/**
 * Identifies shipments with the same price: a digest of all that a carrier's price depends on. Names, phones
 * and references are left out, and so are add-ons, which have their prices within the rate.
 */
export function quoteDigest(shipment: QuotableShipment): string {
  const { pickup, delivery } = shipment;
  return digestOf({
    type: shipment.type,
    from: placeOf(shipment.from_address),
    to: placeOf(shipment.to_address),
    returns_to: placeOf(shipment.return_address),
    is_return: shipment.is_return,
    packages: shipment.packages.map(
      ({ id: _id, tracking_code: _code, reference: _reference, ...parcel }) => parcel,
    ),
    handling_units: shipment.handling_units,
    pickup: pickup && { ...stopOf(pickup), date: pickup.date },
    delivery: delivery && stopOf(delivery),
    items: shipment.items,
    contents_type: shipment.contents_type,
    incoterm: shipment.incoterm,
    insured_value_cents: shipment.insured_value_cents,
  });
}

function placeOf(address: Address) {
  const { address1, address2, city, province_code, postal_code, country_code } = address;
  const { is_residential } = address;
  return { address1, address2, city, province_code, postal_code, country_code, is_residential };
}

function stopOf(stop: FreightDelivery) {
  const { ready_time, close_time, location_type, appointment_required, accessorials } = stop;
  return { ready_time, close_time, location_type, appointment_required, accessorials };
}
