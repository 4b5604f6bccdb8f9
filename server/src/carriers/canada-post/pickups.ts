import type { Address } from "../../domain/addresses/address.ts";
import { isDay } from "../../domain/validation/validation.ts";
import type { CarrierCost } from "../carrier.ts";
import { centsOf } from "../protocol/amount.ts";
import {
  all,
  isTrueAt,
  optional,
  textAt,
  writeXml,
  xml,
  type XmlElement,
  type XmlOutput,
} from "../protocol/xml.ts";
import type { PickupRequest } from "../pickups.ts";
import type { Contract } from "./credentials.ts";
import { incomplete, postalCode } from "./parties.ts";
import { allLinks } from "./shipments.ts";

/** Pickups: a request as Canada Post's `pickup-request-details`, on demand, and what it tells of them. No I/O. */

export const pickupMediaType = "application/vnd.cpc.pickuprequest+xml";
export const pickupAvailabilityMediaType = "application/vnd.cpc.pickup+xml";

export function toPickupRequest(request: PickupRequest, contract: Contract): string {
  const { address, contact, instructions, reference, date, package_count } = request;
  const email = contact.email ?? contract.contact_email;
  if (!email)
    throw incomplete("contact.email", "Canada Post requires an e-mail address for a pickup.");
  const [preferred, closing] = hours(request);
  return writeXml(
    xml(
      "pickup-request-details",
      [
        xml("customer-request-id", reference),
        xml("pickup-type", "OnDemand"),
        location(address),
        xml("contact-info", [
          xml("contact-name", (contact.name ?? address.company ?? address.name ?? "").slice(0, 45)),
          xml("email", email),
          xml("contact-phone", phone([contact.phone, address.phone, contract.contact_phone])),
          xml("receive-email-updates-flag", false),
        ]),
        xml("location-details", [
          xml("pickup-instructions", instructionsWith(reference, instructions)),
        ]),
        xml("pickup-volume", String(package_count)),
        xml("pickup-times", [
          xml("on-demand-pickup-time", [
            xml("date", date),
            xml("preferred-time", preferred),
            xml("closing-time", closing),
          ]),
        ]),
        payment(contract),
      ],
      { xmlns: "http://www.canadapost.ca/ws/pickuprequest" },
    ),
  );
}

function payment({ contract_id, method_of_payment }: Contract): XmlOutput {
  return xml("payment-info", [
    optional("contract-id", contract_id),
    xml("method-of-payment", method_of_payment),
  ]);
}

const lineLength = 35;

/** One line of an address: what does not fit is refused, not cut. */
function location(address: Address): XmlOutput {
  const company = address.company ?? address.name ?? "";
  const line = [address.address1, isSteering(address.address2) ? null : address.address2]
    .filter(Boolean)
    .join(" ");
  if (line.length > lineLength) {
    throw incomplete(
      "address.address1",
      "Canada Post takes one line of 35 characters for a pickup's address.",
    );
  }
  return xml("pickup-location", [
    xml("business-address-flag", false),
    xml("alternate-address", [
      xml("company", company.slice(0, lineLength)),
      xml("address-line-1", line),
      xml("city", address.city),
      xml("province", address.province_code ?? ""),
      xml("postal-code", postalCode(address)),
    ]),
  ]);
}

/** Words for the simulator are no part of an address. */
function isSteering(line: string | null): boolean {
  return line?.startsWith("sim:") ?? false;
}

/** `123-456-7890`: the one form of a number that is taken. The first of these that is one. */
function phone(given: readonly (string | null)[]): string {
  const digits = given
    .map((each) => (each ?? "").replaceAll(/\D/g, "").replace(/^1(?=\d{10}$)/, ""))
    .find((each) => /^\d{10}$/.test(each));
  if (digits === undefined) {
    throw incomplete(
      "contact.phone",
      "Canada Post requires a North American phone number for a pickup.",
    );
  }
  return `${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)}`;
}

const [opens, closes] = [12 * 60, 17 * 60 + 45];

/**
 * The window in quarters of an hour between noon and 17:45, in which Canada Post picks up on demand. It is made
 * smaller, never larger: the driver does not come when nobody is there.
 */
