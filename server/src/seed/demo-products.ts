import type { Context } from "../context.ts";
import { inTransaction } from "../database/connect.ts";
import { toCents } from "../domain/values/money.ts";
import {
  approveProduct,
  createProduct,
  enrichProducts,
  mergeProducts,
  rejectProduct,
} from "../resources/products/service.ts";
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
  await bringOddProducts(ctx);
}

/** Those that no store has described well enough: as a person enters them, in every other state. */
async function bringOddProducts(ctx: Context): Promise<void> {
  const settings = { ...ctx.account.settings, products_api_create: true };
  const entering = { ...ctx, account: { ...ctx.account, settings } };
  await createProduct(entering, { sku: "PEELER-OAK", title: "Oak peeler" });
  await createProduct(entering, { sku: "JAR-GLASS", title: "Glass jar", hs_code: "701090" });
  await createProduct(entering, { sku: "KNIFE-OLD", title: "Antique knife", hs_code: "821192" });
  await rejectProduct(ctx, "KNIFE-OLD", { reason: "The age decides the code; ask the seller." });
  const fields = {
    title: "Porcelain tea bowl",
    hs_code: "691110",
    manufacturer: "Jingdezhen Kiln Works",
    country_of_origin: "CN",
    store: "shopify",
    external_id: "porcelain-tea-bowl",
  };
  const brought = [{ sku: "BOWL-TEA", fields }];
  const enrichment = await enrichProducts(ctx, brought);
  await inTransaction(ctx.db, (tx) => mergeProducts(ctx, tx, { brought, enrichment }));
}
