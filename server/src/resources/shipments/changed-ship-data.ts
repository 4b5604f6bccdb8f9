import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import type { Problems } from "../../domain/errors/errors.ts";
import type { Package } from "../../domain/goods/parcel.ts";
import { rows } from "../../domain/shipments/shipment-rules.ts";
import { withProducts } from "../../shipping/products/fill-items.ts";
import { addForeignFields } from "../../shipping/shipments/foreign-fields.ts";
import { withDefaults } from "../../shipping/shipments/left-out.ts";
import { shipDataOf } from "../../shipping/shipments/new-shipment.ts";
import { shipDataFields, type ShipmentEntry } from "../../shipping/shipments/schemas.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";
import { mergedEntry, type Changes } from "../../shipping/shipments/stored-entry.ts";

/**
 * The shipment as the changes make it; null where they leave all that carriers price or print as it is.
 * Clients send back what they read: values that would be stored as they are stored already are no change.
 * Changes whose shape is wrong are taken for changes.
 */
export async function changedEntry(
  ctx: Context,
  tx: Tx,
  { row, changes, isShaped }: { row: ShipmentRow; changes: Changes; isShaped: boolean },
): Promise<ShipmentEntry | null> {
  if (!shipDataFields.some((field) => field in changes)) return null;
  const merged = mergedEntry(row, changes);
  const [filled] = await withProducts(tx, row.account_id, [merged]);
  const changed = withDefaults(ctx, filled as ShipmentEntry);
  if (!isShaped || (changes.on_hold ?? row.on_hold) !== row.on_hold) return changed;
  // A product that was approved since would fill what was read as empty, and make it a change.
  const isSame = [withDefaults(ctx, merged), changed].some((entry) => isStored(ctx, row, entry));
  return isSame ? null : changed;
}

/** Whether the entry, which may break rules but not its schema, has the data of the stored shipment. */
function isStored(ctx: Context, row: ShipmentRow, entry: ShipmentEntry): boolean {
  const problems: Problems = {};
  addForeignFields(problems, entry);
  if (!entry.from_address || Object.keys(problems).length > 0) return false;
  // Both are read in the same way: a shipment that was stored under other rules is no change either.
  const [one, other] = [entry, mergedEntry(row, {})].map((each) => {
    const data = shipDataOf(ctx, each);
    return { ...data, packages: data.packages.map((each) => ({ ...each, id: null })) };
  });
  return isDeepStrictEqual(one, other);
}

/** The packages with the ids of the stored ones: by the `id` that each was sent with, or else by its place. */
export function withStoredIds(
  packages: readonly Package[],
  { sent, stored }: { sent: unknown; stored: readonly Package[] },
): Package[] {
  const free = new Set(stored.map(({ id }) => id));
  const take = (id: unknown) => (free.delete(id as string) ? (id as string) : null);
  const named = rows(sent).map((each) => take((each as { id?: unknown }).id));
  return packages.map((each, index) => ({
    ...each,
    id: named[index] ?? take(stored[index]?.id) ?? each.id,
  }));
}
