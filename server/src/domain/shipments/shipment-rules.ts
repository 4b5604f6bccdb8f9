import type { Address, NewAddress } from "../addresses/address.ts";
import { addressProblems } from "../addresses/address-rules.ts";
import { addProblem, type Problems } from "../errors/errors.ts";
import { NewItem, NewPackage, type Item, type Package } from "../goods/parcel.ts";
import { isCountryCode } from "../postal/countries.ts";
import { cleanText, isStorable } from "../text/text.ts";

/** The rules of a courier shipment as a whole (decisions 5 and 6). */

export const maxPackages = 50;

export interface CourierShipment {
  from_address?: NewAddress | Address | null;
  to_address: NewAddress | Address;
  return_address?: NewAddress | Address | null;
  packages: readonly NewPackage[];
  items?: readonly NewItem[] | null;
}

/**
 * All problems of a courier shipment beyond its structure, by dotted path relative to the shipment.
 * Call it after the products have filled the customs fields of items with an approved sku: fields
 * still missing then are missing for customs. Military mail and territories that are written as
 * states (`US` with `AE` or `PR`) are at home in the United States.
 */
export function shipmentProblems(
  shipment: CourierShipment,
  purpose: "ship" | "quote" = "ship",
): Problems {
  const problems = partyProblems(shipment);
  const packages = rows(shipment.packages);
  if (packages.length === 0 || packages.length > maxPackages) {
    addProblem(problems, "packages", `A shipment has 1 to ${maxPackages} packages.`);
  }
  packages.forEach((row, index) => addAll(problems, `packages.${index}`, packageProblems(row)));
  addCustomsProblems(problems, shipment, purpose);
  return problems;
}

/** The problems of any shipment's addresses, each by itself. */
export function partyProblems(
  shipment: Pick<CourierShipment, "from_address" | "to_address" | "return_address">,
): Problems {
  const problems: Problems = {};
  for (const role of ["from_address", "to_address", "return_address"] as const) {
    const address: unknown = shipment[role];
    // Returns go to the sender unless stated otherwise: the same problem is named once.
    if (role === "return_address" && address === shipment.from_address) continue;
    if (isRecord(address)) addAll(problems, role, addressProblems(address as NewAddress));
  }
  return problems;
}

/**
 * The problems of any shipment's customs lines. A price can be requested before they are known:
 * services that cannot be priced without them are excluded with `customs_incomplete`.
 */
export function addCustomsProblems(
  problems: Problems,
  shipment: Omit<CourierShipment, "packages">,
  purpose: "ship" | "quote",
): void {
  const isCrossBorder = purpose === "ship" && crossesBorder(shipment);
  const items = rows(shipment.items);
  items.forEach((row, index) =>
    addAll(problems, `items.${index}`, itemProblems(row, isCrossBorder)),
  );
  if (isCrossBorder) addCrossBorderProblems(shipment, items, problems);
}

function addCrossBorderProblems(
  shipment: Pick<CourierShipment, "to_address">,
  items: readonly unknown[],
  problems: Problems,
): void {
  if (items.length === 0) {
    addProblem(problems, "items", "items are required when the shipment crosses a border.");
  }
  const { phone } = shipment.to_address as { phone?: unknown };
  if (phone == null || (typeof phone === "string" && cleanText(phone) === null)) {
    const sentence = "phone is required when the shipment crosses a border.";
    addProblem(problems, "to_address.phone", sentence);
  }
}

function crossesBorder(shipment: Pick<CourierShipment, "from_address" | "to_address">): boolean {
  const [from, to] = [shipment.from_address, shipment.to_address].map((address) => {
    const code: unknown = isRecord(address) ? address["country_code"] : null;
    return typeof code === "string" ? code.trim().toUpperCase() : "";
  });
  // An unknown country is reported as such; problems derived from it would be false.
  return isCountryCode(from!) && isCountryCode(to!) && from !== to;
}

const sides = ["length", "width", "height"] as const;

/** Fields by their own names; the caller puts the package's index before them. */
export function packageProblems(row: unknown): Problems {
  const problems: Problems = {};
  if (!isRecord(row)) return problems;
  checkTexts(row, NewPackage, problems);
  const missing = sides.filter((side) => row[side] == null);
  if (missing.length === sides.length) return problems;
  for (const side of missing) {
    addProblem(
      problems,
      side,
      "The sides length, width and height are given all together or not at all.",
    );
  }
  if (row["size_unit"] == null) {
    addProblem(problems, "size_unit", "size_unit is required with length, width and height.");
  }
  return problems;
}

