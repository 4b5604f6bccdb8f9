import type { Address } from "../../domain/addresses/address.ts";
import type { Package } from "../../domain/goods/parcel.ts";
import { toCentimetres, toGrams } from "../../domain/goods/units.ts";
import { compact } from "../protocol/json.ts";

/** Addresses and parcels in USPS's form: pounds and inches. No I/O. */

/** Text without control characters. */
export function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
}

/** USPS wants a person's two names, or a firm. */
export function addresseeOf({ name, company }: Address) {
  const words = plain(name ?? "")
    .split(/\s+/)
    .filter(Boolean);
  const firm = plain(company ?? "").slice(0, 50);
  const [first = firm || "Resident", ...rest] = words;
  return compact({
    firstName: first.slice(0, 50),
    lastName: rest.join(" ").slice(0, 50) || (words.length > 0 ? first : "Resident").slice(0, 50),
    firm: firm || null,
  });
}

/** The five digits of a ZIP code, and the four. */
export function zipOf({ postal_code }: Pick<Address, "postal_code">) {
  const digits = (postal_code ?? "").replaceAll(/\D/g, "");
  return compact({
    ZIPCode: digits.slice(0, 5),
    ZIPPlus4: digits.length === 9 ? digits.slice(5) : null,
  });
}

export function streetOf(address: Address) {
  const { address1, address2, city } = address;
  return compact({
    streetAddress: plain(address1).slice(0, 50),
    secondaryAddress: plain(address2 ?? "").slice(0, 50) || null,
    city: plain(city).slice(0, 28),
  });
}

/** An address in the United States. USPS keeps to its own list unless it is told that the shipper knows better. */
export function domesticParty(address: Address) {
  return compact({
    ...addresseeOf(address),
    ...streetOf(address),
    state: address.province_code,
    ...zipOf(address),
    phone: phoneOf(address.phone),
    ignoreBadAddress: true,
  });
}

/** USPS wants the country's name beside its code. */
const countries = new Intl.DisplayNames(["en"], { type: "region", fallback: "code" });

export function foreignParty(address: Address) {
  const { postal_code, province_code, country_code } = address;
  return compact({
    ...addresseeOf(address),
    ...streetOf(address),
    postalCode: postal_code?.slice(0, 11) || null,
    province: province_code,
    country: countries.of(country_code) ?? country_code,
    countryISOAlpha2Code: country_code,
    phone: phoneOf(address.phone),
  });
}

function phoneOf(phone: string | null): string | null {
  const digits = phone?.replaceAll(/\D/g, "") ?? "";
  const national = /^1\d{10}$/.test(digits) ? digits.slice(1) : digits;
  return national.length >= 6 && national.length <= 15 ? national : null;
}

/** USPS's own: by these a price is found, and a label sold at it. */
export interface Piece {
  /** Pounds, to four decimals, rounded up. */
  weight: number;
  length: number;
  width: number;
  height: number;
  processing: "MACHINABLE" | "NONSTANDARD";
  rate_indicator: string;
}

/** The smallest machinable parcel, for one without dimensions. */
const smallest = { length: 6, width: 3, height: 1 };

export function pieceOf(parcel: Package, mailClass: string): Piece {
  const grams = toGrams(parcel.weight, parcel.weight_unit);
  const weight = Math.ceil((grams / 453.59237) * 10_000) / 10_000;
  const [length, width, height] = sidesOf(parcel);
  const volume = length * width * height;
  const isMachinable =
    weight <= 25 && length <= 22 && width <= 18 && height <= 15 && length >= 6 && width >= 3;
  const dimensional = volume > cubicFoot ? volume / 166 : 0;
  const isOversize = length + 2 * (width + height) > 108;
  const usual = mailClass.startsWith("PRIORITY_MAIL_EXPRESS") ? "PA" : "SP";
  const rate_indicator = isOversize ? "OS" : dimensional > weight ? "DR" : usual;
  const processing = isMachinable && !isOversize ? "MACHINABLE" : "NONSTANDARD";
  return { weight, length, width, height, processing, rate_indicator };
}

/** Above it, USPS weighs by size, at 166 cubic inches a pound. */
const cubicFoot = 1_728;

/** The longest first, in inches to two decimals. */
function sidesOf({ length, width, height, size_unit }: Package): [number, number, number] {
  if (length === null || width === null || height === null || size_unit === null) {
    return [smallest.length, smallest.width, smallest.height];
  }
  const inches = (side: number) =>
    Math.max(0.01, Math.round((toCentimetres(side, size_unit) / 2.54) * 100) / 100);
  return [length, width, height].map(inches).sort((a, b) => b - a) as [number, number, number];
}

export function isDomestic({ country_code }: Address): boolean {
  return country_code === "US" || country_code === "PR";
}
