import type { HttpAnswer } from "../../transport/http-call.ts";
import type { CarrierCost } from "../carrier.ts";
import { centsIn, codeIn, compact, dayIn, listIn, textIn, valueIn } from "../protocol/json.ts";
import type { PickupRequest } from "../pickups.ts";
import type { UpsAccount } from "./credentials.ts";
import { successOf, unreadable } from "./errors.ts";
import { digitsOf, plain, tenthsOf, unitsOf } from "./parties.ts";

/** Pickups in UPS's form: on call, paid by the account. No I/O. */

export const pickupPath = "/api/pickupcreation/v2409/pickup";
/** By the pickup's number, which is a header of the call. */
export const cancelPath = "/api/shipments/v2409/pickup/02";
export const pendingPath = "/api/shipments/v2409/pickup/oncall";

export function toPickupRequest(request: PickupRequest, account: UpsAccount): object {
  const { address, contact, reference, package_count, weight_grams, instructions } = request;
  const units = unitsOf(address.country_code);
  return {
    PickupCreationRequest: compact({
      Request: { TransactionReference: { CustomerContext: reference } },
      RatePickupIndicator: "Y",
      Shipper: {
        Account: { AccountNumber: account.number, AccountCountryCode: account.country },
      },
      PickupDateInfo: {
        CloseTime: request.close_time.replace(":", ""),
        ReadyTime: request.ready_time.replace(":", ""),
        PickupDate: request.date.replaceAll("-", ""),
      },
      PickupAddress: compact({
        CompanyName: plain(address.company ?? address.name ?? "Shipper").slice(0, 27),
        ContactName: plain(contact.name ?? address.name ?? "Shipper").slice(0, 22),
        // UPS has one address line; both of ours are joined.
        AddressLine: [
          [address.address1, address.address2 ?? ""]
            .map(plain)
            .filter(Boolean)
            .join(", ")
            .slice(0, 73),
        ],
        City: plain(address.city).slice(0, 50),
        StateProvince: address.province_code,
        PostalCode: address.postal_code?.replaceAll(/[^0-9A-Za-z]/g, "").slice(0, 8) || null,
        CountryCode: address.country_code,
        ResidentialIndicator: address.is_residential ? "Y" : "N",
        Phone: { Number: digitsOf(contact.phone ?? address.phone) ?? "0000000000" },
      }),
      // The address of the driver's stop, which need not be the account's.
      AlternateAddressIndicator: "Y",
      PickupPiece: [
        {
          // Ground in the United States, Standard elsewhere: which services wait there is not known here.
          ServiceCode: units === "imperial" ? "003" : "011",
          Quantity: String(Math.min(package_count, 999)),
          DestinationCountryCode: address.country_code,
          ContainerCode: "01",
        },
      ],
      TotalWeight: {
        Weight: tenthsOf(weight_grams, units),
        UnitOfMeasurement: units === "imperial" ? "LBS" : "KGS",
      },
      OverweightIndicator: weight_grams / package_count > overweightGrams ? "Y" : "N",
      PaymentMethod: "01",
      SpecialInstruction: instructions ? plain(instructions).slice(0, 57) || null : null,
      ReferenceNumber: reference,
    }),
  };
}

/** UPS wants to know of packages of more than 70 lb, or 32 kg. */
const overweightGrams = 32_000;

export interface NewPickup {
  prn: string;
  /** Null where UPS does not say. */
  fee: CarrierCost | null;
}

/** The pickup that was scheduled. Throws the `CarrierError` of every other answer. */
export function fromPickupResponse(answer: HttpAnswer): NewPickup {
  const response = successOf(answer, "PickupCreationResponse");
  const prn = codeIn(response, "PRN");
  if (prn === null) throw unreadable();
  const rate = valueIn(response, "RateResult");
  const amount_cents = centsIn(rate, "PreTaxTotalCharge") ?? centsIn(rate, "GrandTotalOfAllCharge");
  const currency = textIn(rate, "CurrencyCode");
  const isPrice = amount_cents !== null && amount_cents >= 0 && /^[A-Z]{3}$/.test(currency ?? "");
  return { prn, fee: isPrice ? { amount_cents, currency: currency! } : null };
}

export interface PendingPickup {
  prn: string;
  reference: string | null;
  /** Null where it cannot be read. */
  date: string | null;
}

/** The account's pickups of today and tomorrow that are not done. Throws a `CarrierError` for all else. */
export function fromPendingResponse(answer: HttpAnswer): PendingPickup[] {
  const pending = listIn(successOf(answer, "PickupPendingStatusResponse"), "PendingStatus");
  return pending.flatMap((each) => {
    const prn = codeIn(each, "PRN");
    if (prn === null) return [];
    return [{ prn, reference: textIn(each, "ReferenceNumber"), date: dayIn(each, "ServiceDate") }];
  });
}

/** Throws the `CarrierError` of every answer but a success. */
export function fromCancelResponse(answer: HttpAnswer): void {
  const response = successOf(answer, "PickupCancelResponse");
  if (textIn(response, "Response", "ResponseStatus", "Code") !== "1") throw unreadable();
}
