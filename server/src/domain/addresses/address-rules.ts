import type { Address, NewAddress } from "./address.ts";
import { addProblem, type Problems } from "../errors/errors.ts";
import { countryName, isCountryCode, postalSystemOf } from "../postal/countries.ts";
import { normalisePostalCode, postalCodeForm } from "../postal/postal-codes.ts";
import { hasProvinces, isProvinceCode, provinceCodeFor } from "../postal/provinces.ts";
import { provincesOf } from "../postal/regions.ts";
import { cleanText, isOneLine } from "../text/text.ts";

/** What an address may contain (decision 5). Types and lengths are the schemas' in `address.ts`. */

/**
 * An address as stored: texts cleaned, codes in upper case, Canadian postal codes as `A1A 1A1`, ZIP
 * codes as `12345` or `12345-6789`, the other countries' in their own form, blank texts null. What
 * cannot be normalised stays unchanged: `addressProblems` reports it.
 */
export function normaliseAddress(input: NewAddress | Address): Address {
  const country = upperCase(input.country_code) ?? "";
  const postalCode = upperCase(input.postal_code);
  return {
    name: clean(input.name),
    company: clean(input.company),
    address1: clean(input.address1) ?? "",
    address2: clean(input.address2),
    city: clean(input.city) ?? "",
    province_code: upperCase(input.province_code),
    postal_code: postalCode && (normalisePostalCode(country, postalCode) ?? postalCode),
    country_code: country,
    phone: clean(input.phone),
    email: clean(input.email),
    is_residential: input.is_residential ?? true,
    tax_identifier: input.tax_identifier
      ? {
          tax_type: input.tax_identifier.tax_type,
          number: clean(input.tax_identifier.number) ?? "",
          issuing_authority: clean(input.tax_identifier.issuing_authority),
        }
      : null,
  };
}

function clean(text: string | null | undefined): string | null {
  return text == null ? null : cleanText(text);
}

function upperCase(text: string | null | undefined): string | null {
  return text == null ? null : cleanText(text.toUpperCase());
}

/** The fields of an address that are plain texts. */
export const textFields = [
  "name",
  "company",
  "address1",
  "address2",
  "city",
  "province_code",
  "postal_code",
  "country_code",
  "phone",
  "email",
] as const;
type TextField = (typeof textFields)[number];

/** The text fields, cleaned: null where absent or blank, undefined where it is no text, or broken. */
type Texts = Record<TextField, string | null | undefined>;

/**
 * Everything that is wrong with an address beyond its structure, by field relative to the address.
 * Fields of a wrong type are left to the schema, and so are required fields that are missing.
 */
export function addressProblems(input: NewAddress | Address): Problems {
  const problems: Problems = {};
  const texts = readTexts(input);
  checkCharacters(input, problems);
  if (texts.name === null && texts.company === null) {
    addProblem(problems, "name", "name is required when there is no company.");
  }
  for (const field of ["address1", "city", "country_code"] as const) {
    if (texts[field] === null && typeof input[field] === "string") {
      addProblem(problems, field, `${field} must not be blank.`);
    }
  }
  checkPlace(texts, problems);
  return { ...problems, ...reachProblems(texts) };
}

/** Why a contact cannot be reached as given; `phone` and `email` cleaned, `country_code` in upper case. */
export function reachProblems({
  phone,
  email,
  country_code,
}: Partial<Pick<Texts, "phone" | "email" | "country_code">>): Problems {
  const problems: Problems = {};
  if (email && !/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email)) {
    addProblem(problems, "email", `email "${email}" is not an email address.`);
  }
  if (phone && !isPlausiblePhone(phone, country_code ?? "")) {
    addProblem(problems, "phone", `phone "${phone}" is not a phone number.`);
  }
  return problems;
}

function readTexts(input: NewAddress | Address): Texts {
  const texts: Partial<Texts> = {};
  for (const field of textFields) texts[field] = readText(input[field] ?? null);
  if (texts.country_code) texts.country_code = texts.country_code.toUpperCase();
  return texts as Texts;
}

function readText(value: unknown): string | null | undefined {
  if (value === null) return null;
  return typeof value === "string" && isOneLine(value) ? cleanText(value) : undefined;
}

