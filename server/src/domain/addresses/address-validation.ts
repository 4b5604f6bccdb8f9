import { NewAddress, type Address } from "./address.ts";
import {
  countryProblem,
  mismatchProblem,
  normaliseAddress,
  postalCodeProblem,
  provinceProblem,
  textFields,
} from "./address-rules.ts";
import type {
  AddressToValidate,
  AddressValidation,
  AddressValidationRequest,
  Change,
  Message,
} from "./address-validation-schemas.ts";
import { invalid } from "../errors/errors.ts";
import { countryCodeFor, isCountryCode } from "../postal/countries.ts";
import { isPoBox } from "./po-box.ts";
import { normalisePostalCode } from "../postal/postal-codes.ts";
import { isProvinceCode, provinceCodeFor } from "../postal/provinces.ts";
import { postalCodeExists, provincesOf } from "../postal/regions.ts";

/** The result of `POST /addresses/validate`, from offline tables (decision 18). */

/** The address that a request carries. Throws `validation_failed` when it carries none at all. */
export function addressInRequest(request: AddressValidationRequest): AddressToValidate {
  const { address, ...own } = request;
  const found = address ?? own;
  if (textFields.some((field) => found[field] != null)) return found;
  const sentence = "Send the address, either as the body itself or under address.";
  throw invalid({ address: [sentence] });
}

/**
 * Normalises an address and reports what is doubtful or wrong about it. Never throws. An error
 * (status `invalid`) is what creating a shipment refuses too, a warning is worth checking, and
 * `corrected` means that the texts in `changes` are better than those sent. Names, phones and
 * emails are not validated, only tidied.
 */
export function validateAddress(original: AddressToValidate): AddressValidation {
  const address = correctProvince(normaliseAddress(correctCountry(printable(original))));
  // An invalid country code stays unchanged: it was not corrected.
  if (!isCountryCode(address.country_code))
    address.country_code = printable(original).country_code.trim();
  const messages = [
    ...truncate(address),
    ...countryMessages(address),
    ...provinceMessages(address),
    ...rewritten("country_code", original, address),
    ...rewritten("province_code", original, address),
    ...postalCodeMessages(address, original),
    ...streetMessages(address),
  ];
  const changes = changesBetween(original, address);
  const isValid = messages.every(({ severity }) => severity !== "error");
  return {
    status: statusOf(messages, changes),
    is_valid: isValid,
    address,
    original,
    changes,
    messages,
  };
}

/** Characters that no label can carry become spaces. */
function printable(original: AddressToValidate): NewAddress {
  const texts = textFields.map((field) => [
    field,
    original[field]?.replace(/[\p{Cc}\p{Cs}]/gu, " ") ?? "",
  ]);
  return {
    ...original,
    ...(Object.fromEntries(texts) as Record<(typeof textFields)[number], string>),
  };
}

/** Turns a written-out country, or its three letters, into its code. */
function correctCountry(address: NewAddress): NewAddress {
  const meant = countryCodeFor(address.country_code);
  const isCode = isCountryCode(address.country_code.trim().toUpperCase());
  return isCode || meant === null ? address : { ...address, country_code: meant };
}

/** Reports the correction of a code, as for postal codes. */
function rewritten(
  field: "country_code" | "province_code",
  original: AddressToValidate,
  address: Address,
): Message[] {
  const code = address[field];
  if (!code || code === original[field]) return [];
  const text = original[field]?.trim()
    ? `${field} was written as ${code}.`
    : `${field} ${code} was added, after the postal code.`;
  const name = field === "country_code" ? "country_normalized" : "province_normalized";
  return [{ code: name, severity: "info", field, text }];
}

/** Turns a written-out province into its code, and finds a missing one by the postal code. */
function correctProvince(address: Address): Address {
  const { country_code: country, province_code: province, postal_code: postalCode } = address;
  if (province) {
    return { ...address, province_code: provinceCodeFor(country, province) ?? province };
  }
  const possible = postalCode ? provincesOf(country, postalCode) : null;
  return possible?.length === 1 ? { ...address, province_code: possible[0]! } : address;
}

