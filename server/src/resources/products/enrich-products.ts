import { setImmediate } from "node:timers/promises";
import type { AccountContext } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { Classification, ProductFields } from "../../domain/products/product.ts";
import { isDecided } from "../../domain/products/product-states.ts";
import type { ProductOrigin, Verification } from "../../domain/products/verification.ts";
import { classifyGoods } from "./classify.ts";
import * as store from "./store.ts";
import { verifierFor } from "./verify-manufacturer.ts";

/** A product as a store describes it: only the fields that it has. */
export interface IncomingProduct {
  sku: string;
  fields: Partial<ProductFields>;
}

/** What has to be found out about products before the transaction that writes them begins. */
export interface Enrichment {
  /** By sku; those that need no code, or for which none was found, are absent. */
  found: ReadonlyMap<string, Classification>;
  /** By sku: why a row fails for good, because its texts would fail again and again. */
  given_up: ReadonlyMap<string, ApiError>;
  verify(origin: ProductOrigin): Verification;
}

/** The number of concurrent classifications: a classifier may be remote. */
const askedAtOnce = 4;
/** After so many failures in a row the classifier counts as down; further rows are imported without codes. */
const failuresMax = 3;

/**
 * Classifies the products without a code from their store or a person, unless their current description was
 * classified already, and prepares to verify all. Outside any transaction. A classifier that is down stops no
 * row: the product has no code then, and is classified at its next import.
 */
export async function enrichProducts(
  ctx: AccountContext,
  brought: readonly IncomingProduct[],
): Promise<Enrichment> {
  const { account_id } = ctx.account;
  const skus = brought.map(({ sku }) => sku);
  const known = new Map(
    (await store.listBySku(ctx.db, account_id, skus)).map((row) => [row.sku, row]),
  );
  const open = ctx.account.settings.auto_classify
    ? brought.filter((each) => needsCode(each, known.get(each.sku))).values()
    : [].values();
  const found = new Map<string, Classification>();
  const given_up = new Map<string, ApiError>();
  let failures = 0;
  async function askForSome(): Promise<void> {
    for (const { sku, fields } of open) {
      if (failures >= failuresMax) return;
      // A built-in search takes milliseconds; other work runs between two.
      await setImmediate();
      try {
        found.set(sku, await classifyGoods(ctx, goodsOf(sku, { ...known.get(sku), ...fields })));
        failures = 0;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (tookTooLong(error)) given_up.set(sku, error);
        else failures++;
        ctx.log.warn({ sku, err: error }, "import.not_classified");
      }
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, askForSome));
  return { found, given_up, verify: await verifierFor(ctx) };
}

/** The classifier works, and these texts exceed its limit. */
function tookTooLong({ details }: ApiError): boolean {
  return (details as { carrier_code?: unknown }).carrier_code === "took_too_long";
}

function needsCode({ fields }: IncomingProduct, known: store.ProductRow | undefined): boolean {
  if (fields.hs_code) return false;
  if (!known) return fields.title !== undefined;
  if (isDecided(known.status) || (known.hs_code && known.hs_code_source !== "classified"))
    return false;
  const isSaidAnew = (["title", "description"] as const).some(
    (field) => field in fields && fields[field] !== known[field],
  );
  return known.classification === null || isSaidAnew;
}

function goodsOf(sku: string, said: Partial<ProductFields>) {
  return {
    sku,
    title: said.title ?? "",
    description: said.description ?? "",
    country_of_origin: said.country_of_origin ?? null,
    destination_country: null,
  };
}
