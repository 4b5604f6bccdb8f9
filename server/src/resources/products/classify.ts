import type { Static } from "typebox";
import type { AccountContext, Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addProblem, ApiError, throwIfAny } from "../../domain/errors/errors.ts";
import { isCountryCode } from "../../domain/postal/countries.ts";
import { approvedIfConfident } from "../../domain/products/auto-approve.ts";
import { withClassification } from "../../domain/products/change-product.ts";
import { Classification } from "../../domain/products/product.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import {
  ClassifierError,
  type GoodsToClassify,
} from "../../providers/classification/classifier.ts";
import { rewriteProduct } from "./keep-product.ts";
import { GoodsToClassify as Body } from "./schemas.ts";
import * as store from "./store.ts";

/**
 * Finds the customs code of goods (spec 4.7, decision 13). With a `sku` fields missing in the body are the
 * product's, and the product takes over the code and changes its status. Throws 404 for an unknown sku, 502
 * `classifier_error`.
 */
export async function classifyProduct(ctx: Context, body: unknown): Promise<StoredResponse> {
  const given = readBody(body);
  const { account_id } = ctx.account;
  const product = given.sku === null ? null : await store.getProduct(ctx.db, account_id, given.sku);
  const data = await classifyGoods(ctx, goodsOf(given, product));
  return inTransaction(ctx.db, async (tx) => {
    if (product) {
      const before = await store.lockProduct(tx, account_id, product.sku);
      const { auto_approve_confidence: least } = ctx.account.settings;
      const after = approvedIfConfident(withClassification(before, data), {
        least,
        at: ctx.clock.now(),
      });
      await rewriteProduct(ctx, tx, { before, after });
    }
    return recordResponse(tx, ctx, {
      answer: answer(200, Classification, data),
      subject_id: product?.sku ?? null,
    });
  });
}

/** Calls the account's classifier. Outside any transaction. Throws 502 `classifier_error` (decision 2). */
export async function classifyGoods(
  { classifiers, metrics, account }: AccountContext,
  goods: GoodsToClassify,
): Promise<Classification> {
  const classifier = classifiers.forAccount(account);
  metrics.carrier_calls.inc({ carrier: classifier.party, operation: "classify" });
  try {
    return await classifier.classify(goods);
  } catch (error) {
    throw error instanceof ClassifierError ? refusalBy(error) : error;
  }
}

function refusalBy(error: ClassifierError): ApiError {
  return new ApiError("classifier_error", {
    details: {
      carrier: error.party,
      carrier_code: error.party_code,
      carrier_message: error.message,
      retryable: error.is_retryable,
    },
    cause: error,
  });
}

type Given = { [Field in keyof GoodsToClassify]: GoodsToClassify[Field] | null };

function readBody(body: unknown): Given {
  const problems = problemsOf(Body, body);
  const given = (body ?? {}) as Static<typeof Body>;
  const has = (field: string) => field in problems;
  const title = has("title") || given.title == null ? null : cleanText(given.title);
  if (!has("title") && given.title != null && title === null)
    addProblem(problems, "title", "must not be empty.");
  if (!has("title") && !has("") && given.title == null && given.sku == null)
    addProblem(problems, "title", "is required without a sku.");
  const country = (field: "country_of_origin" | "destination_country") => {
    const code = has(field) ? null : (given[field]?.toUpperCase() ?? null);
    if (code !== null && !isCountryCode(code))
      addProblem(problems, field, "is not an ISO 3166-1 alpha-2 country code.");
    return code;
  };
  const countries = {
    country_of_origin: country("country_of_origin"),
    destination_country: country("destination_country"),
  };
  throwIfAny(problems);
  return { title, description: given.description ?? null, sku: given.sku ?? null, ...countries };
}

function goodsOf(given: Given, product: store.ProductRow | null): GoodsToClassify {
  return {
    ...given,
    title: given.title ?? product?.title ?? "",
    description: given.description ?? product?.description ?? "",
    country_of_origin: given.country_of_origin ?? product?.country_of_origin ?? null,
  };
}
