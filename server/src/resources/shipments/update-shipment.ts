import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { json, type Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import {
  addProblem,
  addRuleProblems,
  ApiError,
  invalid,
  type Problems,
  throwIfAny,
} from "../../domain/errors/errors.ts";
import { isLabelled } from "../../domain/shipments/shipment-states.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { syncOrderStatus } from "../../shipping/orders/sync-order-status.ts";
import { lockForLinks } from "../../shipping/orders/links.ts";
import { linkToOrders } from "../../shipping/shipments/link-to-orders.ts";
import { rulesOf, shipDataOf } from "../../shipping/shipments/new-shipment.ts";
import {
  LtlShipmentChanges,
  Shipment,
  ShipmentChanges,
  type ShipmentEntry,
} from "../../shipping/shipments/schemas.ts";
import { alreadyLabelled, purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";
import * as store from "../../shipping/shipments/store.ts";
import type { Changes } from "../../shipping/shipments/stored-entry.ts";
import { changedEntry, withStoredIds } from "./changed-ship-data.ts";
import { toShipment } from "../../shipping/shipments/view.ts";

/**
 * Changes the fields that the body names (decision 6). After purchase only the merchant's own fields
 * may change: 409 `already_labelled`, unless the body is wrong in itself, which is 422 in any state. A change
 * of what carriers price makes earlier quotes unbuyable; a value that is stored already is no change.
 */
export async function updateShipment(
  ctx: Context,
  id: string,
  body: unknown,
): Promise<StoredResponse> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid(problemsOf(ShipmentChanges, body));
  const changes = body as Changes;
  // Protection may be asked for a value that is stored already.
  if ("add_ons" in changes || "packages" in changes) await ctx.exchange.fresh();
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockToChange(tx, { account_id: ctx.account.account_id, id, body });
    const problems = problemsOf(changesOf[row.type], body);
    if ("type" in body && (body.type ?? row.type) !== row.type)
      addProblem(problems, "type", `cannot change; the shipment is ${row.type}.`);
    const link = await newLink(ctx, tx, { row, changes, problems });
    const isShaped = Object.keys(problems).length === 0;
    const entry = await changedEntry(ctx, tx, { row, changes, isShaped });
    const changed = entry
      ? await changeShipData(ctx, tx, { row, changes, problems, link, entry })
      : await changeMerchantData(ctx, tx, { row, changes, problems, link });
    if (link) await syncLinkedOrders(ctx, tx, { before: row, after: changed });
    return recordResponse(tx, ctx, {
      answer: answer(200, Shipment, toShipment(ctx, changed)),
      subject_id: id,
    });
  });
}

const changesOf = { courier: ShipmentChanges, ltl: LtlShipmentChanges };

/** Validation comes before the handler (decision 2): what no shipment can have is 422, also where there is none. */
async function lockToChange(
  tx: Tx,
  { account_id, id, body }: { account_id: string; id: string; body: unknown },
): Promise<store.ShipmentRow> {
  try {
    return await store.lockShipment(tx, account_id, id);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") throwIfAny(problemsOfAny(body));
    throw error;
  }
}

/** The problems of the changes that they have for shipments of either type. */
function problemsOfAny(body: unknown): Problems {
  const freight = problemsOf(changesOf.ltl, body);
  const both = Object.entries(problemsOf(changesOf.courier, body)).filter(
    ([path]) => path in freight,
  );
  return Object.fromEntries(both);
}

interface Change {
  row: store.ShipmentRow;
  changes: Changes;
  /** Problems of the shape of the changes; the rules of the whole shipment add theirs. */
  problems: Problems;
  /** The order that the body links it to, or removes it from; null without a change. */
  link: Pick<store.ShipmentRow, "order_id" | "order_number"> | null;
}

/** Reads `order_id`, and adds a problem when there is no such order. */
async function newLink(
  ctx: Context,
  tx: Tx,
  { row, changes, problems }: Omit<Change, "link">,
): Promise<Change["link"]> {
  const order_id: unknown = "order_id" in changes ? (changes.order_id ?? null) : row.order_id;
  if (order_id === row.order_id || problems["order_id"]) return null;
  if (order_id !== null && typeof order_id !== "string") return null;
  // Both orders are locked by one statement, and so in the common order of locks.
  await lockForLinks(tx, row.account_id, linksOf(row, { order_id }));
  const [linked] = await linkToOrders(ctx, tx, [{ ...row, order_id }]);
  if (linked?.row) return { order_id, order_number: linked.row.order_number };
  Object.assign(problems, linked?.error.details);
  return null;
}

/** The status of both the order that lost the shipment and the one that got it is derived anew. */
async function syncLinkedOrders(
  ctx: Context,
  tx: Tx,
  { before, after }: { before: store.ShipmentRow; after: store.ShipmentRow },
): Promise<void> {
  const by = originOf(ctx);
  const changed_by = new Map(linksOf(before, after).map((id) => [id, by]));
  await syncOrderStatus(tx, after.account_id, { changed_by, at: after.updated_at });
}

function linksOf(...shipments: Pick<store.ShipmentRow, "order_id">[]): string[] {
  return shipments.flatMap(({ order_id }) => (order_id === null ? [] : [order_id]));
}

async function changeMerchantData(
  ctx: Context,
  tx: Tx,
  { row, changes, problems, link }: Change,
): Promise<store.ShipmentRow> {
  throwIfAny(problems);
  return store.changeShipment(tx, row, {
    ...merchantChanges(changes),
    ...link,
    updated_at: ctx.clock.now(),
  });
}

async function changeShipData(
  ctx: Context,
  tx: Tx,
  { row, changes, problems, link, entry }: Change & { entry: ShipmentEntry },
): Promise<store.ShipmentRow> {
  if (row.status !== "draft") throwIfAny(problems);
  refuseUnlessDraft(row);
  addRuleProblems(problems, rulesOf(ctx, entry));
  throwIfAny(problems);
  const shipData = shipDataOf(ctx, entry);
  const { packages: sent } = entry;
  return store.changeShipment(tx, row, {
    ...shipData,
    from_address: json(shipData.from_address),
    to_address: json(shipData.to_address),
    return_address: json(shipData.return_address),
    packages: json(withStoredIds(shipData.packages, { sent, stored: row.packages })),
    handling_units: json(shipData.handling_units),
    pickup: shipData.pickup && json(shipData.pickup),
    delivery: shipData.delivery && json(shipData.delivery),
    items: json(shipData.items),
    ...(changes.on_hold === undefined ? {} : { on_hold: changes.on_hold }),
    ...merchantChanges(changes),
    ...link,
    revision: row.revision + 1,
    updated_at: ctx.clock.now(),
  });
}

function refuseUnlessDraft(row: store.ShipmentRow): void {
  if (row.status === "draft") return;
  if (isLabelled(row.status)) throw alreadyLabelled(row);
  if (row.status === "purchasing" || row.status === "purchase_pending") throw purchasePending(row);
  throw new ApiError("conflict", {
    message: `The shipment is ${row.status}; only reference, metadata, tags and order_id can change.`,
    details: { status: row.status },
  });
}

function merchantChanges(changes: Changes): store.ShipmentChange {
  return {
    ...("reference" in changes ? { reference: changes.reference ?? null } : {}),
    ...("metadata" in changes ? { metadata: json(changes.metadata ?? {}) } : {}),
    ...("tags" in changes ? { tags: changes.tags ?? [] } : {}),
  };
}
