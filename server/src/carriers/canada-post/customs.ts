import { toCents } from "../../domain/values/money.ts";
import { toGrams, totalGrams } from "../../domain/goods/units.ts";
import type { Item } from "../../domain/goods/parcel.ts";
import type { CarrierError, ShipmentForCarrier } from "../carrier.ts";
import { decimalOf, thousandthsOf } from "../protocol/amount.ts";
import { refusedByUs } from "../protocol/classify.ts";
import { optional, xml, type XmlOutput } from "../protocol/xml.ts";
import { errorTable } from "./errors.ts";

/** The customs declaration of a parcel that crosses a border: null at home. */
export function customs(shipment: ShipmentForCarrier): XmlOutput | null {
  const { from_address, to_address, items, contents_type } = shipment;
  if (from_address.country_code === to_address.country_code) return null;
  const problem = customsProblem(shipment);
  if (problem) throw customsIncomplete(problem);
  const reason = reasons[contents_type ?? ""] ?? "OTH";
  const share = usualGrams(shipment);
  return xml("customs", [
    xml("currency", items[0]!.currency),
    xml("reason-for-export", reason),
    reason === "OTH" ? xml("other-reason", "Other") : null,
    xml(
      "sku-list",
      items.map((item) => itemOf(item, gramsOf(item) ?? share)),
    ),
  ]);
}

function gramsOf({ weight, weight_unit }: Item): number | null {
  return weight === null || weight_unit === null ? null : toGrams(weight, weight_unit);
}

/**
 * Of each unit without a weight of its own, which Canada Post requires: its share of what the parcels weigh without the
 * others, at least a gram, as other shipping platforms state it.
 */
function usualGrams({ items, packages }: ShipmentForCarrier): number {
  const known = items.reduce((sum, item) => sum + (gramsOf(item) ?? 0) * item.quantity, 0);
  const unknown = items.filter((item) => gramsOf(item) === null);
  const units = unknown.reduce((sum, { quantity }) => sum + quantity, 0);
  return Math.max(1, Math.floor((totalGrams(packages) - known) / units));
}

/** SOG is a sale of goods, DOC a document, SAM a sample. */
const reasons: Readonly<Record<string, string>> = {
  merchandise: "SOG",
  gift: "GIF",
  documents: "DOC",
  sample: "SAM",
};

const maxItems = 500;

/** Why Canada Post would not take the declaration; null where it would. */
function customsProblem({ items, from_address, to_address }: ShipmentForCarrier): string | null {
  if (from_address.country_code === to_address.country_code) return null;
  if (items.length === 0) return "Canada Post requires the customs lines.";
  if (items.length > maxItems) return `Canada Post takes ${maxItems} customs lines.`;
  if (new Set(items.map(({ currency }) => currency)).size > 1) {
    return "Canada Post takes the values of all customs lines in one currency.";
  }
  return null;
}

function customsIncomplete(message: string): CarrierError {
  return refusedByUs(errorTable, {
    carrier_code: "customs_incomplete",
    message,
    exclusion: "customs_incomplete",
    field: "items",
  });
}

function itemOf(item: Item, unitGrams: number): XmlOutput {
  const { sku, title, customs_description, quantity, value } = item;
  const description = customs_description ?? title;
  return xml("item", [
    xml("customs-number-of-units", Math.min(quantity, 9_999)),
    xml("customs-description", description.slice(0, 45)),
    optional("sku", sku?.slice(0, 15)),
    optional("hs-tariff-code", tariffCode(item.hs_code)),
    xml("unit-weight", thousandthsOf(unitGrams)),
    // No value is below a cent.
    xml("customs-value-per-unit", decimalOf(Math.max(1, toCents(value)))),
    optional("country-of-origin", item.country_of_origin),
  ]);
}

/** `1234.56.78.90`, in pairs after the first four; an odd digit at the end is left out. */
function tariffCode(code: string | null): string | null {
  const digits = (code ?? "").replaceAll(/\D/g, "");
  if (digits.length < 4) return null;
  return [digits.slice(0, 4), ...(digits.slice(4, 10).match(/\d{2}/g) ?? [])].join(".");
}
