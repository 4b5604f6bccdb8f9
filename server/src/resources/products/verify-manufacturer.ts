import type { Static } from "typebox";
import type { AccountContext, Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addProblem, throwIfAny } from "../../domain/errors/errors.ts";
import { isCountryCode } from "../../domain/postal/countries.ts";
import { withFields, withVerification } from "../../domain/products/change-product.ts";
import type { ManufacturerAddress } from "../../domain/products/mid-code.ts";
import {
  makersCountryProblem,
  readManufacturerAddress,
} from "../../domain/products/read-product.ts";
import {
  type ProductOrigin,
  Verification,
  verifyOrigin,
} from "../../domain/products/verification.ts";
import { bareHsCode, customsMessages } from "../../domain/shipments/shipment-rules.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { currentScreen } from "./denied-parties.ts";
import { rewriteProduct } from "./keep-product.ts";
import { ManufacturerToVerify } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Verifies a manufacturer's name and country (spec 4.7, decision 13). With a `sku` fields missing in the body
 * are the product's, given ones are stored with the product, and the product changes its status. Throws 404
 * for an unknown sku.
 */
export async function verifyManufacturer(ctx: Context, body: unknown): Promise<StoredResponse> {
  const given = readBody(body);
  const verifier = await verifierFor(ctx);
  return inTransaction(ctx.db, async (tx) => {
    if (given.sku == null) {
      const data = verifier(originOf(given, null));
      return recordResponse(tx, ctx, { answer: answer(200, Verification, data), subject_id: null });
    }
    const before = await store.lockProduct(tx, ctx.account.account_id, given.sku);
    const data = verifier(originOf(given, before));
    const taken = withFields(before, takenOver(given), "manual");
    await rewriteProduct(ctx, tx, { before, after: withVerification(taken, data) });
    const answered = answer(200, Verification, data);
    return recordResponse(tx, ctx, { answer: answered, subject_id: given.sku });
  });
}

/** Verifies against the current list of denied parties. */
export async function verifierFor(
  ctx: AccountContext,
): Promise<(origin: ProductOrigin) => Verification> {
  const list = await currentScreen(ctx);
  return (origin) => verifyOrigin(origin, { ...list, now: ctx.clock.now() });
}

/** The fields of the body, cleaned; those not given are absent. */
interface Given {
  sku: string | null;
  manufacturer?: string;
  country_of_origin?: string;
  manufacturer_address?: ManufacturerAddress;
  hs_code?: string;
}

/** Any text may be verified as the country of origin, so that the checks can report what is wrong with it. */
function readBody(body: unknown): Given {
  const problems = problemsOf(ManufacturerToVerify, body);
  const { sku = null, hs_code, ...given } = (body ?? {}) as Static<typeof ManufacturerToVerify>;
  const sentence = problems["hs_code"] || hs_code == null ? null : customsMessages.hs_code(hs_code);
  if (sentence) addProblem(problems, "hs_code", sentence);
  for (const field of ["manufacturer", "country_of_origin"] as const) {
    if (sku === null && given[field] == null)
      addProblem(problems, field, "is required without a sku.");
  }
  const wrong = makersCountryProblem(given.manufacturer_address);
  if (wrong && !problems[wrong[0]]) addProblem(problems, ...wrong);
  throwIfAny(problems);
  const address = readManufacturerAddress(given.manufacturer_address);
  return {
    sku,
    ...(given.manufacturer == null ? {} : { manufacturer: given.manufacturer.trim() }),
    ...(given.country_of_origin == null
      ? {}
      : { country_of_origin: given.country_of_origin.trim().toUpperCase() }),
    ...(address ? { manufacturer_address: address } : {}),
    ...(hs_code == null ? {} : { hs_code: bareHsCode(hs_code) }),
  };
}

function originOf(given: Given, product: store.ProductRow | null): ProductOrigin {
  const origin = { ...product, ...given };
  return {
    manufacturer: origin.manufacturer ?? null,
    country_of_origin: origin.country_of_origin ?? null,
    manufacturer_address: origin.manufacturer_address ?? null,
    hs_code: origin.hs_code ?? null,
  };
}

/** The product's new fields: the verified manufacturer. An invalid country is not stored. */
function takenOver({ manufacturer, country_of_origin, manufacturer_address }: Given) {
  const isCountry = isCountryCode(country_of_origin ?? "");
  return {
    ...(manufacturer ? { manufacturer: cleanText(manufacturer) } : {}),
    ...(isCountry ? { country_of_origin: country_of_origin! } : {}),
    ...(manufacturer_address ? { manufacturer_address } : {}),
  };
}
