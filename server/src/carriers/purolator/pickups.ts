import { fromGrams } from "../../domain/goods/units.ts";
import { isDay } from "../../domain/validation/validation.ts";
import type { PickupRequest } from "../pickups.ts";
import { firstWholePhone } from "../protocol/phones.ts";
import { all, textAt, xml, type XmlElement, type XmlOutput } from "../protocol/xml.ts";
import type { Account } from "./credentials.ts";
import { address } from "./parties.ts";

/** Pickups: a request as Purolator's `SchedulePickUp`, and its history. No I/O. */

export function toPickupRequest(request: PickupRequest, account: Account): XmlOutput[] {
  const { contact, address: stop, date, ready_time, close_time } = request;
  const phone = firstWholePhone(contact.phone, stop.phone, account.contact_phone);
  const pounds = Math.max(1, Math.ceil(fromGrams(request.weight_grams, "lbs")));
  const named = { ...stop, name: contact.name ?? stop.name };
  return [
    xml("BillingAccountNumber", account.billing_account_number),
    xml("PickupInstruction", [
      xml("Date", date),
      xml("AnyTimeAfter", ready_time.replace(":", "")),
      xml("UntilTime", close_time.replace(":", "")),
      xml("TotalWeight", [xml("Value", pounds), xml("WeightUnit", "lb")]),
      xml("TotalPieces", request.package_count),
      xml("PickUpLocation", "FrontDesk"),
      xml("AdditionalInstructions", instructionsOf(request)),
    ]),
    address(named, phone),
    contact.email === null
      ? null
      : xml("NotificationEmails", [xml("NotificationEmail", contact.email)]),
  ].filter((each) => each !== null);
}

const instructionsLength = 100;

/** Our reference ends the instructions, which the history shows: by it a pickup is found. */
function instructionsOf({ reference, instructions }: PickupRequest): string {
  const mark = `[${reference}]`;
  return `${(instructions ?? "").slice(0, instructionsLength - mark.length - 1)} ${mark}`.trim();
}

/** Null for an answer without a number, by which it could be cancelled. */
export function fromSchedulePickup(result: XmlElement): string | null {
  return textAt(result, "PickUpConfirmationNumber");
}

/** The history of one day. */
export function toHistoryRequest(date: string, { billing_account_number }: Account): XmlOutput[] {
  return [
    xml("PickUpHistorySearchCriteria", [
      xml("FromDate", date),
      xml("ToDate", date),
      xml("AccountNumber", billing_account_number),
      xml("MaxNumOfRecords", 500),
    ]),
  ];
}

export interface KnownPickup {
  confirmation_number: string;
  date: string | null;
  cancelled: boolean;
}

/** The one of a history that has our reference. */
export function fromHistory(result: XmlElement, reference: string): KnownPickup | null {
  const found = all(result, "PickUpDetailList/PickUpDetail").find((detail) =>
    textAt(detail, "PickupInstruction/AdditionalInstructions")?.endsWith(`[${reference}]`),
  );
  return found ? knownPickup(found) : null;
}

/** The one of a history that has this number. */
export function inHistory(result: XmlElement, confirmation_number: string): KnownPickup | null {
  const found = all(result, "PickUpDetailList/PickUpDetail").find(
    (detail) => textAt(detail, "ConfirmationNumber") === confirmation_number,
  );
  return found ? knownPickup(found) : null;
}

function knownPickup(detail: XmlElement): KnownPickup | null {
  const confirmation_number = textAt(detail, "ConfirmationNumber");
  const date = textAt(detail, "PickupInstruction/Date");
  if (confirmation_number === null) return null;
  return {
    confirmation_number,
    date: date !== null && isDay(date) ? date : null,
    cancelled: /^(cancel|void)/i.test(textAt(detail, "PickupStatus") ?? ""),
  };
}