function checkCharacters(input: NewAddress | Address, problems: Problems): void {
  const check = (path: string, value: unknown) => {
    if (typeof value !== "string" || isOneLine(value)) return;
    addProblem(problems, path, "contains a line break, a control character or broken text.");
  };
  for (const field of textFields) check(field, input[field]);
  const identifier: unknown = input.tax_identifier;
  if (typeof identifier !== "object" || identifier === null) return;
  const { number, issuing_authority } = identifier as Record<string, unknown>;
  check("tax_identifier.number", number);
  check("tax_identifier.issuing_authority", issuing_authority);
  if (typeof number === "string" && cleanText(number) === null) {
    addProblem(problems, "tax_identifier.number", "must not be blank.");
  }
}

/** Country, province and postal code, each by itself and then together. */
function checkPlace(texts: Texts, problems: Problems): void {
  const { country_code: country, province_code: province, postal_code: postalCode } = texts;
  if (!country) return;
  const ofCountry = countryProblem(country);
  const ofProvince = province === undefined ? null : provinceProblem(country, province);
  const ofPostalCode = postalCode === undefined ? null : postalCodeProblem(country, postalCode);
  if (ofCountry) addProblem(problems, "country_code", ofCountry);
  if (ofProvince) addProblem(problems, "province_code", ofProvince);
  if (ofPostalCode) addProblem(problems, "postal_code", ofPostalCode);
  if (ofProvince || ofPostalCode || !province || !postalCode) return;
  const mismatch = mismatchProblem(country, province.toUpperCase(), postalCode);
  if (mismatch) addProblem(problems, "postal_code", mismatch);
}

/** Why a country code, in upper case, is invalid; null when it is valid. */
export function countryProblem(country: string): string | null {
  if (isCountryCode(country)) return null;
  const hint = country === "UK" ? " The United Kingdom's is GB." : "";
  return `country_code "${country}" is not an ISO 3166-1 alpha-2 country code.${hint}`;
}

/** Why a province code is invalid in the country, whatever its case; null when it is valid. */
export function provinceProblem(country: string, province: string | null): string | null {
  if (!hasProvinces(country)) return null;
  if (!province) return `province_code is required in ${placeName(country)}.`;
  if (isProvinceCode(country, province.toUpperCase())) return null;
  const kind = country === "CA" ? "province" : "state";
  const meant = provinceCodeFor(country, province);
  const hint = meant ? `; use ${meant}` : "";
  return `province_code "${province}" is not the two-letter code of a ${kind} of ${placeName(country)}${hint}.`;
}

/** Why a postal code is invalid in the country; null when it is valid. */
export function postalCodeProblem(country: string, postalCode: string | null): string | null {
  if (!postalCode) {
    const isRequired = postalSystemOf(country).usage === "required";
    return isRequired ? `postal_code is required in ${placeName(country)}.` : null;
  }
  if (normalisePostalCode(country, postalCode) !== null) return null;
  const form = postalCodeForm(country);
  const letters = country === "CA" ? ", without the letters D, F, I, O, Q and U" : "";
  return `postal_code "${postalCode}" is not a postal code of ${placeName(country)}; those are written ${form}${letters}.`;
}

/** Why a valid postal code and a valid province code do not go together; null when they do. */
export function mismatchProblem(
  country: string,
  province: string,
  postalCode: string,
): string | null {
  const possible = provincesOf(country, postalCode);
  if (possible === null || possible.includes(province)) return null;
  const code = normalisePostalCode(country, postalCode);
  return possible.length > 0
    ? `postal_code ${code} is in ${possible.join(" or ")}, not in ${province}.`
    : `postal_code ${code} is in no state, so not in ${province}.`;
}

/** The country's name as used in a message: "Canada", but "the United States". */
function placeName(country: string): string {
  const name = countryName(country);
  return /^(United|Netherlands|Philippines)|(Islands|Republic)$/.test(name) ? `the ${name}` : name;
}

/**
 * Lenient on purpose: 555-555-5555 and its like are no real numbers, yet harmless. Only numbers
 * that cannot be dialled are refused: letters other than an extension, or a number of digits that
 * no plan has.
 */
function isPlausiblePhone(phone: string, country: string): boolean {
  const [, number] = /^([+\d\s().\-/\u2010-\u2015]+)((ext\.?|x|#)\s*\d{1,6})?$/i.exec(phone) ?? [];
  if (number === undefined || number.lastIndexOf("+") > 0) return false;
  const digits = number.replace(/\D/g, "").length;
  const fewest = country === "CA" || country === "US" ? 7 : 5;
  return digits >= fewest && digits <= 17;
}
