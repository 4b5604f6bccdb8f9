import { sql } from "kysely";
import { isOneOf } from "../../database/rows.ts";
import type { ItemStatus } from "../../domain/batches/batch-states.ts";
import type { Database } from "../../database/tables.ts";
import { onPage, type Page } from "../../http/paging.ts";
import type { PurchaseError } from "../../purchasing/labels/purchase-outcome.ts";

/** The SQL of a batch's items and failures. A shipment that was deleted has neither reference nor order. */
export interface ErrorRow {
  /** The shipment's. */
  id: string;
  reference: string | null;
  order_id: string | null;
  error: PurchaseError;
}

function selectErrors(db: Database, accountId: string, batchId: string) {
  return db
    .selectFrom("batch_items")
    .where("batch_items.account_id", "=", accountId)
    .where("batch_items.batch_id", "=", batchId)
    .where(sql<boolean>`batch_items.status = 'failed'`);
}

export async function listErrors(
  db: Database,
  { account_id, batch_id, page }: { account_id: string; batch_id: string; page: Page },
): Promise<ErrorRow[]> {
  const errors = selectErrors(db, account_id, batch_id)
    .leftJoin("shipments", (join) =>
      join
        .onRef("shipments.account_id", "=", "batch_items.account_id")
        .onRef("shipments.id", "=", "batch_items.shipment_id"),
    )
    .select(["shipment_id as id", "shipments.reference", "shipments.order_id", "error"]);
  const rows = await onPage(errors, page, "batch_items.shipment_id").execute();
  return rows as ErrorRow[];
}

export async function countErrors(
  db: Database,
  accountId: string,
  batchId: string,
): Promise<number> {
  const { total } = await selectErrors(db, accountId, batchId)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

export interface ItemRow extends Omit<ErrorRow, "error" | "order_id"> {
  status: ItemStatus;
  cost_cents: number | null;
  error: PurchaseError | null;
}

interface WantedItems {
  account_id: string;
  batch_id: string;
  /** All of them when absent. */
  states?: string[];
}

function selectItems(db: Database, { account_id, batch_id, states }: WantedItems) {
  return db
    .selectFrom("batch_items")
    .where("batch_items.account_id", "=", account_id)
    .where("batch_items.batch_id", "=", batch_id)
    .$if(states !== undefined, (items) => items.where(isOneOf("batch_items.status", states!)));
}

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