/** Cuts texts to the lengths that an address allows, in place. A code cut short would be another code. */
function truncate(address: Address): Message[] {
  const messages: Message[] = [];
  for (const field of [
    "name",
    "company",
    "address1",
    "address2",
    "city",
    "phone",
    "email",
  ] as const) {
    const { maxLength } = NewAddress.properties[field] as { maxLength?: number };
    const characters = [...(address[field] ?? "")];
    if (maxLength === undefined || characters.length <= maxLength) continue;
    address[field] = characters.slice(0, maxLength).join("").trim();
    messages.push({
      code: "field_truncated",
      severity: "warning",
      field,
      text: `${field} has ${characters.length} characters and was cut to ${maxLength}.`,
    });
  }
  return messages;
}

function countryMessages(address: Address): Message[] {
  const country = address.country_code;
  const code = "country_unsupported";
  const field = "country_code";
  if (!country) {
    return [{ code, severity: "error", field, text: "country_code is missing." }];
  }
  const problem = countryProblem(country);
  if (problem) return [{ code, severity: "error", field, text: problem }];
  if (postalCodeExists(country, address.postal_code ?? "") !== null) return [];
  const text = `Of an address in ${country} only the form is checked, not whether the place exists.`;
  return [{ code, severity: "warning", field, text }];
}

function provinceMessages(address: Address): Message[] {
  const { country_code: country, province_code: province } = address;
  const text = provinceProblem(country, province);
  if (!text) return [];
  return [{ code: "province_unknown", severity: "error", field: "province_code", text }];
}

function postalCodeMessages(address: Address, original: AddressToValidate): Message[] {
  const { country_code: country, province_code: province, postal_code: postalCode } = address;
  const field = "postal_code";
  const formatProblem = countryProblem(country) ? null : postalCodeProblem(country, postalCode);
  if (formatProblem) {
    return [{ code: "postal_code_format", severity: "error", field, text: formatProblem }];
  }
  if (!postalCode) return [];
  const messages: Message[] = [];
  if (postalCode !== original.postal_code && normalisePostalCode(country, postalCode)) {
    const text = `postal_code was written as ${postalCode}.`;
    messages.push({ code: "postal_code_normalized", severity: "info", field, text });
  }
  if (postalCodeExists(country, postalCode) === false) {
    const text = `postal_code ${postalCode} is not in the tables of codes in use.`;
    messages.push({ code: "postal_code_unknown", severity: "warning", field, text });
  }
  const mismatch =
    province && isProvinceCode(country, province)
      ? mismatchProblem(country, province, postalCode)
      : null;
  if (mismatch) {
    messages.push({
      code: "postal_code_province_mismatch",
      severity: "error",
      field,
      text: mismatch,
    });
  }
  return messages;
}

function streetMessages(address: Address): Message[] {
  const messages: Message[] = [];
  if (!address.city) {
    const text = "city is missing.";
    messages.push({ code: "city_missing", severity: "error", field: "city", text });
  }
  const field = "address1";
  if (!address.address1) {
    messages.push({
      code: "street_missing",
      severity: "error",
      field,
      text: "address1 is missing.",
    });
  } else if (isPoBox(address)) {
    const text = "This is a post office box; most couriers deliver to street addresses only.";
    messages.push({ code: "po_box", severity: "warning", field, text });
  } else if (["CA", "US"].includes(address.country_code) && !hasStreetNumber(address)) {
    const text = "address1 has no street number.";
    messages.push({ code: "street_number_missing", severity: "warning", field, text });
  }
  return messages;
}

/** A digit somewhere in the street lines, or a number spelled out as in "One Infinite Loop". */
function hasStreetNumber(address: Address): boolean {
  const street = `${address.address1} ${address.address2 ?? ""}`;
  return /\d|^(one|two|three|four|five|six|seven|eight|nine|ten)\b/i.test(street);
}

/** The fields whose text has changed. Blank and absent are the same. */
function changesBetween(original: AddressToValidate, address: Address): Change[] {
  return textFields.flatMap((field) => {
    const from = original[field]?.trim() ? original[field] : null;
    const to = address[field] || null;
    return from === to ? [] : [{ field, from, to }];
  });
}

function statusOf(messages: readonly Message[], changes: readonly Change[]) {
  if (messages.some(({ severity }) => severity === "error")) return "invalid";
  if (messages.some(({ severity }) => severity === "warning")) return "warning";
  return changes.length > 0 ? "corrected" : "verified";
}
