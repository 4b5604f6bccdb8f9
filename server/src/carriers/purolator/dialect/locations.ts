import { normalisePostalCode } from "../../../domain/postal/postal-codes.ts";
import { all, textAt, xml } from "../../protocol/xml.ts";
import { answer } from "./answers.ts";
import type { Answers, DialectCall } from "./purolator-dialect.ts";

/** Cities with their postal codes, and two invented depots. */
export const places: Answers = {
  ValidateCityPostalCodeZip: { dial: null, answer: checkCities },
  GetLocationsByPostalCode: { dial: null, answer: locations },
};

/** Every city has every postal code that may be one. */
function checkCities({ request, reply }: DialectCall) {
  const suggested = all(request, "Addresses/ShortAddress").map((address) => {
    const text = (name: string) => textAt(address, name) ?? "";
    const isCode = normalisePostalCode(text("Country"), text("PostalCode")) !== null;
    const error = xml("Error", [
      xml("Code", "postal_code_unknown"),
      xml("Description", "The postal code is not one."),
      xml("AdditionalInformation", ""),
    ]);
    return xml("SuggestedAddress", [
      xml("Address", [
        xml("City", text("City")),
        xml("Province", text("Province")),
        xml("Country", text("Country")),
        xml("PostalCode", text("PostalCode")),
      ]),
      xml("ResponseInformation", [xml("Errors", isCode ? [] : [error])]),
    ]);
  });
  return answer(reply, "ValidateCityPostalCodeZipResponse", [xml("SuggestedAddresses", suggested)]);
}

function locations({ reply }: DialectCall) {
  const depots = [
    ["D001", "Main Shipping Centre", "1", "0.8"],
    ["D002", "Airport Shipping Centre", "25", "6.4"],
  ].map(([id = "", name = "", number = "", distance = ""]) =>
    xml("DepotLocation", [
      xml("LocationId", id),
      xml("LocationName", name),
      xml("locationAddress", [
        xml("StreetNumber", number),
        xml("CityName", "OTTAWA"),
        xml("ProvinceStateCode", "ON"),
        xml("CountryCode", "CA"),
        xml("PostalCode", "K1A0B1"),
        xml("StreetName", "Depot"),
        xml("StreetType", "Road"),
      ]),
      xml("RadialDistanceInKM", distance),
    ]),
  );
  return answer(reply, "GetLocationsResponse", [xml("Locations", depots)]);
}
