import type { Context } from "../../context.ts";
import type { ItemStatus } from "../../domain/batches/batch-states.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { Page } from "../../http/paging.ts";
import { getBatch } from "../../shipping/batches/store.ts";
import * as store from "./item-list-store.ts";
import type { BatchItem } from "./schemas.ts";

/** The shipments of a batch with what became of each, newest shipment first. Throws 404. */
export async function batchItems({ db, account }: Context, id: string, state: string | undefined) {
  const { account_id } = account;
  await getBatch(db, account_id, id);
  const states = state?.split(",") as ItemStatus[] | undefined;
  const wanted = { account_id, batch_id: id, ...(states ? { states } : {}) };
  return {
    rows: (page: Page) => store.listItems(db, { ...wanted, page }),
    count: () => store.countItems(db, wanted),
    show: ({
      id: shipment_id,
      reference,
      status,
      cost_cents,
      error,
    }: store.ItemRow): BatchItem => ({
      shipment_id,
      reference,
      state: status,
      cost: cost_cents === null ? null : fromCents(cost_cents),
      error: error && {
        code: error.code,
        message: error.message,
        details: error.details,
        stage: error.stage,
      },
    }),
  };
}
