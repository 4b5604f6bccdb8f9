import { sql } from "kysely";
import type { Database } from "../../database/tables.ts";
import type { ItemStatus } from "../../domain/batches/batch-states.ts";
import { onPage, type Page } from "../../http/paging.ts";
import type { PurchaseError } from "../../purchasing/labels/purchase-outcome.ts";

/** The SQL of a batch's items as lists show them. A shipment that was deleted has neither reference nor order. */
export interface ItemRow {
  /** The shipment's. */
  id: string;
  reference: string | null;
  order_id: string | null;
  status: ItemStatus;
  cost_cents: number | null;
  error: PurchaseError | null;
}

export interface WantedItems {
  account_id: string;
  batch_id: string;
  /** All of them when absent. */
  states?: readonly ItemStatus[];
}

/** The states are written into the statement, because the failures have an index of their own. */
function selectItems(db: Database, { account_id, batch_id, states }: WantedItems) {
  const items = db
    .selectFrom("batch_items")
    .where("batch_items.account_id", "=", account_id)
    .where("batch_items.batch_id", "=", batch_id);
  if (states === undefined) return items;
  const list = sql.join(states.map((state) => sql.lit(state)));
  return items.where(
    states.length === 1
      ? sql<boolean>`batch_items.status = ${list}`
      : sql<boolean>`batch_items.status IN (${list})`,
  );
}

/** One page, newest shipment first. */
export async function listItems(
  db: Database,
  { page, ...wanted }: WantedItems & { page: Page },
): Promise<ItemRow[]> {
  const items = selectItems(db, wanted)
    .leftJoin("shipments", (join) =>
      join
        .onRef("shipments.account_id", "=", "batch_items.account_id")
        .onRef("shipments.id", "=", "batch_items.shipment_id"),
    )
    .select([
      "shipment_id as id",
      "shipments.reference",
      "shipments.order_id",
      "batch_items.status",
      "cost_cents",
      "error",
    ]);
  const rows = await onPage(items, page, "batch_items.shipment_id").execute();
  return rows as ItemRow[];
}

export async function countItems(db: Database, wanted: WantedItems): Promise<number> {
  const { total } = await selectItems(db, wanted)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}
