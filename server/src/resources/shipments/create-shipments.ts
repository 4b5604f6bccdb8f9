import type { AccountContext, Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf, type Origin } from "../../domain/accounts/principal.ts";
import { addProblem, invalid } from "../../domain/errors/errors.ts";
import {
  create,
  createOne,
  goodRows,
  textOf,
  type Creation,
  type Planned,
  type Together,
} from "../../http/creation.ts";
import type { Validated } from "../../http/creation-summary.ts";
import { recordEvents, type Event } from "../../events/outbox.ts";
import { linkKey, type StoredResponse } from "../../http/idempotency.ts";
import { forgetRules, refuseUnlessVersions } from "../../automation/ready-rules.ts";
import {
  isUntouched,
  planShipments,
  ruleShipments,
  type Purpose,
  type ShipmentPlan,
} from "../../automation/rule-shipments.ts";
import { shipmentFacts } from "../../shipping/shipments/event-facts.ts";
import { linkToOrders, orderProblems } from "../../shipping/shipments/link-to-orders.ts";
import {
  readNewShipments,
  typeOf,
  type ReadShipment,
} from "../../shipping/shipments/new-shipment.ts";
import { Shipment } from "../../shipping/shipments/schemas.ts";
import * as store from "../../shipping/shipments/store.ts";
import { missingTypeScope } from "../../shipping/shipments/type-scope.ts";
import { toShipment } from "../../shipping/shipments/view.ts";

/** Creates shipments, one or many (spec 4.1, decision 6). */
export async function createShipments(ctx: Context, body: unknown): Promise<StoredResponse> {
  return create(ctx, body, shipmentCreation(ctx));
}

/** One shipment by itself, for the demo. */
export async function createOneShipment(ctx: Context, entry: unknown): Promise<store.ShipmentRow> {
  return createShipmentAnd(ctx, entry, async (_tx, row) => row);
}

/** One shipment whose label is bought in the same call. A retry with the request's key continues with it. */
export async function createShipmentToBuy(
  ctx: Context,
  entry: unknown,
): Promise<store.ShipmentRow> {
  const creation = shipmentCreation(ctx, "buy");
  const finish = async (tx: Tx, row: store.ShipmentRow) => {
    await linkKey(tx, ctx, row.id);
    return row;
  };
  return createOne(ctx, entry, { creation, finish });
}

/** One shipment, for a caller with further work or checks in the same transaction. */
export async function createShipmentAnd<Done>(
  ctx: Context,
  entry: unknown,
  finish: (tx: Tx, row: store.ShipmentRow) => Promise<Done>,
): Promise<Done> {
  return createOne(ctx, entry, { creation: shipmentCreation(ctx), finish });
}

function shipmentCreation(
  ctx: Context,
  purpose: Purpose = "keep",
): Creation<store.ShipmentRow, ShipmentPlan> {
  return {
    plural: "shipments",
    validate: (entries) => validate(ctx, entries),
    plan: (rows) => planShipments(ctx, { rows, purpose }),
    keep: (tx, rows, plan) => saveShipments(ctx, tx, { rows, plan }),
    forgetFacts: () => forgetRules(ctx.db, ctx.account.account_id),
    together,
    show: (row) => toShipment(ctx, row),
    schema: Shipment,
    nameOf: (entry) => ({ reference: textOf(entry, "reference", 50) }),
  };
}

async function validate(
  ctx: Context,
  entries: readonly unknown[],
): Promise<Validated<store.ShipmentRow>[]> {
  const orders = await orderProblems(ctx, entries);
  const read = await readNewShipments(ctx, entries, "rules");
  return throwIfAllForbidden(
    entries.map((entry, index) =>
      validateOne(ctx, entry, { read: read[index]!, orderProblem: orders[index] ?? null }),
    ),
  );
}

/** A row whose type the token may not write has only that error, whatever else is wrong with it. */
function validateOne(
  ctx: Context,
  entry: unknown,
  { read, orderProblem }: { read: ReadShipment; orderProblem: string | null },
): Validated<store.ShipmentRow> {
  const type = typeOf(entry);
  const refusal = type && missingTypeScope(ctx, type);
  if (refusal) return { row: null, error: refusal };
  const { row, problems } = read;
  if (row && !orderProblem) return { row, error: null };
  const found = problems ?? {};
  if (orderProblem) addProblem(found, "order_id", orderProblem);
  return { row: null, error: invalid(found) };
}

/** Throws 403 when the token may write none of them (decision 3). */
function throwIfAllForbidden(
  validated: Validated<store.ShipmentRow>[],
): Validated<store.ShipmentRow>[] {
  const first = validated[0]?.error;
  const isAll = validated.every(({ error }) => error?.code === "scope_missing");
  if (first && isAll) throw first;
  return validated;
}

/** Shipments that no rule and no order has anything to do with. */
const together: Together<store.ShipmentRow, ShipmentPlan> = {
  isPlain: isUntouched,
  keepAll: saveUntouched,
};

/** They may be of several requests. Sent along with the statement after it. */
async function saveUntouched(
  tx: Tx,
  all: readonly Planned<store.ShipmentRow, ShipmentPlan>[],
): Promise<void> {
  const { account_id } = all[0]!.ctx.account;
  await refuseUnlessVersions(
    tx,
    account_id,
    all.map(({ plan }) => plan.version),
  );
  await store.insertShipments(
    tx,
    all.map(({ row }) => row),
  );
  await recordEvents(
    tx,
    all.map(({ ctx, row }) => createdEvent(originOf(ctx))(row)),
  );
}

/**
 * The one function that creates shipments: alone, in bulk, with a label, from an order. The account's rules
 * act on them first, and may fill in what their customs lines lack; what is still missing then refuses the
 * shipment. Returns for each row, in order, the stored row, or why it was not stored.
 */
async function saveShipments(
  ctx: AccountContext,
  tx: Tx,
  { rows, plan }: { rows: readonly store.ShipmentRow[]; plan: ShipmentPlan },
): Promise<Validated<store.ShipmentRow>[]> {
  if (rows.every((row) => isUntouched(row, plan))) {
    await saveUntouched(
      tx,
      rows.map((row) => ({ ctx, row, plan })),
    );
    return rows.map((row) => ({ row, error: null }));
  }
  const linked = await linkToOrders(ctx, tx, rows);
  const ruled = (await ruleShipments(ctx, tx, { rows: goodRows(linked), plan })).values();
  const validated = linked.map((each) => (each.error ? each : ruled.next().value!));
  const good = goodRows(validated);
  await store.insertShipments(tx, good);
  await recordEvents(tx, good.map(createdEvent(originOf(ctx))));
  return validated;
}

function createdEvent(by: Origin) {
  return (row: store.ShipmentRow): Event => ({
    account_id: row.account_id,
    type: "shipment.created",
    subject_id: row.id,
    data: { ...shipmentFacts(row), batch_id: row.batch_id },
    by,
  });
}
