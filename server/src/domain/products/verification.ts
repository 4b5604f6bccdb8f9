import { Type, type Static } from "typebox";
import { isCountryCode } from "../postal/countries.ts";
import { Annotated, Moment, Nullable, OneOf } from "../values/schema.ts";
import { cleanText } from "../text/text.ts";
import type { Screen } from "./denied-parties.ts";
import { midCode, type ManufacturerAddress } from "./mid-code.ts";
import { preferenceOf } from "./preference.ts";

/** Verifies a product's manufacturer and its address (decision 13): the checks, and the result of each. */

export const Verification = Type.Object(
  {
    status: OneOf(["verified", "failed", "needs_review"], { $id: "VerificationStatus" }),
    cusma_eligible: Type.Boolean({
      description:
        "Made in Canada, the United States or Mexico by a named manufacturer that is not a denied party.",
    }),
    preference_criterion: Nullable(
      Annotated(OneOf(["A", "B", "C", "D"], { $id: "PreferenceCriterion" }), {
        description: "CUSMA's A to D; null when origin and heading do not decide it.",
      }),
    ),
    checks: Type.Array(
      Type.Object(
        { code: Type.String(), passed: Type.Boolean(), message: Type.String() },
        { $id: "VerificationCheck" },
      ),
    ),
    reasons: Type.Array(Type.String({ description: "What the checks that did not pass say." })),
    certificate_required: Type.Boolean({
      description: "Whether claiming the preference takes a certification of origin.",
    }),
    mid_code: Nullable(
      Type.String({
        description: "For United States Customs, when the manufacturer's address is known.",
      }),
    ),
    verified_at: Moment(),
  },
  { $id: "Verification" },
);
export type Verification = Static<typeof Verification>;

export interface ProductOrigin {
  manufacturer: string | null;
  country_of_origin: string | null;
  manufacturer_address: ManufacturerAddress | null;
  hs_code: string | null;
}

/** `weighs` is the effect on the overall result when the check does not pass. */
interface Check {
  code: string;
  passed: boolean;
  message: string;
  weighs: "failed" | "needs_review" | "nothing";
}

export function verifyOrigin(
  origin: ProductOrigin,
  { screen, is_test_list, now }: { screen: Screen; is_test_list: boolean; now: Date },
): Verification {
  const name = cleanText(origin.manufacturer ?? "");
  const country = cleanText(origin.country_of_origin ?? "")?.toUpperCase() ?? null;
  const mid = midOf(origin, name, country);
  const preference =
    country && isCountryCode(country) ? preferenceOf(country, origin.hs_code) : null;
  const checks: Check[] = [
    presence("manufacturer", name),
    presence("country_of_origin", country),
    ...(country ? [validCountry(country)] : []),
    ...(preference ? [cusmaCountry(country!, preference.is_party)] : []),
    ...(preference?.is_party ? [criterion(preference)] : []),
    ...(origin.manufacturer_address ? [midCheck(mid)] : []),
    ...(name ? [deniedParty(name, { screen, is_test_list })] : []),
  ];
  const isWrong = (weighs: Check["weighs"]) =>
    checks.some((check) => !check.passed && check.weighs === weighs);
  const status = isWrong("failed")
    ? "failed"
    : isWrong("needs_review")
      ? "needs_review"
      : "verified";
  const cusma_eligible = status !== "failed" && preference?.is_party === true;
  return {
    status,
    cusma_eligible,
    preference_criterion: cusma_eligible ? (preference?.criterion ?? null) : null,
    checks: checks.map(({ code, passed, message }) => ({ code, passed, message })),
    reasons: checks.filter(({ passed }) => !passed).map(({ message }) => message),
    certificate_required: cusma_eligible,
    mid_code: mid,
    verified_at: now.toISOString(),
  };
}

function presence(field: "manufacturer" | "country_of_origin", value: string | null): Check {
  const passed = value !== null;
  const message = passed ? `The ${field} is given.` : `The ${field} is missing.`;
  return { code: `${field}_present`, passed, message, weighs: "failed" };
}

function validCountry(country: string): Check {
  const passed = isCountryCode(country);
  const message = passed
    ? `${country} is a country of ISO 3166-1.`
    : `"${country}" is not an ISO 3166-1 alpha-2 country code.`;
  return { code: "country_of_origin_valid", passed, message, weighs: "failed" };
}

function cusmaCountry(country: string, passed: boolean): Check {
  const message = passed
    ? `${country} is a party to CUSMA.`
    : `${country} is not a party to CUSMA, so the goods get no preference under it.`;
  return { code: "cusma_country", passed, message, weighs: "nothing" };
}

function criterion(preference: ReturnType<typeof preferenceOf>): Check {
  return {
    code: "preference_criterion",
    passed: preference.criterion !== null,
    message: preference.message,
    weighs: "needs_review",
  };
}

function midOf(origin: ProductOrigin, name: string | null, country: string | null): string | null {
  if (!name || !country || !origin.manufacturer_address) return null;
  return midCode(name, origin.manufacturer_address, country);
}

function midCheck(mid: string | null): Check {
  const message = mid
    ? `The manufacturer identification code is ${mid}.`
    : "No manufacturer identification code can be built: it takes a name, a city and, in Canada, a province.";
  return { code: "mid_code", passed: mid !== null, message, weighs: "nothing" };
}

/** From this score on a name counts as the same one, not as a similar one. */
const sameNameScore = 0.95;

function deniedParty(
  name: string,
  { screen, is_test_list }: { screen: Screen; is_test_list: boolean },
): Check {
  const match = screen(name);
  const list = is_test_list ? "the built-in test list" : "the list of denied parties";
  const message = match
    ? `"${name}" is like "${match.name}" of ${match.source} (${match.score.toFixed(2)}).`
    : `Nobody of that name is on ${list}.`;
  const weighs = match && match.score >= sameNameScore ? "failed" : "needs_review";
  return { code: "denied_party", passed: match === null, message, weighs };
}
