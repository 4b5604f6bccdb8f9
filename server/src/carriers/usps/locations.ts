import type { Address } from "../../domain/addresses/address.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import type { AddressCandidate, AddressFinding, CarrierLocation } from "../capabilities.ts";
import { codeIn, listIn, textIn, valueIn } from "../protocol/json.ts";
import { refusalText, successOf, unreadable } from "./errors.ts";
import { streetOf, zipOf } from "./parties.ts";

/** USPS's list of addresses, and its post offices. No I/O. */

export function addressPath(address: Address): string {
  const { streetAddress, secondaryAddress, city } = streetOf(address);
  const { ZIPCode } = zipOf(address);
  return `/addresses/v3/address?${queryOf({
    streetAddress,
    secondaryAddress,
    city,
    state: address.province_code,
    ZIPCode,
  })}`;
}

/** Throws the `CarrierError` of every answer that is no finding. */
export function fromAddressResponse(answer: HttpAnswer): AddressFinding {
  const text = answer.status === 404 ? refusalText(answer) : "";
  if (text !== "") {
    const state = /more than one|multiple/i.test(text) ? "ambiguous" : "not_found";
    return { state, candidates: [], is_residential: null };
  }
  const body = successOf(answer);
  if (!Object.hasOwn(body, "address")) throw unreadable();
  const candidate = candidateOf(valueIn(body, "address"));
  const about = valueIn(body, "additionalInfo");
  const confirmed = textIn(about, "DPVConfirmation");
  const business = textIn(about, "business");
  return {
    // Y is a delivery point, S and D one of several doors behind it; N is none.
    state:
      candidate === null || confirmed === "N"
        ? "not_found"
        : confirmed === "D"
          ? "ambiguous"
          : "found",
    candidates: candidate === null ? [] : [candidate],
    is_residential: business === "Y" ? false : business === "N" ? true : null,
  };
}

export function postOfficesPath(address: Address, limit: number): string {
  const { ZIPCode } = zipOf(address);
  const place = { city: address.city, state: address.province_code, ZIPCode };
  const query = queryOf({ ...place, radius: "20", limit: String(Math.min(limit, 50)) });
  return `/locations/v3/post-office-locations?${query}`;
}

/** The nearest first, as USPS lists them. Throws the `CarrierError` of every answer that is no list. */
export function fromPostOffices(answer: HttpAnswer): CarrierLocation[] {
  const body = successOf(answer);
  if (!Object.hasOwn(body, "locations")) throw unreadable();
  return listIn(body, "locations").flatMap((place) => {
    const id = codeIn(place, "facilityID") ?? codeIn(place, "facilityId");
    const address = candidateOf(valueIn(place, "facilityAddress"));
    if (id === null || address === null) return [];
    const distance = valueIn(place, "distance");
    // In miles.
    const distance_metres =
      typeof distance === "number" && distance >= 0 ? Math.round(distance * 1_609.344) : null;
    return [{ id, name: textIn(place, "facilityName") ?? `USPS ${id}`, address, distance_metres }];
  });
}

function candidateOf(place: unknown): AddressCandidate | null {
  const address1 = textIn(place, "streetAddress");
  const city = textIn(place, "city");
  const [zip, plus4] = [textIn(place, "ZIPCode"), textIn(place, "ZIPPlus4")];
  if (address1 === null || city === null) return null;
  return {
    address1,
    address2: textIn(place, "secondaryAddress"),
    city,
    province_code: textIn(place, "state"),
    postal_code: zip && plus4 ? `${zip}-${plus4}` : zip,
    country_code: "US",
  };
}

function queryOf(fields: Record<string, string | null | undefined>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] =>
    Boolean(field[1]),
  );
  return new URLSearchParams(given).toString();
}
