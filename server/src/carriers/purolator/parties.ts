import type { Address } from "../../domain/addresses/address.ts";
import { splitPhone } from "../../domain/addresses/phone-parts.ts";
import { isPoBox } from "../../domain/addresses/po-box.ts";
import { splitStreetLine } from "../../domain/addresses/street-line.ts";
import type { CarrierError } from "../carrier.ts";
import { refusedByUs } from "../protocol/classify.ts";
import { firstWholePhone } from "../protocol/phones.ts";
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

/**
 * The whole address. Purolator requires the element of a street's number, and its schema takes an empty one: other
 * shipping platforms send that for a line that tells no number, with the whole line as the street's name.
 */
export function address(of: Address, phone: string): XmlOutput {
  const street = splitStreetLine(of.address1, of.country_code);
  return xml("Address", [
    xml("Name", of.name ?? of.company ?? ""),
    optional("Company", of.company),
    xml("StreetNumber", street?.number ?? ""),
    xml("StreetName", street?.name ?? of.address1),
    optional("Suite", street?.suite),
    optional("StreetAddress2", of.address2),
    xml("City", of.city),
    xml("Province", of.province_code ?? ""),
    xml("Country", of.country_code),
    xml("PostalCode", postalCode(of)),
    phoneNumber(phone),
  ]);
}

function phoneNumber(phone: string): XmlOutput {
  const parts = splitPhone(phone);
  return xml("PhoneNumber", [
    xml("CountryCode", parts?.country_code ?? ""),
    xml("AreaCode", parts?.area_code ?? ""),
    xml("Phone", parts?.number ?? ""),
    optional("Extension", parts?.extension),
  ]);
}

/** Purolator requires a whole phone number of both: without one of its own, a sender has the account's. */
export function sender(of: Address, to: Address, { contact_phone }: Account): XmlOutput {
  const phone = firstWholePhone(of.phone, contact_phone, to.phone);
  return xml("SenderInformation", [address(of, phone)]);
}

/** Without one of its own, a receiver has the sender's phone number. Throws a refusal for a post box. */
export function receiver(of: Address, from: Address, { contact_phone }: Account): XmlOutput {
  if (isPoBox(of)) throw incomplete("to_address.address1", "Purolator delivers to streets only.");
  const phone = firstWholePhone(of.phone, from.phone, contact_phone);
  return xml("ReceiverInformation", [address(of, phone)]);
}

export function postalCode({
  country_code,
  postal_code,
}: Pick<Address, "country_code" | "postal_code">): string {
  const code = postal_code ?? "";
  return country_code === "CA" ? code.replaceAll(" ", "") : code;
}
