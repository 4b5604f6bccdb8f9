import type { Address } from "../../../domain/addresses/address.ts";
import { toGrams } from "../../../domain/goods/units.ts";
import { centsOf } from "../../protocol/amount.ts";
import { all, first, textAt, type XmlElement } from "../../protocol/xml.ts";
import { couriers } from "../../simulator/carriers/carriers.ts";
import { anyPrice } from "../../simulator/dialect.ts";
import { serviceName } from "../../simulator/print-label.ts";
import type { ExtraCode, WireLabelRequest, WirePackage } from "../../simulator/wire.ts";
import { invalid } from "./answers.ts";

/** Purolator's shipments as the simulator's requests. */

const extras: Readonly<Record<string, ExtraCode>> = {
  ChainOfSignature: "signature",
  AdultSignatureRequired: "adult_signature",
  SaturdayDelivery: "saturday_delivery",
  DeclaredValue: "protection",
};

export interface AskedOption {
  id: string;
  value: string;
  extra: ExtraCode;
}

/** Unknown options are refused, as a misspelt one would be. */
export function optionsIn(shipment: XmlElement): AskedOption[] {
  return all(shipment, "PackageInformation/OptionsInformation/Options/OptionIDValuePair").map(
    (pair) => {
      const id = textAt(pair, "ID") ?? "";
      const extra = extras[id];
      if (extra === undefined) throw invalid("Options", `${id} is no option.`);
      return { id, value: textAt(pair, "Value") ?? "", extra };
    },
  );
}

export function fromShipment(shipment: XmlElement, printer: string | null): WireLabelRequest {
  const service_code = textAt(shipment, "PackageInformation/ServiceID") ?? "";
  const references = first(shipment, "TrackingReferenceInformation");
  const options = optionsIn(shipment);
  const { tariff } = couriers.get("purolator")!;
  const sender = addressOf(shipment, "SenderInformation");
  if (!textAt(shipment, "PaymentInformation/RegisteredAccountNumber")) {
    throw invalid("PaymentInformation", "The registered account number is required.");
  }
  return {
    ship_date: textAt(shipment, "ShipmentDate") ?? new Date().toISOString().slice(0, 10),
    sender,
    recipient: addressOf(shipment, "ReceiverInformation"),
    packages: packagesOf(shipment, options),
    reference: (references && textAt(references, "Reference1")) ?? "",
    service_code,
    service_name: serviceName(tariff, service_code, "CA") || service_code,
    extras: options.map(({ extra }) => extra),
    expected_cost: { amount_cents: anyPrice, currency: "CAD" },
    return_to: sender,
    is_return: false,
    ship_code: "",
    customer_reference: references ? textAt(references, "Reference2") : null,
    contents_type: null,
    incoterm: null,
    customs_lines: [],
    label: { format: "pdf", size: printer === "Regular" ? "letter" : "4x6" },
  };
}

function packagesOf(shipment: XmlElement, options: readonly AskedOption[]): WirePackage[] {
  const pieces = all(shipment, "PackageInformation/PiecesInformation/Piece");
  const total = Number(textAt(shipment, "PackageInformation/TotalPieces"));
  if (pieces.length === 0 || pieces.length !== total) {
    throw invalid("TotalPieces", "The pieces are not as many as their total.");
  }
  const declared = options.find(({ extra }) => extra === "protection");
  const cents = declared ? centsOf(declared.value) : null;
  return pieces.map((piece, index) => ({
    weight_grams: gramsOf(piece),
    ...sidesOf(piece),
    package_type: "parcel",
    contents: null,
    declared_value: cents !== null && index === 0 ? { amount_cents: cents, currency: "CAD" } : null,
  }));
}

function gramsOf(piece: XmlElement): number {
  const value = Number(textAt(piece, "Weight/Value"));
  const unit = textAt(piece, "Weight/WeightUnit") === "kg" ? "kg" : "lbs";
  if (!(value > 0)) throw invalid("Weight", "A piece has no weight.");
  return toGrams(value, unit);
}

function sidesOf(piece: XmlElement): Pick<WirePackage, "length_cm" | "width_cm" | "height_cm"> {
  const side = (name: string) => {
    const value = Number(textAt(piece, `${name}/Value`));
    return textAt(piece, `${name}/DimensionUnit`) === "in" ? value * 2.54 : value;
  };
  const sides = { length_cm: side("Length"), width_cm: side("Width"), height_cm: side("Height") };
  const isSized = Object.values(sides).every((cm) => cm > 0);
  return isSized ? sides : { length_cm: null, width_cm: null, height_cm: null };
}

function addressOf(
  shipment: XmlElement,
  who: "SenderInformation" | "ReceiverInformation",
): Address {
  const element = first(shipment, `${who}/Address`);
  if (!element) throw invalid(who, "The address is required.");
  return fromAddress(element);
}

/** With all that the type requires: the element of a street's number, which may be empty, and a phone in three parts. */
export function fromAddress(element: XmlElement): Address {
  const text = (path: string) => textAt(element, path);
  const parts = ["Name", "StreetName", "City", "PhoneNumber/AreaCode", "PhoneNumber/Phone"];
  const missing = first(element, "StreetNumber")
    ? parts.find((path) => text(path) === null)
    : "StreetNumber";
  if (missing !== undefined) throw invalid(missing, "It is required.");
  const country_code = text("Country") ?? "CA";
  const postal = text("PostalCode");
  return {
    name: text("Name"),
    company: text("Company"),
    address1: [text("StreetNumber"), text("StreetName")].filter(Boolean).join(" "),
    address2: text("StreetAddress2"),
    city: text("City") ?? "",
    province_code: text("Province"),
    postal_code:
      country_code === "CA" ? (postal?.replace(/^(\w{3})(\w{3})$/, "$1 $2") ?? null) : postal,
    country_code,
    phone: `${text("PhoneNumber/AreaCode")}${text("PhoneNumber/Phone")}`,
    email: null,
    is_residential: false,
    tax_identifier: null,
  };
}
