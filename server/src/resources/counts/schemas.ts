import { Type, type Static } from "typebox";
import { batchStatuses } from "../../domain/batches/batch-states.ts";
import { orderStatuses } from "../../domain/orders/order-status.ts";
import { productStatuses } from "../../domain/products/product-states.ts";
import { shipmentStatuses } from "../../domain/shipments/shipment-status.ts";

/** A count by each status; spaces of a status are underscores, capitals small letters. */
function ByStatus(name: string, statuses: readonly string[]) {
  const keys = statuses.map((status) => [keyOf(status), Type.Integer()] as const);
  return Type.Object(Object.fromEntries(keys), { $id: name });
}

export function keyOf(status: string): string {
  return status.toLowerCase().replaceAll(" ", "_");
}

export const Counts = Type.Object(
  {
    shipments: Type.Optional(ByStatus("ShipmentCounts", shipmentStatuses)),
    orders: Type.Optional(ByStatus("OrderCounts", orderStatuses)),
    products: Type.Optional(ByStatus("ProductCounts", productStatuses)),
    batches: Type.Optional(ByStatus("BatchCounts", batchStatuses)),
    capped_at: Type.Integer({ description: "A count of this means so many or more." }),
  },
  { $id: "Counts", description: "Only of what the token may read." },
);
export type Counts = Static<typeof Counts>;
