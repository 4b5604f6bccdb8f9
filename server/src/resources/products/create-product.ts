import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { ApiError, invalid } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { neverSeen, withFields } from "../../domain/products/change-product.ts";
import { NewProduct, type ProductFields } from "../../domain/products/product.ts";
import { readProduct } from "../../domain/products/read-product.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { tellOfMoves } from "./keep-product.ts";
import { Product } from "./schemas.ts";
import * as store from "./store.ts";
import { toProduct } from "./view.ts";

/**
 * `POST /products`, which the specification both leaves out and lists (decision 13): off unless the account's
 * `products_api_create` is on. Throws 405 when it is off, 409 `conflict` for a sku that exists already.
 */
export async function createProduct(ctx: Context, body: unknown): Promise<StoredResponse> {
  refuseUnlessSwitchedOn(ctx);
  const read = readProduct(NewProduct, body);
  if (read.problems) throw invalid(read.problems);
  const row = newProduct(ctx, { sku: read.sku!, fields: read.fields, source: "manual" });
  return inTransaction(ctx.db, async (tx) => {
    if ((await store.insertProducts(tx, [row])).size === 0) throw alreadyThere(row.sku);
    await tellOfMoves(ctx, tx, [{ before: null, after: row }]);
    return recordResponse(tx, ctx, {
      answer: answer(201, Product, toProduct(row)),
      subject_id: row.sku,
    });
  });
}

function refuseUnlessSwitchedOn({ account }: Context): void {
  if (account.settings.products_api_create) return;
  throw new ApiError("method_not_allowed", {
    message:
      "Products come from stores: import them with POST /imports/products, and change them with PUT /products/{sku}.",
    details: {
      allow: "GET, HEAD",
      import: "POST /imports/products",
      setting: "products_api_create",
    },
  });
}

function alreadyThere(sku: string): ApiError {
  return new ApiError("conflict", {
    message: "There is a product of that sku; change it with PUT /products/{sku}.",
    details: { sku },
  });
}

/** The row of a new product, whatever its origin. An amount without a currency is in the account's. */
export function newProduct(
  ctx: Pick<Context, "account" | "clock">,
  {
    sku,
    fields,
    source,
  }: { sku: string; fields: Partial<ProductFields>; source: "import" | "manual" },
): store.ProductRow {
  const now = ctx.clock.now();
  const unsaid = {
    ...neverSeen,
    account_id: ctx.account.account_id,
    sku,
    id: newId("prd", now),
    title: fields.title ?? "",
    created_at: now,
    updated_at: now,
  };
  const currency = fields.value_cents == null ? null : (fields.currency ?? ctx.account.currency);
  return withFields<store.ProductRow>(unsaid, { ...fields, currency }, source);
}
