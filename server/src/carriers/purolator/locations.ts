import type { AddressFinding, CarrierLocation } from "../capabilities.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { all, textAt, xml, type XmlElement, type XmlOutput } from "../protocol/xml.ts";
import { errorsIn } from "./errors.ts";
import { postalCode } from "./parties.ts";

/** Cities with their postal codes, and the places where parcels are handed over. No I/O. */

export function toCityCheck(
  of: Pick<Address, "city" | "province_code" | "country_code" | "postal_code">,
): XmlOutput[] {
  return [
    xml("Addresses", [
      xml("ShortAddress", [
        xml("City", of.city),
        xml("Province", of.province_code ?? ""),
        xml("Country", of.country_code),
        xml("PostalCode", postalCode(of)),
      ]),
    ]),
  ];
}

/** Purolator knows a city and its postal codes, and no street: the first line is whatever it was. */
export function fromCityCheck(result: XmlElement, asked: Address): AddressFinding {
  const suggested = all(result, "SuggestedAddresses/SuggestedAddress");
  const candidates = suggested.flatMap((each) => {
    const text = (name: string) => textAt(each, `Address/${name}`);
    const city = text("City");
    if (city === null || errorsIn(each).length > 0) return [];
    const postal_code = text("PostalCode");
    return [
      {
        address1: asked.address1,
        address2: asked.address2,
        city,
        province_code: text("Province"),
        postal_code: postal_code?.replace(/^(\w{3})(\w{3})$/, "$1 $2") ?? null,
        country_code: text("Country") ?? asked.country_code,
      },
    ];
  });
  const isSame = candidates.some(
    ({ city, province_code }) =>
      city.toLowerCase() === asked.city.toLowerCase() && province_code === asked.province_code,
  );
  const state = isSame ? "found" : candidates.length > 0 ? "ambiguous" : "not_found";
  return { state, candidates, is_residential: null };
}

export function toLocatorRequest(of: Address, limit: number): XmlOutput[] {
  return [
    xml("PostalCode", postalCode(of)),
    xml("SearchOptions", [xml("RadialDistanceInKM", 50), xml("MaxNumberOfLocations", limit)]),
  ];
}

/** Those that have an id and an address. */
export function fromLocator(result: XmlElement): CarrierLocation[] {
  return all(result, "Locations/DepotLocation").flatMap((place) => {
    const text = (path: string) => textAt(place, path);
    const id = text("LocationId");
    const street = [
      text("locationAddress/StreetNumber"),
      text("locationAddress/StreetName"),
      text("locationAddress/StreetType"),
    ]
      .filter(Boolean)
      .join(" ");
    const address1 = text("locationAddress/AddressLine1") ?? street;
    if (id === null || address1 === "") return [];
    const address = {
      address1,
      address2: text("locationAddress/AddressLine2"),
      city: text("locationAddress/CityName") ?? "",
      province_code: text("locationAddress/ProvinceStateCode"),
      postal_code: text("locationAddress/PostalCode")?.replace(/^(\w{3})(\w{3})$/, "$1 $2") ?? null,
      country_code: text("locationAddress/CountryCode") ?? "CA",
    };
    return [
      {
        id,
        name: text("LocationName") ?? id,
        address,
        distance_metres: metres(text("RadialDistanceInKM")),
      },
    ];
  });
}

function metres(kilometres: string | null): number | null {
  if (kilometres === null || !/^\d{1,5}(\.\d{1,10})?$/.test(kilometres)) return null;
  return Math.round(Number(kilometres) * 1_000);
}
