import { toGrams } from "../../domain/goods/units.ts";
import { fromCents, toCents } from "../../domain/values/money.ts";
import type { Item } from "../../domain/goods/parcel.ts";
import type { ShipmentForCarrier } from "../carrier.ts";
import { compact } from "../protocol/json.ts";
import { refusedByUs } from "../protocol/classify.ts";
import { errorTable } from "./errors.ts";
import { plain } from "./parties.ts";

/** Customs in USPS's form, which is part of the label. No I/O. */

const contents: Readonly<Record<string, string>> = {
  merchandise: "MERCHANDISE",
  documents: "DOCUMENT",
  gift: "GIFT",
  sample: "COMMERCIAL_SAMPLE",
  returned_goods: "RETURNED_GOODS",
};

export function toCustomsForm(shipment: ShipmentForCarrier): object {
  const { contents_type, reference, items, packages } = shipment;
  const kind = contents[contents_type ?? ""] ?? "OTHER";
  return compact({
    customsContentType: kind,
    AESITN: exemptionOf(shipment),
    contentComments:
      kind === "OTHER" ? (plain(contents_type ?? "Goods") || "Goods").slice(0, 25) : null,
    invoiceNumber: reference ? plain(reference).slice(0, 15) || null : null,
    contents: items.map((item) => contentOf(item, packages, items.length)),
  });
}

/** Above it, the export has to be declared before, and the declaration's number be given. */
const declaredFromCents = 250_000;

/**
 * Why the export is not declared: goods to Canada are not, and no goods of little value (15 CFR 30.36 and 30.37(a)).
 * Throws a refusal of our own where it has to be: Waybill knows no number of a declaration.
 */
function exemptionOf({ items, to_address }: ShipmentForCarrier): string {
  if (to_address.country_code === "CA") return "NOEEI 30.36";
  const cents = items.reduce((sum, { value, quantity }) => sum + toCents(value) * quantity, 0);
  if (cents <= declaredFromCents) return "NOEEI 30.37(a)";
  throw refusedByUs(errorTable, {
    carrier_code: "export_declaration_required",
    message: "USPS asks for the number of an export declaration for goods of more than $2,500.",
    exclusion: "customs_incomplete",
  });
}

function contentOf(item: Item, packages: ShipmentForCarrier["packages"], lines: number): object {
  const { quantity, value, hs_code, country_of_origin } = item;
  const grams =
    item.weight !== null && item.weight_unit !== null
      ? toGrams(item.weight, item.weight_unit) * quantity
      : // Of a line without a weight: its part of the parcel's.
        toGrams(packages[0]!.weight, packages[0]!.weight_unit) / lines;
  return compact({
    itemDescription: plain(item.customs_description ?? item.title).slice(0, 30),
    itemQuantity: quantity,
    itemValue: fromCents(toCents(value)),
    itemTotalValue: fromCents(toCents(value) * quantity),
    weightUOM: "lb",
    itemWeight: pounds(grams / quantity),
    itemTotalWeight: pounds(grams),
    HSTariffNumber: hs_code?.slice(0, 14) ?? null,
    countryofOrigin: country_of_origin,
  });
}

/** To four decimals, and never nothing. */
function pounds(grams: number): number {
  return Math.max(0.0001, Math.round((grams / 453.59237) * 10_000) / 10_000);
}
