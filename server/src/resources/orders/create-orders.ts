import type { AccountContext, Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError, invalid } from "../../domain/errors/errors.ts";
import { mapYielding } from "../../domain/scheduling/time-slices.ts";
import { recordEvents, type Event } from "../../events/outbox.ts";
import { orderFacts } from "../../shipping/orders/sync-order-status.ts";
import { create, createOne, goodRows, textOf, type Creation } from "../../http/creation.ts";
import type { Validated } from "../../http/creation-summary.ts";
import type { StoredResponse } from "../../http/idempotency.ts";
import { forgetRules } from "../../automation/ready-rules.ts";
import { planOrders, ruleOrders, type OrderPlan } from "../../automation/rule-orders.ts";
import { readNewOrder } from "./new-order.ts";
import { Order } from "./schemas.ts";
import * as store from "../../shipping/orders/store.ts";
import { toOrder } from "./view.ts";

/** Creates orders, one or many, as `POST /shipments` creates shipments (spec 4.8, decision 14). */
export async function createOrders(ctx: Context, body: unknown): Promise<StoredResponse> {
  return create(ctx, body, orderCreation(ctx));
}

/** One order by itself, for the demo. */
export async function createOneOrder(ctx: Context, entry: unknown): Promise<store.OrderRow> {
  return createOne(ctx, entry, { creation: orderCreation(ctx), finish: async (_tx, row) => row });
}

function orderCreation(ctx: Context): Creation<store.OrderRow, OrderPlan> {
  return {
    plural: "orders",
    validate: (entries) => mapYielding(entries, (entry) => validate(ctx, entry)),
    plan: (rows) => planOrders(ctx, rows),
    keep: (tx, rows, plan) => saveOrders(ctx, tx, { rows, plan }),
    forgetFacts: () => forgetRules(ctx.db, ctx.account.account_id),
    show: (row) => toOrder(row, []),
    schema: Order,
    nameOf: (entry) => ({ order_number: textOf(entry, "order_number", 50) }),
  };
}

function validate(ctx: Context, entry: unknown): Validated<store.OrderRow> {
  const { row, problems } = readNewOrder(ctx, entry);
  return row ? { row, error: null } : { row, error: invalid(problems) };
}

/**
 * The one function that creates orders. The account's rules act on them first. Returns for each row, in
 * order, the stored row, or why it was not stored: of two with one number from one source, the first is
 * stored.
 */
async function saveOrders(
  ctx: AccountContext,
  tx: Tx,
  { rows, plan }: { rows: readonly store.OrderRow[]; plan: OrderPlan },
): Promise<Validated<store.OrderRow>[]> {
  const { validated, record } = await ruleOrders(ctx, tx, { rows, plan });
  const good = goodRows(validated);
  const inserted = await store.insertOrders(tx, good);
  const isKept = ({ id }: store.OrderRow) => inserted.has(id);
  await recordEvents(tx, orderEvents(ctx, good.filter(isKept)));
  await record(tx, isKept);
  if (inserted.size === good.length) return validated;
  const taken = await store.findByNumber(tx, ctx.account.account_id, good);
  return validated.map((each) =>
    each.error || isKept(each.row)
      ? each
      : { row: null, error: numberTaken(each.row, taken.get(store.numberKey(each.row)) ?? null) },
  );
}

function orderEvents(ctx: AccountContext, rows: readonly store.OrderRow[]) {
  const by = originOf(ctx);
  return rows.map((row): Event => {
    const { account_id, id } = row;
    return { account_id, type: "order.created", subject_id: id, data: orderFacts(row), by };
  });
}

/** 409 with the id of the order that has the number, so that an import can change it instead. */
export function numberTaken(
  { order_number, source }: Pick<store.OrderRow, "order_number" | "source">,
  order_id: string | null,
): ApiError {
  return new ApiError("conflict", {
    message: "There is an order with this number from this source.",
    details: { order_id, order_number, source },
  });
}
