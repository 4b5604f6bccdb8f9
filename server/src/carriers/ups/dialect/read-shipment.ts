import type { Address } from "../../../domain/addresses/address.ts";
import { toCentimetres, toGrams } from "../../../domain/goods/units.ts";
import type { PackageType } from "../../../domain/goods/parcel.ts";
import { toCents } from "../../../domain/values/money.ts";
import { anyPrice } from "../../simulator/dialect.ts";
import type { InvoiceContent } from "../../simulator/print-invoice.ts";
import type { ExtraCode, WireLabelRequest, WirePackage } from "../../simulator/wire.ts";
import { packagingCodes } from "../parties.ts";
import { UpsRefusal } from "./refusals.ts";
import type { Party, WireForms, WireParcel, WirePurchase, WireShipment } from "./wire.ts";

/** UPS's form of a shipment as the simulator's. No I/O. */

export function readAddress({ Name, AttentionName, Phone, EMailAddress, Address }: Party): Address {
  const { AddressLine, City, StateProvinceCode, PostalCode, CountryCode } = Address;
  const steeringAt = AddressLine.findIndex((line) => line.startsWith("sim:"));
  const first = AddressLine[0]!;
  // A long line goes on in the next one; steering has no spaces that could be lost there.
  const second =
    steeringAt > 0 ? AddressLine.slice(steeringAt).join("") : AddressLine.slice(1).join(" ");
  return {
    name: AttentionName ?? Name,
    company: Name === AttentionName ? null : Name,
    address1: steeringAt > 1 ? AddressLine.slice(0, steeringAt).join(" ") : first,
    address2: second || null,
    city: City,
    province_code: StateProvinceCode ?? null,
    postal_code: PostalCode ?? null,
    country_code: CountryCode,
    phone: Phone?.Number ?? null,
    email: EMailAddress ?? null,
    is_residential: Address.ResidentialAddressIndicator !== undefined,
    tax_identifier: null,
  };
}

export function readPackage(parcel: WireParcel): WirePackage {
  const { Dimensions, PackageWeight, PackageServiceOptions } = parcel;
  const { Code: weightUnit } = PackageWeight.UnitOfMeasurement;
  const side = (name: "Length" | "Width" | "Height") =>
    Dimensions
      ? toCentimetres(
          Number(Dimensions[name]),
          Dimensions.UnitOfMeasurement.Code === "IN" ? "in" : "cm",
        )
      : null;
  const value = PackageServiceOptions?.DeclaredValue;
  return {
    weight_grams: toGrams(Number(PackageWeight.Weight), weightUnit === "LBS" ? "lbs" : "kg"),
    length_cm: side("Length"),
    width_cm: side("Width"),
    height_cm: side("Height"),
    package_type: packageTypeOf(
      "Packaging" in parcel ? parcel.Packaging.Code : parcel.PackagingType.Code,
    ),
    contents: null,
    declared_value: value
      ? { amount_cents: toCents(Number(value.MonetaryValue)), currency: value.CurrencyCode }
      : null,
  };
}

function packageTypeOf(code: string): PackageType {
  const found = Object.entries(packagingCodes).find(([, each]) => each === code);
  if (!found) throw new UpsRefusal(400, "121300", `Invalid package type ${code}.`);
  return found[0] as PackageType;
}

/** The extras that were asked for, at the level at which UPS takes them. */
export function readExtras({ ShipmentServiceOptions, Package }: WireShipment): ExtraCode[] {
  const byPackage = Package[0]!.PackageServiceOptions;
  const packageType = byPackage?.DeliveryConfirmation?.DCISType;
  const shipmentType = ShipmentServiceOptions?.DeliveryConfirmation?.DCISType;
  const extras: ExtraCode[] = [];
  if (byPackage?.DeclaredValue) extras.push("protection");
  if (packageType === "2" || shipmentType === "1") extras.push("signature");
  if (packageType === "3" || shipmentType === "2") extras.push("adult_signature");
  if (ShipmentServiceOptions?.SaturdayDeliveryIndicator !== undefined)
    extras.push("saturday_delivery");
  return extras;
}

/** UPS bills in the currency of the shipper's country. */
export function currencyOf({ Shipper }: WireShipment): string {
  return Shipper.Address.CountryCode === "CA" ? "CAD" : "USD";
}

export function readDay(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`;
}

/** Who sends and who receives, and what: of a rate and of a purchase. */
export function readConsignment(shipment: WireShipment, shipDay: string) {
  return {
    ship_date: readDay(shipDay),
    sender: readAddress(shipment.ShipFrom),
    recipient: readAddress(shipment.ShipTo),
    packages: shipment.Package.map(readPackage),
    currency: currencyOf(shipment),
  };
}

/** Ours, and the customer's where there is one. Throws UPS's refusal where they are at the wrong level (120541). */
export function readReferences({ Shipment }: WirePurchase): {
  reference: string;
  customer_reference: string | null;
} {
  const [from, to] = [Shipment.ShipFrom, Shipment.ShipTo].map((party) => party.Address.CountryCode);
  const byPackage = from === to && (from === "US" || from === "PR");
  const ofShipment = Shipment.ReferenceNumber ?? [];
  const ofPackages = Shipment.Package.flatMap((parcel) => parcel.ReferenceNumber ?? []);
  const [right, wrong] = byPackage ? [ofPackages, ofShipment] : [ofShipment, ofPackages];
  if (wrong.length > 0) {
    throw new UpsRefusal(400, "120541", "Reference numbers are not allowed at this level.");
  }
  if (!right[0]) throw new UpsRefusal(400, "120540", "A reference number is missing.");
  return { reference: right[0].Value, customer_reference: right[1]?.Value ?? null };
}

export function readPurchase(
  purchase: WirePurchase,
  references: ReturnType<typeof readReferences>,
): WireLabelRequest {
  const { Shipment } = purchase;
  const { currency, ...consignment } = readConsignment(Shipment, Shipment.ShipmentDate);
  const code = Shipment.Service.Code;
  return {
    ...consignment,
    ...references,
    service_code: code,
    service_name: code,
    extras: readExtras(Shipment),
    // UPS does not know what was expected.
    expected_cost: { amount_cents: anyPrice, currency },
    return_to: readAddress(Shipment.Shipper),
    is_return: Shipment.ReturnService !== undefined,
    ship_code: "",
    contents_type: null,
    incoterm: null,
    customs_lines: [],
    // The cheapest to draw: the files of the answer are drawn one by one.
    label: { format: "zpl", size: "4x6" },
  };
}

/** The invoice that UPS draws from the forms of a shipment abroad. */
export function readInvoice(
  { ShipFrom, ShipTo }: WireShipment,
  forms: WireForms,
  trackingCode: string,
): InvoiceContent {
  return {
    tracking_code: trackingCode,
    number: forms.InvoiceNumber ?? null,
    day: readDay(forms.InvoiceDate),
    reason: forms.ReasonForExport ?? "SALE",
    terms: forms.TermsOfShipment,
    currency: forms.CurrencyCode,
    from: readAddress(ShipFrom),
    to: readAddress(ShipTo),
    lines: forms.Product.map(({ Description, Unit, CommodityCode, OriginCountryCode }) => ({
      goods: Description.join(""),
      quantity: Number(Unit.Number),
      value_cents: toCents(Number(Unit.Value)),
      hs_code: CommodityCode ?? null,
      origin: OriginCountryCode ?? null,
    })),
  };
}
