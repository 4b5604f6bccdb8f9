import { toCents } from "../../domain/values/money.ts";
import { fromGrams, toCentimetres, toGrams, totalGrams } from "../../domain/goods/units.ts";
import type { Item, Package } from "../../domain/goods/parcel.ts";
import type { AddOnCode, ShipmentForCarrier } from "../carrier.ts";
import { decimalOf } from "../protocol/amount.ts";
import { refusedByUs } from "../protocol/classify.ts";
import { coveredCents } from "../protocol/covered-value.ts";
import { xml, type XmlOutput } from "../protocol/xml.ts";
import { errorTable } from "./errors.ts";

/** What is shipped: pieces, options, and the goods that cross a border. */

export function packageInformation(
  { packages, packages: [first] }: ShipmentForCarrier,
  asked: { service: string; add_ons: readonly AddOnCode[] },
): XmlOutput {
  const chosen = options(packages, asked.add_ons);
  const total = totalGrams(packages);
  return xml("PackageInformation", [
    xml("ServiceID", asked.service),
    xml("Description", first?.package_contents?.slice(0, 25) || "Parcel"),
    // Of the total only whole pounds are taken: started ones count.
    xml("TotalWeight", [xml("Value", Math.ceil(fromGrams(total, "lbs"))), xml("WeightUnit", "lb")]),
    xml("TotalPieces", packages.length),
    xml("PiecesInformation", packages.map(piece)),
    chosen.length === 0 ? null : xml("OptionsInformation", [xml("Options", chosen)]),
  ]);
}

function piece(parcel: Package): XmlOutput {
  const { weight, weight_unit, length, width, height, size_unit } = parcel;
  const pounds = Math.max(0.01, fromGrams(toGrams(weight, weight_unit), "lbs"));
  const side = (name: string, value: number | null) =>
    value === null || size_unit === null
      ? null
      : xml(name, [xml("Value", toCentimetres(value, size_unit)), xml("DimensionUnit", "cm")]);
  return xml("Piece", [
    xml("Weight", [xml("Value", pounds), xml("WeightUnit", "lb")]),
    side("Length", length),
    side("Width", width),
    side("Height", height),
  ]);
}

/**
 * `ChainOfSignature` and `DeclaredValue` are in the samples of the documents; the other two are what other
 * projects send.
 */
function options(packages: readonly Package[], addOns: readonly AddOnCode[]): XmlOutput[] {
  const covered = packages.reduce((sum, parcel) => sum + coveredCents(parcel), 0);
  return addOns.flatMap((code) => {
    if (code === "signature") return [option("ChainOfSignature", "true")];
    if (code === "adult_signature") return [option("AdultSignatureRequired", "true")];
    if (code === "saturday_delivery") return [option("SaturdayDelivery", "true")];
    return [option("DeclaredValue", decimalOf(covered))];
  });
}

function option(id: string, value: string): XmlOutput {
  return xml("OptionIDValuePair", [xml("ID", id), xml("Value", value)]);
}

/** The goods of a shipment that crosses a border; null at home. Throws a refusal where they are not complete. */
export function international(shipment: ShipmentForCarrier): XmlOutput | null {
  const { from_address, to_address, items, contents_type, incoterm } = shipment;
  if (from_address.country_code === to_address.country_code) return null;
  const currency = currencyOf(items);
  return xml("InternationalInformation", [
    xml("DocumentsOnlyIndicator", contents_type === "documents"),
    xml("ContentDetails", items.map(content)),
    xml("DutyInformation", [
      xml("BillDutiesToParty", incoterm === "DDP" ? "Sender" : "Receiver"),
      xml("BusinessRelationship", "NotRelated"),
      xml("Currency", currency),
    ]),
    xml("ImportExportType", contents_type === "returned_goods" ? "Return" : "Permanent"),
    xml("CustomsInvoiceDocumentIndicator", contents_type !== "documents"),
  ]);
}

/** Purolator declares in one currency, and in two only. */
function currencyOf(items: readonly Item[]): string {
  const [currency, ...others] = new Set(items.map((item) => item.currency));
  if (others.length === 0 && (currency === "CAD" || currency === "USD")) return currency;
  throw refusedByUs(errorTable, {
    carrier_code: "customs_incomplete",
    message:
      currency === undefined
        ? "Purolator requires the customs lines."
        : "Purolator takes the values of all customs lines in CAD or all in USD.",
    exclusion: "customs_incomplete",
    field: "items",
  });
}

function content(item: Item): XmlOutput {
  return xml("ContentDetail", [
    xml("Description", (item.customs_description ?? item.title).slice(0, 25)),
    xml("HarmonizedCode", item.hs_code ?? ""),
    xml("CountryOfManufacture", item.country_of_origin ?? ""),
    xml("ProductCode", (item.sku ?? "").slice(0, 25)),
    xml("UnitValue", decimalOf(toCents(item.value))),
    xml("Quantity", item.quantity),
  ]);
}
