import type { Package } from "../../domain/goods/parcel.ts";
import { decimalOf } from "../protocol/amount.ts";
import type { AddOnCode, ShipmentForCarrier } from "../carrier.ts";
import { coveredCents } from "../protocol/covered-value.ts";
import { compact } from "../protocol/json.ts";

/** Extras in UPS's form: of each package, or of the whole shipment. No I/O. */

/**
 * UPS confirms deliveries by the package within one country, and else by the shipment, under other numbers
 * (its documents). The United States and Puerto Rico are one country there.
 */
function isByPackage({ from_address, to_address }: ShipmentForCarrier): boolean {
  const country = (code: string) => (code === "PR" ? "US" : code);
  return country(from_address.country_code) === country(to_address.country_code);
}

export function packageOptions(
  shipment: ShipmentForCarrier,
  parcel: Package,
  add_ons: readonly AddOnCode[],
) {
  const confirmed = isByPackage(shipment)
    ? confirmation(add_ons, { plain: "2", adult: "3" })
    : null;
  return orNothing({
    DeliveryConfirmation: confirmed,
    DeclaredValue: add_ons.includes("protection") ? declaredValue(shipment, parcel) : null,
  });
}

export function shipmentOptions(shipment: ShipmentForCarrier, add_ons: readonly AddOnCode[]) {
  const confirmed = isByPackage(shipment)
    ? null
    : confirmation(add_ons, { plain: "1", adult: "2" });
  return orNothing({
    DeliveryConfirmation: confirmed,
    SaturdayDeliveryIndicator: add_ons.includes("saturday_delivery") ? "Y" : null,
  });
}

function confirmation(add_ons: readonly AddOnCode[], codes: { plain: string; adult: string }) {
  if (add_ons.includes("adult_signature")) return { DCISType: codes.adult };
  return add_ons.includes("signature") ? { DCISType: codes.plain } : null;
}

/** Without a declared value, in the currency of the country that it is sent from. */
function declaredValue({ from_address }: ShipmentForCarrier, parcel: Package) {
  const own = from_address.country_code === "CA" ? "CAD" : "USD";
  return {
    CurrencyCode: (parcel.declared_value ? parcel.currency : null) ?? own,
    MonetaryValue: decimalOf(coveredCents(parcel)),
  };
}

/** UPS refuses empty containers. */
function orNothing<T extends object>(fields: T) {
  const given = compact(fields);
  return Object.keys(given).length > 0 ? given : null;
}
