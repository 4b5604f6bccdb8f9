import type { Address } from "../../domain/addresses/address.ts";
import { toCentimetres, toGrams } from "../../domain/goods/units.ts";
import type { Package } from "../../domain/goods/parcel.ts";
import { compact } from "../protocol/json.ts";

/** Addresses and parcels in UPS's form. No I/O. */

/** The widths of UPS's fields. */
const nameChars = 35;
const lineChars = 35;
const linesMost = 3;
const cityChars = 30;
const postalChars = 9;
const phoneDigits = 15;

export function addressOf(address: Address) {
  const { city, province_code, postal_code, country_code } = address;
  return compact({
    AddressLine: linesOf(address),
    City: plain(city).slice(0, cityChars),
    StateProvinceCode: stateOf(province_code),
    PostalCode: postalOf(postal_code),
    CountryCode: country_code,
  });
}

/** Who is at an address: UPS wants a name, and a person beside it. */
export function partyOf(address: Address) {
  const { name, company, phone, email } = address;
  const number = digitsOf(phone);
  return compact({
    Name: plain(company || name || "Resident").slice(0, nameChars),
    AttentionName: plain(name || company || "Resident").slice(0, nameChars),
    Phone: number ? { Number: number } : null,
    EMailAddress: email && plain(email).slice(0, 50),
    Address: addressOf(address),
  });
}

/** The recipient's address also says whether it is a home. */
export function recipientOf(address: Address) {
  const party = partyOf(address);
  const home = address.is_residential ? { ResidentialAddressIndicator: "Y" } : {};
  return { ...party, Address: { ...party.Address, ...home } };
}

/** Pounds and inches where the shipment begins in the United States, else kilograms and centimetres. */
export type Units = "imperial" | "metric";

export function unitsOf(origin: string): Units {
  return origin === "US" || origin === "PR" ? "imperial" : "metric";
}

export function weightOf({ weight, weight_unit }: Package, units: Units) {
  const grams = toGrams(weight, weight_unit);
  const unit =
    units === "imperial"
      ? { Code: "LBS", Description: "Pounds" }
      : { Code: "KGS", Description: "Kilograms" };
  return { UnitOfMeasurement: unit, Weight: tenthsOf(grams, units) };
}

/** One decimal place, rounded up as UPS bills it, from whole grams. */
export function tenthsOf(grams: number, units: Units): string {
  // A tenth of a pound is exactly 45.359237 g: in micrograms, both are whole numbers.
  const micrograms = units === "imperial" ? 45_359_237n : 100_000_000n;
  const tenths = (BigInt(grams) * 1_000_000n + micrograms - 1n) / micrograms;
  return `${tenths / 10n}.${tenths % 10n}`;
}

/** Whole inches or centimetres, as UPS rounds them, the longest first; null without dimensions. */
export function dimensionsOf({ length, width, height, size_unit }: Package, units: Units) {
  if (length === null || width === null || height === null || size_unit === null) return null;
  const whole = (side: number) => {
    const centimetres = toCentimetres(side, size_unit);
    return Math.max(1, Math.round(units === "imperial" ? centimetres / 2.54 : centimetres));
  };
  const [longest, middle, shortest] = [length, width, height].map(whole).sort((a, b) => b - a);
  return {
    UnitOfMeasurement:
      units === "imperial"
        ? { Code: "IN", Description: "Inches" }
        : { Code: "CM", Description: "Centimeters" },
    Length: String(longest),
    Width: String(middle),
    Height: String(shortest),
  };
}

export const packagingCodes: Readonly<Record<Package["package_type"], string>> = {
  envelope: "01",
  parcel: "02",
  tube: "03",
  pak: "04",
};

/** Text without control characters: UPS answers one with nothing at all (recorded). */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
}

/**
 * Three lines at most, none of which loses a letter: address2 starts a new line where it fits; otherwise it continues the
 * line of address1, and words that do not fit are broken. Both together have 101 characters at most.
 */
function linesOf({ address1, address2 }: Address): string[] {
  const own = [plain(address1), plain(address2 ?? "")].filter((line) => line !== "");
  const whole = own.join(" ");
  const ways = [
    () => own.flatMap((line) => foldedAt(line, lineChars)),
    () => foldedAt(whole, lineChars),
    () => cutAt(whole, lineChars),
  ];
  const fits = (lines: string[]) => lines.length <= linesMost;
  return ways.map((way) => way()).find(fits)!;
}

function cutAt(line: string, width: number): string[] {
  const letters = [...line];
  return Array.from({ length: Math.ceil(letters.length / width) }, (_, index) =>
    letters.slice(index * width, (index + 1) * width).join(""),
  );
}

function foldedAt(line: string, width: number): string[] {
  if (line === "") return [];
  if (line.length <= width) return [line];
  const space = line.lastIndexOf(" ", width);
  const end = space > 0 ? space : width;
  return [line.slice(0, end), ...foldedAt(line.slice(end).trim(), width)];
}

/** UPS takes five characters, and refuses an empty one. */
function stateOf(code: string | null): string | null {
  return code !== null && /^[\w-]{1,5}$/.test(code) ? code : null;
}

function postalOf(code: string | null): string | null {
  return code?.replaceAll(/[^0-9A-Za-z]/g, "").slice(0, postalChars) || null;
}

export function digitsOf(phone: string | null): string | null {
  const digits = phone?.replaceAll(/\D/g, "") ?? "";
  // Ten digits in North America, where UPS refuses the country's own.
  const national = /^1\d{10}$/.test(digits) ? digits.slice(1) : digits;
  return national.slice(0, phoneDigits) || null;
}
