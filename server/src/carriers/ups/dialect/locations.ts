import type { FastifyPluginAsync } from "fastify";
import { listIn, textIn, valueIn } from "../../protocol/json.ts";
import { invalid, succeeded } from "./refusals.ts";

/** UPS's address validation and drop-off locations. A street that begins with `unknown` has no candidate; every other one is valid. */
export function locationRoutes(): FastifyPluginAsync {
  return async (app) => {
    app.post(
      "/api/addressvalidation/:version/:option",
      { config: { simulated_operation: "quotes" } },
      async ({ body }) => {
        const given = valueIn(body, "XAVRequest", "AddressKeyFormat");
        const [line] = listIn(given, "AddressLine");
        const city = textIn(given, "PoliticalDivision2");
        if (textIn(given, "CountryCode") === null || city === null) throw invalid("XAVRequest");
        const street = textIn(line);
        if (street === null || /^unknown\b/i.test(street)) {
          return { XAVResponse: { Response: succeeded, NoCandidatesIndicator: "" } };
        }
        const AddressKeyFormat = {
          AddressLine: street.toUpperCase(),
          PoliticalDivision2: city.toUpperCase(),
          PoliticalDivision1: textIn(given, "PoliticalDivision1"),
          PostcodePrimaryLow: textIn(given, "PostcodePrimaryLow"),
          PostcodeExtendedLow: textIn(given, "PostcodeExtendedLow") ?? "0001",
          CountryCode: textIn(given, "CountryCode"),
        };
        const AddressClassification = { Code: "2", Description: "Residential" };
        return {
          XAVResponse: {
            Response: succeeded,
            ValidAddressIndicator: "",
            AddressClassification,
            Candidate: [{ AddressClassification, AddressKeyFormat }],
          },
        };
      },
    );

    app.post(
      "/api/locations/:version/search/availabilities/:option",
      { config: { simulated_operation: "quotes" } },
      async ({ body }) => {
        const origin = valueIn(body, "LocatorRequest", "OriginAddress", "AddressKeyFormat");
        const city = textIn(origin, "PoliticalDivision2");
        if (city === null) throw invalid("LocatorRequest");
        const place = (id: string, name: string, distance: string) => ({
          LocationID: id,
          AddressKeyFormat: {
            ConsigneeName: name,
            AddressLine: "1 MAIN ST",
            PoliticalDivision2: city.toUpperCase(),
            PoliticalDivision1: textIn(origin, "PoliticalDivision1"),
            PostcodePrimaryLow: textIn(origin, "PostcodePrimaryLow"),
            CountryCode: textIn(origin, "CountryCode"),
          },
          Distance: { Value: distance, UnitOfMeasurement: { Code: "KM" } },
        });
        return {
          LocatorResponse: {
            Response: { ResponseStatusCode: "1", ResponseStatusDescription: "Success" },
            SearchResults: {
              DropLocation: [
                place("136470", "UPS CUSTOMER CENTER", "1.2"),
                place("201155", "THE UPS STORE", "3.5"),
              ],
            },
          },
        };
      },
    );
  };
}
