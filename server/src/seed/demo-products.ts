import type { Context } from "../context.ts";
import { inTransaction } from "../database/connect.ts";
import { toCents } from "../domain/values/money.ts";
import { approveProduct, mergeProducts, enrichProducts } from "../resources/products/service.ts";
import { goods } from "./demo-shipments.ts";

/**
 * The products of the invented shop: most of them approved, one that waits, one without a country of origin.
 */
export async function bringDemoProducts(ctx: Context): Promise<void> {
  const brought = goods.map(({ sku, title, value, weight, hs_code }, index) => ({
    sku,
    fields: {
      title,
      hs_code,
      manufacturer: "Maple & Pine Workshop",
      ...(index === goods.length - 1 ? {} : { country_of_origin: "CA" }),
      value_cents: toCents(value),
      currency: "CAD",
      weight,
      weight_unit: "kg" as const,
      store: "shopify",
      external_id: title.toLowerCase().replaceAll(/\W+/g, "-"),
    },
  }));
  const enrichment = await enrichProducts(ctx, brought);
  await inTransaction(ctx.db, (tx) => mergeProducts(ctx, tx, { brought, enrichment }));
  for (const { sku } of goods.slice(0, -2)) await approveProduct(ctx, sku, null);
}
