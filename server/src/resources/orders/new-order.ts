import type { Context } from "../../context.ts";
import { normaliseAddress } from "../../domain/addresses/address-rules.ts";
import { addProblem, type Problems } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { toCents } from "../../domain/values/money.ts";
import {
  normaliseOrderItem,
  normaliseOrderPackage,
  orderProblems,
} from "../../domain/orders/order-rules.ts";
import type { OrderStatus } from "../../domain/orders/order-status.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { NewOrder, type NewCustomer, type NewTotals } from "./schemas.ts";
import type { OrderRow } from "../../shipping/orders/store.ts";

/**
 * Turns one entry of a request into the row to store, or returns all its problems: those of its shape and of
 * the rules between its fields together.
 */
export function readNewOrder(
  ctx: Context,
  entry: unknown,
): { row: OrderRow; problems: null } | { row: null; problems: Problems } {
  const problems = problemsOf(NewOrder, entry);
  if (typeof entry !== "object" || entry === null || Array.isArray(entry))
    return { row: null, problems };
  const order = entry as NewOrder;
  addRuleProblems(problems, order, "unfulfilled");
  if (Object.keys(problems).length > 0) return { row: null, problems };
  const now = ctx.clock.now();
  const row = {
    account_id: ctx.account.account_id,
    id: newId("ord", now),
    status: order.status ?? "unfulfilled",
    ...orderDataOf(ctx, order),
    shipment_actions: [],
    created_at: now,
    updated_at: now,
  };
  return { row, problems: null };
}

/**
 * Adds the problems that a schema cannot express, for fields whose shape is valid; an invalid shape is
 * reported already.
 */
export function addRuleProblems(problems: Problems, order: NewOrder, status: OrderStatus): void {
  const rules = orderProblems(order);
  // An order's current status may be sent back with it.
  const settable = [status, "unfulfilled", "on_hold", "cancelled", null, undefined];
  if (!settable.includes(order.status))
    addProblem(
      rules,
      "status",
      "is what the order's shipments say; only on_hold, cancelled and, to open it again, unfulfilled can be set.",
    );
  for (const [path, texts] of Object.entries(rules)) problems[path] ??= texts;
}

/** The columns that the client decides, from an order that has no problems. */
export function orderDataOf(ctx: Context, order: NewOrder) {
  const { totals, from_address } = order;
  const currency = totals?.currency ?? ctx.account.currency;
  return {
    order_number: cleanText(order.order_number) ?? "",
    source: order.source ?? "api",
    customer: order.customer ? customerOf(order.customer) : null,
    to_address: normaliseAddress(order.to_address),
    from_address: from_address ? normaliseAddress(from_address) : null,
    items: (order.items ?? []).map((item) => normaliseOrderItem(item, currency)),
    packages: (order.packages ?? []).map(normaliseOrderPackage),
    requested_service: clean(order.requested_service),
    ...centsOf(totals ?? {}),
    currency,
    notes: order.notes?.trim() || null,
    tags: order.tags ?? [],
    placed_at: order.placed_at ? new Date(order.placed_at) : ctx.clock.now(),
    metadata: order.metadata ?? {},
  };
}

function customerOf({ name, company, email, phone, external_id }: NewCustomer) {
  return {
    name: clean(name),
    company: clean(company),
    email: clean(email),
    phone: clean(phone),
    external_id: clean(external_id),
  };
}

function centsOf({ subtotal, shipping, discount, tax, total }: NewTotals) {
  return {
    subtotal_cents: cents(subtotal),
    shipping_cents: cents(shipping),
    discount_cents: cents(discount),
    tax_cents: cents(tax),
    total_cents: cents(total),
  };
}

function cents(amount: number | null | undefined): number | null {
  return typeof amount === "number" ? toCents(amount) : null;
}

function clean(text: string | null | undefined): string | null {
  return typeof text === "string" ? cleanText(text) : null;
}
