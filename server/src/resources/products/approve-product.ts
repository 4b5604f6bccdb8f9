import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { ApiError, invalid } from "../../domain/errors/errors.ts";
import { approved, rejected, withFields } from "../../domain/products/change-product.ts";
import { readProduct } from "../../domain/products/read-product.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { rewriteProduct } from "./keep-product.ts";
import { Approval, Product, type Rejection } from "./schemas.ts";
import * as store from "./store.ts";
import { toProduct } from "./view.ts";

/**
 * Approves a product's customs data, with the code of the body if it has one. Throws 409 `conflict` when its
 * manufacturer failed, 422 when there is no HS code.
 */
export async function approveProduct(
  ctx: Context,
  sku: string,
  body: unknown,
): Promise<StoredResponse> {
  return decide(ctx, sku, (before) => {
    const read = readProduct(Approval, body ?? {});
    if (read.problems) throw invalid(read.problems);
    const { hs_code } = read.fields;
    const coded = hs_code == null ? before : withFields(before, { hs_code }, "manual");
    const after = approved(coded, ctx.clock.now());
    if (!after) throw manufacturerFailed(before);
    if (after.hs_code === null)
      throw invalid({ hs_code: ["is required: the product has none to approve."] });
    const { notes = null } = (body ?? {}) as Static<typeof Approval>;
    return { after, action: "product.approved", details: { hs_code: after.hs_code, notes } };
  });
}

/** Rejects it, with a reason; it can be changed and approved later. */
export async function rejectProduct(
  ctx: Context,
  sku: string,
  { reason }: Static<typeof Rejection>,
): Promise<StoredResponse> {
  return decide(ctx, sku, (before) => ({
    after: rejected(before, reason),
    action: "product.rejected",
    details: { hs_code: before.hs_code, reason },
  }));
}

interface Decision {
  after: store.ProductRow;
  action: string;
  details: object;
}

async function decide(
  ctx: Context,
  sku: string,
  decideOn: (before: store.ProductRow) => Decision,
): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    const before = await store.lockProduct(tx, account_id, sku);
    const { after, action, details } = decideOn(before);
    const row = await rewriteProduct(ctx, tx, { before, after });
    return recordResponse(tx, ctx, {
      answer: answer(200, Product, toProduct(row)),
      subject_id: sku,
      action,
      details,
    });
  });
}

function manufacturerFailed({ status, status_reason }: store.ProductRow): ApiError {
  return new ApiError("conflict", {
    message:
      "The product's manufacturer failed its verification; verify it again with POST /products/verify-manufacturer.",
    details: { status, status_reason },
  });
}
