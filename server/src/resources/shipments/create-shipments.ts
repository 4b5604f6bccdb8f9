import type { Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { invalid } from "../../domain/errors.ts";
import { create, createOne, textOf, type Creation, type Judged } from "../../http/creation.ts";
import type { Answer } from "../../http/idempotency.ts";
import { readNewShipment } from "./new-shipment.ts";
import * as store from "./store.ts";
import { toShipment } from "./view.ts";

/** Creates shipments, one or many (spec 4.1, decision 6). */
export async function createShipments(ctx: Context, body: unknown): Promise<Answer> {
  return create(ctx, body, shipmentCreation(ctx));
}

/** One shipment by itself, for `POST /labels`, whose purchase is what gets answered. */
export async function createOneShipment(ctx: Context, entry: unknown): Promise<store.ShipmentRow> {
  const finish = async (_tx: Tx, row: store.ShipmentRow) => row;
  return createOne(ctx, entry, { creation: shipmentCreation(ctx), finish });
}

function shipmentCreation(
  ctx: Context,
): Creation<store.ShipmentRow, ReturnType<typeof toShipment>> {
  return {
    plural: "shipments",
    judge: async (entries) => entries.map((entry) => judge(ctx, entry)),
    keep: (tx, rows) => keepShipments(tx, rows),
    show: (row) => toShipment(ctx, row),
    nameOf: (entry) => ({ reference: textOf(entry, "reference", 50) }),
  };
}

function judge(ctx: Context, entry: unknown): Judged<store.ShipmentRow> {
  const { row, problems } = readNewShipment(ctx, entry);
  return row ? { row, error: null } : { row, error: invalid(problems) };
}

/**
 * The one place where a shipment begins to exist, whoever asks for it: alone, in bulk, with its label.
 * Says of each row, in order, as what it was kept, or why it was not.
 */
async function keepShipments(
  tx: Tx,
  rows: readonly store.ShipmentRow[],
): Promise<Judged<store.ShipmentRow>[]> {
  await store.insertShipments(tx, rows);
  return rows.map((row) => ({ row, error: null }));
}
