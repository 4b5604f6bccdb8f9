import type { Context } from "../../context.ts";
import {
  mismatchProblem,
  normaliseAddress,
  postalCodeProblem,
  countryProblem,
  provinceProblem,
} from "../../domain/addresses/address-rules.ts";
import type { Address } from "../../domain/addresses/address.ts";
import {
  addProblem,
  addRuleProblems,
  invalid,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import type { NewPackage } from "../../domain/goods/parcel.ts";
import { provinceOf } from "../../domain/postal/regions.ts";
import {
  isRecord,
  normalisePackage,
  packageProblems,
} from "../../domain/shipments/shipment-rules.ts";
import { cleanText } from "../../domain/text/text.ts";
import { fittingFields } from "../../domain/validation/fitting-fields.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import type { QuotableShipment } from "../../purchasing/quotes/quote-shipment.ts";
import { typeOf } from "../../shipping/shipments/new-shipment.ts";
import { EstimateRequest } from "./schemas.ts";

/**
 * An estimate's shipment: two locations and a weight are real, and every field that does not affect the price is left
 * blank. Throws 422 with the failing fields by their own names.
 */
export function readEstimate(
  ctx: Context,
  body: unknown,
): { shipment: QuotableShipment; timeout: number | null | undefined } {
  const problems = problemsOf(EstimateRequest, body);
  if (typeOf(body) === "ltl")
    problems["type"] = ["is estimated by a whole body, with to_address and handling_units."];
  if (!isRecord(body) || Array.isArray(body)) throw invalid(problems);
  const isSound = Object.keys(problems).length === 0;
  const fields = isSound ? (body as EstimateRequest) : fittingFields(EstimateRequest, body);
  const rules: Problems = {};
  const from = originOf(ctx, rules, { fields, body });
  const to = destinationOf(rules, fields);
  const { weight, weight_unit, length, width, height, size_unit } = body as EstimateRequest;
  const parcel: NewPackage = { weight, weight_unit, length, width, height, size_unit };
  Object.assign(rules, packageProblems(parcel));
  addRuleProblems(problems, rules);
  throwIfAny(problems);
  return { shipment: parcelBetween(from!, to!, parcel), timeout: fields.timeout };
}

/** Null where it cannot be determined. */
function originOf(
  ctx: Context,
  problems: Problems,
  { fields, body }: { fields: Partial<EstimateRequest>; body: Record<string, unknown> },
): Address | null {
  const home = ctx.account.default_from_address;
  const { from_postal_code: postal, from_country_code: country } = fields;
  // Without its country a postal code cannot be judged.
  if (body["from_country_code"] != null && country == null) return null;
  if (postal || country != null)
    return placeOf(problems, "from", { country: country ?? home?.country_code ?? "CA", postal });
  if (!home)
    addProblem(
      problems,
      "from_postal_code",
      "is required, because the account has no default ship-from address.",
    );
  return home;
}

/** Null without a country. */
function destinationOf(
  problems: Problems,
  {
    to_country_code: country,
    to_postal_code: postal,
    to_province_code: province,
  }: Partial<EstimateRequest>,
): Address | null {
  return country === undefined ? null : placeOf(problems, "to", { country, postal, province });
}

function parcelBetween(from: Address, to: Address, parcel: NewPackage): QuotableShipment {
  return {
    type: "courier",
    handling_units: [],
    pickup: null,
    delivery: null,
    from_address: from,
    to_address: to,
    return_address: from,
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

/** Where the price is by the postal code; elsewhere the country is enough for an estimate (decision 7). */
const priceByCode = new Set(["CA", "US"]);

function codeProblem({
  country,
  postal,
  province,
}: {
  country: string;
  postal: string | null;
  province: string | null;
}): string | null {
  if (postal === null) return priceByCode.has(country) ? postalCodeProblem(country, postal) : null;
  const mismatch = province === null ? null : mismatchProblem(country, province, postal);
  return postalCodeProblem(country, postal) ?? mismatch;
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
    postal_code: codeProblem({ country, postal, province }),
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
