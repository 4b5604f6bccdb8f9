import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../database/connect.ts";
import { json } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { ApiError, invalid, throwIfAny } from "../../domain/errors/errors.ts";
import type { NewAddress } from "../../domain/addresses/address.ts";
import { fulfilmentOf } from "../../domain/orders/fulfilment.ts";
import { fromCents } from "../../domain/values/money.ts";
import { afterMerchant, afterShipments } from "../../domain/orders/order-states.ts";
import type { OrderStatus } from "../../domain/orders/order-status.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { numberTaken } from "./create-orders.ts";
import { changeStatus } from "../../shipping/orders/sync-order-status.ts";
import { addRuleProblems, orderDataOf } from "./new-order.ts";
import { type NewOrder, Order, OrderChanges } from "./schemas.ts";
import * as store from "../../shipping/orders/store.ts";
import { toOrder } from "./view.ts";
import { onWholeOrder } from "./whole-order.ts";

/**
 * Changes the fields that the body names (spec 4.8); its shipments keep their data. Holding or cancelling it
 * is 409 `conflict` where its state forbids that, another order's number too.
 */
export async function updateOrder(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  const problems = problemsOf(OrderChanges, body);
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalid(problems);
  const changes = body as OrderChanges;
  return onWholeOrder(ctx, id, async (tx, { order: row, shipments }) => {
    const merged = mergedEntry(row, changes);
    addRuleProblems(problems, merged, row.status);
    throwIfAny(problems);
    const data = orderDataOf(ctx, merged);
    const { fulfilment, items } = fulfilmentOf(data.items, await store.contentsOf(tx, row));
    const followed = afterShipments(row.status, fulfilment);
    const status = afterMerchant(followed, changes.status ?? followed, fulfilment);
    if (status === null) throw forbidden(followed, changes.status);
    const changed = await changeStatus(tx, row, {
      ...data,
      status,
      customer: data.customer && json(data.customer),
      to_address: json(data.to_address),
      from_address: data.from_address && json(data.from_address),
      items: json(items),
      packages: json(data.packages),
      metadata: json(data.metadata),
      updated_at: ctx.clock.now(),
      by: originOf(ctx),
    }).catch((error: unknown) => {
      throw isUniqueViolation(error, "orders_number") ? new NumberTaken(data) : error;
    });
    if (changed.order_number !== row.order_number) await store.renumberShipments(tx, changed);
    return recordResponse(tx, ctx, {
      answer: answer(200, Order, toOrder(changed, shipments)),
      subject_id: id,
    });
  }).catch(async (error: unknown) => {
    throw error instanceof NumberTaken ? await namingOwner(ctx, error.wanted) : error;
  });
}

type Numbered = Pick<store.OrderRow, "order_number" | "source">;

/** Another order has the number. The transaction in which that shows can read no more. */
class NumberTaken extends Error {
  readonly wanted: Numbered;
  constructor(wanted: Numbered) {
    super("another order has the number");
    this.wanted = wanted;
  }
}

/** 409 with the id of the other order; null where it was deleted meanwhile. */
async function namingOwner({ db, account }: Context, wanted: Numbered): Promise<ApiError> {
  const taken = await store.findByNumber(db, account.account_id, [wanted]);
  return numberTaken(wanted, taken.get(store.numberKey(wanted)) ?? null);
}

/** The stored order in the form of a request, with the changes applied. */
function mergedEntry(row: store.OrderRow, changes: OrderChanges): NewOrder {
  return {
    ...asEntry(row),
    ...changes,
    placed_at: changes.placed_at ?? row.placed_at.toISOString(),
  };
}

function asEntry(row: store.OrderRow): NewOrder {
  const { subtotal_cents, shipping_cents, discount_cents, tax_cents, total_cents } = row;
  return {
    order_number: row.order_number,
    source: row.source,
    customer: row.customer,
    to_address: row.to_address as NewAddress,
    from_address: row.from_address as NewAddress | null,
    items: row.items,
    packages: row.packages,
    requested_service: row.requested_service,
    totals: {
      subtotal: amount(subtotal_cents),
      shipping: amount(shipping_cents),
      discount: amount(discount_cents),
      tax: amount(tax_cents),
      total: amount(total_cents),
      currency: row.currency,
    },
    notes: row.notes,
    tags: row.tags,
    metadata: row.metadata as NewOrder["metadata"],
  };
}

function amount(cents: number | null): number | null {
  return cents === null ? null : fromCents(cents);
}

function forbidden(status: OrderStatus, wanted: OrderStatus | null | undefined): ApiError {
  return new ApiError("conflict", {
    message: `The order is ${status}; void its shipments before it becomes ${wanted}.`,
    details: { status },
  });
}
