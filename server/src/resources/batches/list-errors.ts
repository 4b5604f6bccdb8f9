import type { Context } from "../../context.ts";
import type { Page } from "../../http/paging.ts";
import * as store from "./item-list-store.ts";
import { getBatch } from "../../shipping/batches/store.ts";
import type { BatchError } from "./schemas.ts";

/** The causes of a batch's failures (spec 4.5, decision 11), newest shipment first. Throws 404. */
export async function batchErrors({ db, account }: Context, id: string) {
  const { account_id } = account;
  await getBatch(db, account_id, id);
  const failed: store.WantedItems = { account_id, batch_id: id, states: ["failed"] };
  return {
    rows: (page: Page) => store.listItems(db, { ...failed, page }),
    count: () => store.countItems(db, failed),
    show: ({ id: shipment_id, reference, order_id, error }: store.ItemRow): BatchError => ({
      shipment_id,
      reference,
      order_id,
      // What failed has a reason.
      ...error!,
    }),
  };
}
