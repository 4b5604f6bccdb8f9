import type { Address } from "../../domain/addresses/address.ts";
import type { HttpAnswer } from "../../transport/http-call.ts";
import type { AddressCandidate, AddressFinding, CarrierAddresses } from "../capabilities.ts";
import { compact, listIn, textIn, valueIn } from "../protocol/json.ts";
import type { UpsClient } from "./client.ts";
import { successOf } from "./errors.ts";
import { plain } from "./parties.ts";

/** UPS's check of an address: of the street, and whether it is a home. It knows those of two countries. */

const covered = new Set(["US", "PR"]);

/** Both its kinds: validation and classification. */
const checkPath = "/api/addressvalidation/v2/3";

export function upsAddresses(client: UpsClient, timeout_ms: number): CarrierAddresses {
  return {
    async check({ context, address }, signal) {
      if (!covered.has(address.country_code)) {
        return { state: "not_covered", candidates: [], is_residential: null };
      }
      const body = toAddressRequest(address);
      const call = { context, method: "POST", path: checkPath, body, signal, timeout_ms } as const;
      return fromAddressResponse(await client.call(call));
    },
  };
}

export function toAddressRequest(address: Address): object {
  const { address1, address2, city, province_code, postal_code, country_code } = address;
  const [primary, extended] = (postal_code ?? "").split("-");
  const name = plain(address.company ?? address.name ?? "").slice(0, 40);
  return {
    XAVRequest: {
      AddressKeyFormat: compact({
        ConsigneeName: name || null,
        AddressLine: [address1, address2 ?? ""].map(plain).filter((line) => line !== ""),
        PoliticalDivision2: plain(city).slice(0, 30),
        PoliticalDivision1: province_code,
        PostcodePrimaryLow: primary?.slice(0, 10) || null,
        PostcodeExtendedLow: extended?.slice(0, 10) || null,
        CountryCode: country_code,
      }),
    },
  };
}

/** Throws the `CarrierError` of every answer that is no finding. */
export function fromAddressResponse(answer: HttpAnswer): AddressFinding {
  const found = successOf(answer, "XAVResponse");
  const given = listIn(found, "Candidate");
  const has = (name: string) => valueIn(found, name) !== undefined;
  const state = has("ValidAddressIndicator")
    ? "found"
    : has("AmbiguousAddressIndicator")
      ? "ambiguous"
      : "not_found";
  // 0 is unknown, 1 commercial, 2 residential.
  const kind =
    textIn(found, "AddressClassification", "Code") ??
    textIn(given[0], "AddressClassification", "Code");
  return {
    state,
    candidates: given.flatMap((each) => candidateOf(valueIn(each, "AddressKeyFormat")) ?? []),
    is_residential: kind === "2" ? true : kind === "1" ? false : null,
  };
}

/** Null for a place without a city. UPS answers none for a street: then only the city is known. */
export function candidateOf(place: unknown): AddressCandidate | null {
  const lines = listIn(place, "AddressLine").flatMap((line) => textIn(line) ?? []);
  const city = textIn(place, "PoliticalDivision2");
  const country_code = textIn(place, "CountryCode");
  if (city === null || country_code === null) return null;
  const [primary, extended] = ["PostcodePrimaryLow", "PostcodeExtendedLow"].map((name) =>
    textIn(place, name),
  );
  return {
    address1: lines[0] ?? "",
    address2: lines.slice(1).join(", ") || null,
    city,
    province_code: textIn(place, "PoliticalDivision1"),
    postal_code: primary && extended ? `${primary}-${extended}` : (primary ?? null),
    country_code,
  };
}
