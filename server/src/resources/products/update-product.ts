import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addProblem, invalid } from "../../domain/errors/errors.ts";
import { withFields } from "../../domain/products/change-product.ts";
import { ProductChanges, type ProductFields } from "../../domain/products/product.ts";
import { readProduct } from "../../domain/products/read-product.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { rewriteProduct } from "./keep-product.ts";
import { Product } from "./schemas.ts";
import * as store from "./store.ts";
import { toProduct } from "./view.ts";

/**
 * Changes the fields that the body names. An approved product whose customs data change waits for approval
 * again (decision 13).
 */
export async function updateProduct(
  ctx: Context,
  sku: string,
  body: unknown,
): Promise<StoredResponse> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await store.lockProduct(tx, ctx.account.account_id, sku);
    const read = readProduct(ProductChanges, body);
    const problems = read.problems ?? {};
    if (!read.problems && read.sku !== null && read.sku !== sku)
      addProblem(problems, "sku", "cannot change: it is what a product is known by.");
    if (read.problems || Object.keys(problems).length > 0) throw invalid(problems);
    const after = withFields(before, inCurrency(ctx, before, read.fields), "manual");
    const changed = await rewriteProduct(ctx, tx, { before, after });
    return recordResponse(tx, ctx, {
      answer: answer(200, Product, toProduct(changed)),
      subject_id: sku,
    });
  });
}

/** A first amount without a currency is in the account's. */
export function inCurrency(
  { account }: Pick<Context, "account">,
  before: store.ProductRow,
  fields: Partial<ProductFields>,
): Partial<ProductFields> {
  if (fields.value_cents == null || fields.currency) return fields;
  return { ...fields, currency: before.currency ?? account.currency };
}
