import type { AccountContext } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { invalid, type ErrorBody } from "../../domain/errors/errors.ts";
import { approvedIfConfident } from "../../domain/products/auto-approve.ts";
import {
  withClassification,
  withFields,
  withVerification,
} from "../../domain/products/change-product.ts";
import { isDecided } from "../../domain/products/product-states.ts";
import { newProduct } from "./create-product.ts";
import { tellOfMoves, type ProductChange } from "./keep-product.ts";
import type { IncomingProduct, Enrichment } from "./enrich-products.ts";
import * as store from "./store.ts";
import { inCurrency } from "./update-product.ts";

/** How products are imported from stores: many at once, each created or updated, classified and verified. */

export type Outcome =
  { status: "created" | "updated"; error: null } | { status: "error"; error: ErrorBody };

/** Another process created a product with one of the skus since the check: all of it has to be done again. */
export class SkuTaken extends Error {}

/** Returns the result of each, in order. No two may have one sku. Throws `SkuTaken`. */
export async function mergeProducts(
  ctx: AccountContext,
  tx: Tx,
  { brought, enrichment }: { brought: readonly IncomingProduct[]; enrichment: Enrichment },
): Promise<Outcome[]> {
  const skus = brought.map(({ sku }) => sku);
  const known = await store.lockProducts(tx, ctx.account.account_id, skus);
  const bySku = new Map(known.map((row) => [row.sku, row]));
  const changes: ProductChange[] = [];
  const outcomes = brought.map(({ sku, fields }): Outcome => {
    const before = bySku.get(sku) ?? null;
    const failure = enrichment.given_up.get(sku);
    if (failure) return { status: "error", error: failure.toBody() };
    if (!before && fields.title === undefined)
      return { status: "error", error: invalid({ title: [titleMissing] }).toBody() };
    const said = before
      ? withFields(before, inCurrency(ctx, before, fields), "import")
      : newProduct(ctx, { sku, fields, source: "import" });
    const after = { ...lookedAt(ctx, said, enrichment), updated_at: ctx.clock.now() };
    changes.push({ before, after });
    return { status: before ? "updated" : "created", error: null };
  });
  await keep(ctx, tx, changes);
  return outcomes;
}

const titleMissing = "is required: there is no product of that sku yet.";

/** A product that a person has decided on, and the store has not changed since, is not processed again. */
function lookedAt(
  { account, clock }: AccountContext,
  row: store.ProductRow,
  { found, verify }: Enrichment,
): store.ProductRow {
  if (isDecided(row.status)) return row;
  const classification = found.get(row.sku);
  const coded = classification ? withClassification(row, classification) : row;
  const { auto_approve_confidence } = account.settings;
  return approvedIfConfident(withVerification(coded, verify(coded)), {
    least: auto_approve_confidence,
    at: clock.now(),
  });
}

async function keep(ctx: AccountContext, tx: Tx, changes: readonly ProductChange[]): Promise<void> {
  const created = changes.filter(({ before }) => before === null).map(({ after }) => after);
  const inserted = await store.insertProducts(tx, created);
  if (inserted.size < created.length) throw new SkuTaken();
  const updated = changes.filter(({ before }) => before !== null).map(({ after }) => after);
  await store.rewriteProducts(tx, updated);
  await tellOfMoves(ctx, tx, changes);
}
