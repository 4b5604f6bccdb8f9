import type { Address } from "../../domain/addresses/address.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import type { CarrierLocation, CarrierLocations } from "../capabilities.ts";
import { codeIn, compact, listIn, textIn, valueIn } from "../protocol/json.ts";
import { candidateOf } from "./addresses.ts";
import type { UpsClient } from "./client.ts";
import { successOf } from "./errors.ts";
import { plain } from "./parties.ts";

/** Where UPS takes parcels. */

/** The last path segment, 1, asks for drop-off locations and depots. */
const locationsPath = "/api/locations/v3/search/availabilities/1?Locale=en_US";
const radiusKm = "50";
const limitMost = 50;

export function upsLocations(client: UpsClient, timeout_ms: number): CarrierLocations {
  return {
    async near({ context, address, limit }, signal) {
      const body = toLocatorRequest(address, limit);
      const call = {
        context,
        method: "POST",
        path: locationsPath,
        body,
        signal,
        timeout_ms,
      } as const;
      return fromLocatorResponse(await client.call(call));
    },
  };
}

export function toLocatorRequest(address: Address, limit: number): object {
  const { address1, city, province_code, postal_code, country_code } = address;
  const size = String(Math.min(limit, limitMost));
  return {
    LocatorRequest: {
      Request: { RequestAction: "Locator", TransactionReference: { CustomerContext: "locations" } },
      OriginAddress: {
        AddressKeyFormat: compact({
          AddressLine: plain(address1),
          PoliticalDivision2: plain(city),
          // UPS wants both also where there is none.
          PoliticalDivision1: province_code ?? plain(city),
          PostcodePrimaryLow: postal_code?.replaceAll(/[^0-9A-Za-z]/g, "").slice(0, 10) || "0",
          CountryCode: country_code,
        }),
        MaximumListSize: size,
      },
      Translate: { Locale: "en_US" },
      UnitOfMeasurement: { Code: "KM" },
      LocationSearchCriteria: {
        SearchOption: [{ OptionType: { Code: "01" }, OptionCode: [{ Code: "001" }] }],
        MaximumListSize: size,
        SearchRadius: radiusKm,
      },
      // The closest first.
      SortCriteria: { SortType: "01" },
    },
  };
}

/** Throws the `CarrierError` of every answer that is no list. */
export function fromLocatorResponse(answer: HttpAnswer): CarrierLocation[] {
  const found = successOf(answer, "LocatorResponse");
  return listIn(found, "SearchResults", "DropLocation").flatMap((place) => {
    const id = codeIn(place, "LocationID");
    const address = candidateOf(valueIn(place, "AddressKeyFormat"));
    if (id === null || address === null) return [];
    const name = textIn(place, "AddressKeyFormat", "ConsigneeName") ?? `UPS ${id}`;
    return [{ id, name, address, distance_metres: distanceOf(valueIn(place, "Distance")) }];
  });
}

function distanceOf(distance: unknown): number | null {
  const value = textIn(distance, "Value");
  if (value === null || !/^\d{1,5}(\.\d{1,4})?$/.test(value)) return null;
  const metres = textIn(distance, "UnitOfMeasurement", "Code") === "MI" ? 1_609.344 : 1_000;
  return Math.round(Number(value) * metres);
}
