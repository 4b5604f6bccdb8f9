import type { Context } from "../../context.ts";
import { allows, type Scope } from "../../domain/accounts/scopes.ts";
import { batchStatuses } from "../../domain/batches/batch-states.ts";
import { orderStatuses } from "../../domain/orders/order-status.ts";
import { productStatuses } from "../../domain/products/product-states.ts";
import { shipmentStatuses } from "../../domain/shipments/shipment-status.ts";
import { keyOf, type Counts } from "./schemas.ts";
import { countByStatus } from "./store.ts";

const most = 10_000;

const counted = [
  { of: "shipments", statuses: shipmentStatuses, scopes: ["shipments:read"] },
  { of: "orders", statuses: orderStatuses, scopes: ["orders:read"] },
  { of: "products", statuses: productStatuses, scopes: ["products:read"] },
  { of: "batches", statuses: batchStatuses, scopes: ["batches:read", "shipments:read"] },
] as const satisfies { of: string; statuses: readonly string[]; scopes: readonly Scope[] }[];

/** How many there are of each status, of what the token may read; up to 10,000 of each. */
export async function countEverything({ db, account, token }: Context): Promise<Counts> {
  const shown = counted.filter(({ scopes }) => allows(token.scopes, scopes));
  const counts = await Promise.all(
    shown.map(async ({ of, statuses }) => {
      const rows = await countByStatus(db, account.account_id, { of, statuses, most });
      return [of, Object.fromEntries(rows.map(({ status, count }) => [keyOf(status), count]))];
    }),
  );
  return { ...(Object.fromEntries(counts) as Partial<Counts>), capped_at: most };
}