/** Fields by their own names; the caller puts the item's index before them. */
function itemProblems(row: unknown, isCrossBorder: boolean): Problems {
  const problems: Problems = {};
  if (!isRecord(row)) return problems;
  checkTexts(row, NewItem, problems);
  if (typeof row["title"] === "string" && cleanText(row["title"]) === null) {
    addProblem(problems, "title", "title must not be blank.");
  }
  if (row["weight"] != null && row["weight_unit"] == null) {
    addProblem(problems, "weight_unit", "weight_unit is required with weight.");
  }
  checkCustomsField(row, "country_of_origin", isCrossBorder, problems);
  checkCustomsField(row, "hs_code", isCrossBorder, problems);
  return problems;
}

/** The problem of a customs code that is given; null when there is none. */
export const customsMessages = {
  country_of_origin: (code: string) =>
    isCountryCode(code.toUpperCase())
      ? null
      : `country_of_origin "${code}" is not an ISO 3166-1 alpha-2 country code.`,
  hs_code: (code: string) =>
    /^\d{6,10}$/.test(bareHsCode(code)) ? null : `hs_code "${code}" is not 6 to 10 digits.`,
};

function checkCustomsField(
  row: Record<string, unknown>,
  field: keyof typeof customsMessages,
  isCrossBorder: boolean,
  problems: Problems,
): void {
  const value = row[field] ?? "";
  if (typeof value !== "string" || !isStorable(value)) return;
  const code = cleanText(value);
  const missing = isCrossBorder ? missingCode(field) : null;
  const sentence = code ? customsMessages[field](code) : missing;
  if (sentence) addProblem(problems, field, sentence);
}

function missingCode(field: string): string {
  return `${field} is required across a border; send it, or the sku of an approved product that has it.`;
}

/**
 * Whether a shipment's only problems are missing codes of its customs lines. The account's rules may fill
 * them as it is created (decision 16.1); only then is it known whether they are missing.
 */
export function areMissingCodes(problems: Problems): boolean {
  return Object.entries(problems).every(([path, sentences]) => {
    const [list, , field = ""] = path.split(".");
    return list === "items" && sentences.every((each) => each === missingCode(field));
  });
}

function checkTexts(
  row: Record<string, unknown>,
  schema: typeof NewPackage | typeof NewItem,
  problems: Problems,
): void {
  for (const field of Object.keys(schema.properties)) {
    const value = row[field];
    if (typeof value !== "string" || isStorable(value)) continue;
    addProblem(problems, field, `${field} contains a control character or broken text.`);
  }
}

/** Adds the problems found inside of something under its path. */
export function addAll(problems: Problems, path: string, found: Problems): void {
  for (const [field, sentences] of Object.entries(found)) {
    for (const sentence of sentences) addProblem(problems, `${path}.${field}`, sentence);
  }
}

/** The list, or an empty one where something else was sent. */
export function rows(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether there are fields to read at all. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** "8517.62.00" → "85176200": tariffs print the code with dots or spaces. */
export function bareHsCode(code: string): string {
  return code.replace(/[.\s]/g, "");
}

function clean(text: string | null | undefined): string | null {
  return text == null ? null : cleanText(text);
}

/** A package as it is stored. Sides without their unit, or a unit without sides, count as not given. */
export function normalisePackage(input: NewPackage, id: string): Package {
  const isMeasured = sides.every((side) => input[side] != null) && input.size_unit != null;
  return {
    id,
    weight: input.weight,
    weight_unit: input.weight_unit,
    length: isMeasured ? input.length! : null,
    width: isMeasured ? input.width! : null,
    height: isMeasured ? input.height! : null,
    size_unit: isMeasured ? input.size_unit! : null,
    package_contents: clean(input.package_contents),
    package_type: input.package_type ?? "parcel",
    reference: clean(input.reference),
    declared_value: input.declared_value ?? null,
    currency: input.currency ?? null,
    tracking_code: null,
  };
}

/** A customs line as it is stored: codes in upper case, the HS code as bare digits. */
export function normaliseItem(input: NewItem, defaultCurrency: string): Item {
  const hsCode = clean(input.hs_code);
  return {
    sku: clean(input.sku),
    title: clean(input.title) ?? "",
    description: clean(input.description),
    customs_description: clean(input.customs_description),
    quantity: input.quantity,
    value: input.value,
    currency: input.currency ?? defaultCurrency,
    weight: input.weight ?? null,
    weight_unit: input.weight == null ? null : (input.weight_unit ?? null),
    country_of_origin: clean(input.country_of_origin)?.toUpperCase() ?? null,
    hs_code: hsCode && bareHsCode(hsCode),
    manufacturer: clean(input.manufacturer),
  };
}
