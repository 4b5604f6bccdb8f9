import { countryProblem } from "../addresses/address-rules.ts";
import { addProblem, type Problems } from "../errors/errors.ts";
import { toCents } from "../values/money.ts";
import { bareHsCode, customsMessages } from "../shipments/shipment-rules.ts";
import { cleanText, isOneLine } from "../text/text.ts";
import { problemsOf } from "../validation/validation.ts";
import type { ManufacturerAddress } from "./mid-code.ts";
import type { ProductFields } from "./product.ts";

/** Only the fields that were sent: the others stay unchanged. */
interface ReadProduct {
  sku: string | null;
  fields: Partial<ProductFields>;
}

/**
 * Validates an entry by its schema and by the rules that no schema can express, and cleans it: one line
 * for each text but the description, bare digits for the HS code, capitals for the country.
 */
export function readProduct(
  schema: object,
  entry: unknown,
): ({ problems: null } & ReadProduct) | { problems: Problems } {
  const problems = problemsOf(schema, entry);
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return { problems };
  const given = entry as Record<string, unknown>;
  for (const [field, sentence] of rulesOf(given)) {
    if (!problems[field]) addProblem(problems, field, sentence);
  }
  if (Object.keys(problems).length > 0) return { problems };
  return { problems: null, sku: textOf(given["sku"]), fields: fieldsOf(given) };
}

function* rulesOf(given: Record<string, unknown>): Generator<[string, string]> {
  for (const field of ["sku", "title"]) {
    const text = given[field];
    if (typeof text !== "string") continue;
    if (cleanText(text) === null) yield [field, "must not be blank."];
    else if (!isOneLine(text)) yield [field, "must be one line of text."];
  }
  for (const field of ["hs_code", "country_of_origin"] as const) {
    const code = textOf(given[field]);
    const sentence = code === null ? null : customsMessages[field](code);
    if (sentence) yield [field, sentence];
  }
  if (given["weight"] != null && given["weight_unit"] == null)
    yield ["weight_unit", "is required with weight."];
  const image_url = textOf(given["image_url"]);
  if (image_url !== null && !isWebUrl(image_url))
    yield ["image_url", "must be a URL that begins with https:// or http://, without spaces."];
  const wrong = makersCountryProblem(given["manufacturer_address"]);
  if (wrong) yield wrong;
}

/** Clients make a link of it, and one to `javascript:` would run in their pages. */
function isWebUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** The path and the sentence where the address's country is none of ISO 3166-1; null where it is, or is not given. */
export function makersCountryProblem(address: unknown): [string, string] | null {
  const country = readManufacturerAddress(address)?.country_code ?? null;
  const sentence = country === null ? null : countryProblem(country);
  if (sentence === null) return null;
  return typeof address === "string"
    ? ["manufacturer_address", `must end with the code of a country, such as CA, not "${country}".`]
    : ["manufacturer_address.country_code", sentence];
}

const plainTexts = [
  "title",
  "customs_description",
  "manufacturer",
  "currency",
  "image_url",
  "store",
  "external_id",
] as const;

function fieldsOf(given: Record<string, unknown>): Partial<ProductFields> {
  const fields: Record<string, unknown> = {};
  for (const field of plainTexts) {
    if (field in given) fields[field] = textOf(given[field]);
  }
  if ("description" in given) fields["description"] = trimmed(given["description"]);
  if ("hs_code" in given) {
    const code = textOf(given["hs_code"]);
    fields["hs_code"] = code && bareHsCode(code);
  }
  if ("country_of_origin" in given)
    fields["country_of_origin"] = textOf(given["country_of_origin"])?.toUpperCase() ?? null;
  if ("manufacturer_address" in given)
    fields["manufacturer_address"] = readManufacturerAddress(given["manufacturer_address"]);
  if ("value" in given)
    fields["value_cents"] = given["value"] == null ? null : toCents(given["value"] as number);
  if ("weight" in given) {
    fields["weight"] = given["weight"] ?? null;
    fields["weight_unit"] = given["weight"] == null ? null : given["weight_unit"];
  }
  return fields;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? cleanText(value) : null;
}

function trimmed(value: unknown): string | null {
  return typeof value === "string" && cleanText(value) ? value.trim() : null;
}

/** An address as an object, or as one text with commas: `12 King St W, Toronto, ON M5V 3L9, CA`. */
export function readManufacturerAddress(value: unknown): ManufacturerAddress | null {
  if (typeof value === "string") return addressOfText(value);
  if (typeof value !== "object" || value === null) return null;
  const given = value as Record<string, unknown>;
  const upper = (field: string) => textOf(given[field])?.toUpperCase() ?? null;
  const address = {
    address1: textOf(given["address1"]),
    address2: textOf(given["address2"]),
    city: textOf(given["city"]),
    province_code: upper("province_code"),
    postal_code: upper("postal_code"),
    country_code: upper("country_code"),
  };
  return Object.values(address).every((part) => part === null) ? null : address;
}

function addressOfText(text: string): ManufacturerAddress | null {
  const parts = text
    .split(/[,\n]/)
    .map((part) => cleanText(part))
    .filter((part) => part !== null);
  if (parts.length === 0) return null;
  const [address1 = null, city = null, ...rest] = parts;
  const [province_code = null, ...postal] = rest[0]?.match(/^[A-Za-z]{2}\b|\S.*$/g) ?? [];
  const country = rest.at(-1) ?? "";
  return {
    address1,
    address2: null,
    city,
    province_code:
      province_code && /^[A-Za-z]{2}$/.test(province_code) ? province_code.toUpperCase() : null,
    postal_code: postal.length > 0 ? postal.join(" ").toUpperCase() : null,
    country_code: rest.length > 1 && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : null,
  };
}
