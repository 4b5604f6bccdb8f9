import type { Address } from "../../domain/addresses/address.ts";
import { splitPhone } from "../../domain/addresses/phone-parts.ts";
import { splitStreetLine } from "../../domain/addresses/street-line.ts";
import type { CarrierError } from "../carrier.ts";
import { refusedByUs } from "../protocol/classify.ts";
import { optional, xml, type XmlOutput } from "../protocol/xml.ts";
import type { Account } from "./credentials.ts";
import { errorTable } from "./errors.ts";

/** Addresses in Purolator's parts: a street's number by itself, a phone number in three. */

/** A refusal of ours for a part that Purolator requires and that our address does not tell. */
export function incomplete(field: string, message: string): CarrierError {
  return refusedByUs(errorTable, {
    carrier_code: "address_incomplete",
    message,
    exclusion: "address_incomplete",
    field,
  });
}

/** The whole address. Throws a refusal where the line has no number of a street, or the phone is not whole. */
export function address(of: Address, field: string, phone: string | null = of.phone): XmlOutput {
  const street = splitStreetLine(of.address1, of.country_code);
  if (!street) {
    throw incomplete(
      `${field}.address1`,
      "Purolator requires a street number, which address1 does not tell.",
    );
  }
  return xml("Address", [
    xml("Name", of.name ?? of.company ?? ""),
    optional("Company", of.company),
    xml("StreetNumber", street.number),
    xml("StreetName", street.name),
    optional("Suite", street.suite),
    optional("StreetAddress2", of.address2),
    xml("City", of.city),
    xml("Province", of.province_code ?? ""),
    xml("Country", of.country_code),
    xml("PostalCode", postalCode(of)),
    phoneNumber(phone, `${field}.phone`),
  ]);
}

function phoneNumber(phone: string | null, field: string): XmlOutput {
  const parts = phone === null ? null : splitPhone(phone);
  if (!parts) throw incomplete(field, "Purolator requires a whole phone number.");
  return xml("PhoneNumber", [
    xml("CountryCode", parts.country_code),
    xml("AreaCode", parts.area_code),
    xml("Phone", parts.number),
    optional("Extension", parts.extension),
  ]);
}

export function sender(of: Address, { contact_phone }: Account): XmlOutput {
  return xml("SenderInformation", [address(of, "from_address", of.phone ?? contact_phone)]);
}

/** A receiver without a phone number has the sender's: Purolator requires one. */
export function receiver(of: Address, from: Address, { contact_phone }: Account): XmlOutput {
  const phone = of.phone ?? from.phone ?? contact_phone;
  return xml("ReceiverInformation", [address(of, "to_address", phone)]);
}

export function postalCode({
  country_code,
  postal_code,
}: Pick<Address, "country_code" | "postal_code">): string {
  const code = postal_code ?? "";
  return country_code === "CA" ? code.replaceAll(" ", "") : code;
}
