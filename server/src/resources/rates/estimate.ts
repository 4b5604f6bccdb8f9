import type { Context } from "../../context.ts";
import {
  mismatchProblem,
  normaliseAddress,
  postalCodeProblem,
  countryProblem,
  provinceProblem,
} from "../../domain/addresses/address-rules.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { addProblem, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import type { NewPackage } from "../../domain/goods/parcel.ts";
import { provinceOf } from "../../domain/postal/regions.ts";
import { normalisePackage, packageProblems } from "../../domain/shipments/shipment-rules.ts";
import { cleanText } from "../../domain/text/text.ts";
import type { QuotableShipment } from "../../purchasing/quotes/quote-shipment.ts";
import type { EstimateRequest } from "./schemas.ts";

/**
 * The shipment of an estimate: two locations and a weight are real, and every field that does not affect the
 * price is left blank. Throws 422 with the failing fields by their own names.
 */
export function readEstimate(ctx: Context, body: EstimateRequest): QuotableShipment {
  const problems: Problems = {};
  const home = ctx.account.default_from_address;
  const from = body.from_postal_code
    ? placeOf(problems, "from", {
        country: body.from_country_code ?? home?.country_code ?? "CA",
        postal: body.from_postal_code,
      })
    : home;
  if (!from)
    addProblem(
      problems,
      "from_postal_code",
      "is required, because the account has no default ship-from address.",
    );
  const to = placeOf(problems, "to", {
    country: body.to_country_code,
    postal: body.to_postal_code,
    province: body.to_province_code,
  });
  const { weight, weight_unit, length, width, height, size_unit } = body;
  const parcel: NewPackage = { weight, weight_unit, length, width, height, size_unit };
  Object.assign(problems, packageProblems(parcel));
  throwIfAny(problems);
  return {
    type: "courier",
    handling_units: [],
    pickup: null,
    delivery: null,
    from_address: from!,
    to_address: to,
    return_address: from!,
    is_return: false,
    packages: [normalisePackage(parcel, newId("pkg"))],
    items: [],
    contents_type: null,
    incoterm: null,
    reference: null,
    add_ons: [],
    signature_confirmation: null,
    insured_value_cents: null,
    rule_terms: null,
  };
}

/** An address of which only the location matters; its province is derived from the code when not given. */
function placeOf(
  problems: Problems,
  end: "from" | "to",
  place: { country: string; postal: string | null | undefined; province?: string | null },
): Address {
  const country = place.country.toUpperCase();
  const postal = cleanText(place.postal ?? "");
  const province =
    place.province?.toUpperCase() ?? (postal === null ? null : provinceOf(country, postal));
  const wrong = {
    country_code: countryProblem(country),
    province_code: province === null ? null : provinceProblem(country, province),
    postal_code:
      postalCodeProblem(country, postal) ??
      (province === null || postal === null ? null : mismatchProblem(country, province, postal)),
  };
  for (const [field, sentence] of Object.entries(wrong)) {
    if (sentence) addProblem(problems, `${end}_${field}`, `${end}_${sentence}`);
  }
  return normaliseAddress({
    name: "Estimate",
    address1: "-",
    city: "-",
    province_code: province,
    postal_code: postal,
    country_code: country,
  });
}