function hours({ ready_time, close_time }: Pick<PickupRequest, "ready_time" | "close_time">) {
  const from = Math.max(opens, Math.ceil(minutes(ready_time) / 15) * 15);
  const to = Math.min(closes, Math.floor(minutes(close_time) / 15) * 15);
  if (from >= to) {
    throw incomplete("close_time", "Canada Post picks up between 12:00 and 17:45.");
  }
  return [clock(from), clock(to)] as const;
}

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function clock(minutesOfDay: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(Math.floor(minutesOfDay / 60))}:${two(minutesOfDay % 60)}`;
}

const instructionsLength = 132;

/**
 * Our reference ends the instructions: they are the one text of ours that the details show again, and by it a
 * pickup is found.
 */
function instructionsWith(reference: string, instructions: string | null): string {
  const mark = ` [${reference}]`;
  return ((instructions ?? "Parcels").slice(0, instructionsLength - mark.length) + mark).trim();
}

export interface KnownPickup {
  request_id: string;
  status: string | null;
  date: string | null;
  fee: CarrierCost | null;
}

/** Null for one without an id, by which it could be cancelled. */
export function fromPickupInfo(root: XmlElement): KnownPickup | null {
  const header = (name: string) => textAt(root, `pickup-request-header/${name}`);
  const request_id = header("request-id");
  if (request_id === null) return null;
  const cents = centsOf(textAt(root, "pickup-request-price/pre-tax-amount"));
  const date =
    textAt(root, "pickup-request-details/pickup-times/on-demand-pickup-time/date") ??
    header("next-pickup-date");
  return {
    request_id,
    status: header("request-status"),
    date: date !== null && isDay(date) ? date : null,
    fee: cents === null || cents < 0 ? null : { amount_cents: cents, currency: "CAD" },
  };
}

/** Whether the details are those of the pickup with our reference. */
export function carriesReference(details: XmlElement, reference: string): boolean {
  const text = textAt(details, "pickup-request-details/location-details/pickup-instructions");
  return text?.endsWith(`[${reference}]`) ?? false;
}

export function isCancelled(status: string | null): boolean {
  return /^cancel/i.test(status ?? "");
}

/** The requests of a list: their ids, and where their details are. */
export function fromPickupRequests(
  root: XmlElement,
): { request_id: string; details: string | null }[] {
  return all(root, "pickup-request").flatMap((each) => {
    const request_id = textAt(each, "pickup-request-header/request-id");
    const details = allLinks(each).find(({ rel }) => rel === "details")?.path ?? null;
    return request_id === null ? [] : [{ request_id, details }];
  });
}

interface PickupAvailability {
  on_demand: boolean;
  /** `HH:MM`, in local time. */
  cutoff: string | null;
}

export function fromPickupAvailability(root: XmlElement): PickupAvailability {
  return {
    on_demand: isTrueAt(root, "on-demand-tour"),
    cutoff: textAt(root, "on-demand-cutoff"),
  };
}

/** What a pickup on demand would cost. */
export function toPickupPriceRequest(
  { date, province, postal_code }: { date: string; province: string; postal_code: string },
  { contract_id }: Contract,
): string {
  return writeXml(
    xml(
      "pickup-details",
      [
        xml("date", date),
        optional("contract-id", contract_id),
        optional("alternate-address-province", province),
        optional("alternate-address-postal-code", postal_code),
      ],
      { xmlns: "http://www.canadapost.ca/ws/pickuprequest" },
    ),
  );
}

export function fromPickupPrice(root: XmlElement): CarrierCost | null {
  const cents = centsOf(textAt(root, "pre-tax-amount"));
  return cents === null || cents < 0 ? null : { amount_cents: cents, currency: "CAD" };
}

/** Where the details say that it is. */
export function placeOf(details: XmlElement): { province: string; postal_code: string } {
  const address = "pickup-request-details/pickup-location/alternate-address";
  return {
    province: textAt(details, `${address}/province`) ?? "",
    postal_code: textAt(details, `${address}/postal-code`) ?? "",
  };
}
