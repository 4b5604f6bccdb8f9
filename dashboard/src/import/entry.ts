import type { ShipmentEntry } from "@waybill/sdk";
import { neededFields, type ImportField, type Mapping, type Units } from "./mapping.ts";

/** What is wrong with a row, by field; "row" is about none of them. */
export type RowProblems = Partial<Record<ImportField | "row", string>>;

const countries: Record<string, string> = {
  canada: "CA",
  "united states": "US",
  "united states of america": "US",
  usa: "US",
  "états-unis": "US",
  france: "FR",
  mexico: "MX",
  mexique: "MX",
};

const numbers: readonly ImportField[] = ["weight", "length", "width", "height", "item_quantity"];

/** The field's text in a row; empty where no column has it. */
export function cellOf(row: readonly string[], mapping: Mapping, field: ImportField): string {
  const column = mapping.indexOf(field);
  return column === -1 ? "" : (row[column] ?? "").trim();
}

/** What can be seen without the server: what is missing, and what is no number. */
export function localProblems(
  row: readonly string[],
  mapping: Mapping,
  words: { needs: string; number: string },
): RowProblems {
  const problems: RowProblems = {};
  for (const field of neededFields)
    if (cellOf(row, mapping, field) === "") problems[field] = words.needs;
  for (const field of numbers) {
    const text = cellOf(row, mapping, field);
    if (text !== "" && !(toNumber(text) > 0)) problems[field] = words.number;
  }
  return problems;
}

/** A row as the API takes it; what is empty is left out. */
export function toEntry(row: readonly string[], mapping: Mapping, units: Units): ShipmentEntry {
  const text = (field: ImportField) => cellOf(row, mapping, field) || undefined;
  const number = (field: ImportField) => {
    const cell = text(field);
    return cell === undefined ? undefined : toNumber(cell);
  };
  const [length, width, height] = [number("length"), number("width"), number("height")];
  const country = text("country_code") ?? "CA";
  const title = text("item_title");
  const entry = {
    to_address: {
      name: text("name"),
      company: text("company"),
      address1: text("address1") ?? "",
      address2: text("address2"),
      city: text("city") ?? "",
      province_code: text("province_code"),
      postal_code: text("postal_code"),
      country_code: countries[country.toLowerCase()] ?? country.toUpperCase(),
      phone: text("phone"),
      email: text("email"),
    },
    packages: [
      {
        weight: number("weight") ?? 0,
        weight_unit: units.weight,
        ...(length && width && height ? { length, width, height, size_unit: units.size } : {}),
        ...(title ? { package_contents: title.slice(0, 50) } : {}),
      },
    ],
    ...(title
      ? {
          items: [
            {
              title,
              quantity: number("item_quantity") ?? 1,
              value: number("item_value") ?? 0,
              sku: text("item_sku"),
              hs_code: text("item_hs_code"),
              country_of_origin: text("item_country_of_origin"),
            },
          ],
        }
      : {}),
    reference: text("reference"),
    service: text("service"),
  };
  // JSON leaves out what is undefined.
  return JSON.parse(JSON.stringify(entry)) as ShipmentEntry;
}

/** The API's sentences at the fields of the file; of a path that no column has, at the row. */
export function problemsOfDetails(
  details: Record<string, unknown>,
  mapping: Mapping,
  message: string,
): RowProblems {
  const problems: RowProblems = {};
  for (const [path, sentences] of Object.entries(details)) {
    if (!Array.isArray(sentences)) continue;
    const field = fieldOf(path);
    const sentence = String(sentences[0]);
    if (field && mapping.includes(field)) problems[field] = sentence;
    else problems.row = [problems.row, `${path} ${sentence}`].filter(Boolean).join(" ");
  }
  return Object.keys(problems).length > 0 ? problems : { row: message };
}

/** "1 250,5" and "1,250.5" alike; NaN for anything else. */
function toNumber(text: string): number {
  const plain = text.replace(/[\s$]/g, "");
  const isFrench = /^\d+,\d{1,2}$|^\d+,\d+$/.test(plain) && !/^\d{1,3},\d{3}$/.test(plain);
  return Number(isFrench ? plain.replace(",", ".") : plain.replaceAll(",", ""));
}

function fieldOf(path: string): ImportField | null {
  const plain = path.replace(/^\d+\./, "");
  if (plain.startsWith("to_address.")) return plain.slice(11) as ImportField;
  if (plain.startsWith("packages.0.")) return plain.slice(11) as ImportField;
  if (plain.startsWith("items.0.")) return `item_${plain.slice(8)}` as ImportField;
  return plain === "service" || plain === "reference" ? plain : null;
}
