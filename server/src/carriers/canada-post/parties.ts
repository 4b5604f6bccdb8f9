import type { Address } from "../../domain/addresses/address.ts";
import { toCentimetres, toGrams } from "../../domain/goods/units.ts";
import type { Package } from "../../domain/goods/parcel.ts";
import { refusedByUs } from "../protocol/classify.ts";
import { thousandthsOf } from "../protocol/amount.ts";
import { placeholderPhone } from "../protocol/phones.ts";
import { optional, xml, type XmlOutput } from "../protocol/xml.ts";
import type { CarrierError } from "../carrier.ts";
import type { Contract } from "./credentials.ts";
import { errorTable } from "./errors.ts";

/** Addresses and parcels in Canada Post's form, whose lines are shorter than ours. */

const lineLength = 44;

/** `K1A0B1` of a Canadian code; every other as it is. */
export function postalCode({
  country_code,
  postal_code,
}: Pick<Address, "country_code" | "postal_code">): string {
  const code = postal_code ?? "";
  return country_code === "CA" ? code.replaceAll(" ", "") : code;
}

/**
 * The lines of an address: what the first cannot hold goes on in the second, broken between words. Throws a
 * refusal for what does not fit two lines: an address is never cut.
 */
export function addressLines(
  { address1, address2 }: Pick<Address, "address1" | "address2">,
  field: string,
): [string, string | null] {
  if (address1.length <= lineLength && (address2 ?? "").length <= lineLength) {
    return [address1, address2];
  }
  const [first, rest] = broken(address1);
  const second = [rest, address2].filter(Boolean).join(" ");
  if (first && second.length <= lineLength) return [first, second || null];
  throw incomplete(field, "Canada Post takes two lines of 44 characters for an address.");
}

function broken(line: string): [string, string] {
  if (line.length <= lineLength) return [line, ""];
  const at = line.lastIndexOf(" ", lineLength);
  return at > 0 ? [line.slice(0, at), line.slice(at + 1)] : ["", line];
}

/** A refusal of ours for something that Canada Post requires and that we do not have. */
export function incomplete(field: string, message: string): CarrierError {
  return refusedByUs(errorTable, {
    carrier_code: "address_incomplete",
    message,
    exclusion: "address_incomplete",
    field,
  });
}

/** Of who sends or hands over. Canada Post requires a number, and does not call it: one left out is the connection's. */
export function phoneOf({ phone }: Address, { contact_phone }: Contract): string {
  return phone ?? contact_phone ?? placeholderPhone;
}

/** Where the parcel comes from. Canada Post requires a company and a phone number of a sender. */
export function sender(address: Address, contract: Contract, isDomestic: boolean): XmlOutput {
  const { name, company } = address;
  const who = company ?? name;
  if (!who)
    throw incomplete("from_address.company", "Canada Post requires the sender's company or name.");
  return xml("sender", [
    optional("name", name),
    xml("company", who),
    xml("contact-phone", phoneOf(address, contract)),
    details(address, "from_address", isDomestic),
  ]);
}

export function destination(address: Address): XmlOutput {
  return xml("destination", [
    optional("name", address.name),
    optional("company", address.company),
    optional("client-voice-number", address.phone),
    details(address, "to_address", false),
  ]);
}

/** Without a country where only Canadian addresses are possible: that form has no element for it. */
function details(address: Address, field: string, isDomestic: boolean): XmlOutput {
  const [first, second] = addressLines(address, `${field}.address1`);
  return xml("address-details", [
    xml("address-line-1", first),
    optional("address-line-2", second),
    xml("city", address.city),
    optional("prov-state", address.province_code),
    isDomestic ? null : xml("country-code", address.country_code),
    optional("postal-zip-code", postalCode(address)),
  ]);
}

/** A Canadian address of a return, in which both ends are. */
export function domesticAddress(address: Address, field: string): XmlOutput {
  const [first, second] = addressLines(address, `${field}.address1`);
  return xml("domestic-address", [
    xml("address-line-1", first),
    optional("address-line-2", second),
    xml("city", address.city),
    xml("province", address.province_code ?? ""),
    xml("postal-code", postalCode(address)),
  ]);
}

/** Kilograms to three decimals, centimetres to one; the longest side is the length. */
export function parcelCharacteristics(
  parcel: Package,
  form: "rate" | "shipment" | "return",
): XmlOutput {
  return xml("parcel-characteristics", [
    xml("weight", thousandthsOf(toGrams(parcel.weight, parcel.weight_unit))),
    dimensions(parcel),
    form === "return" ? null : xml("mailing-tube", parcel.package_type === "tube"),
  ]);
}

function dimensions({ length, width, height, size_unit }: Package): XmlOutput | null {
  if (length === null || width === null || height === null || size_unit === null) return null;
  const sides = [length, width, height]
    .map((side) => toCentimetres(side, size_unit))
    .sort((a, b) => b - a)
    // Rounded up, so that no parcel is larger than it was said to be.
    .map((side) => String(Math.ceil(side * 10) / 10));
  return xml("dimensions", [
    xml("length", sides[0]!),
    xml("width", sides[1]!),
    xml("height", sides[2]!),
  ]);
}
