import type { Context } from "../../context.ts";
import type { StoredResponse } from "../../http/idempotency.ts";
import { buyLabel } from "../../purchasing/labels/buy-label.ts";
import { readChoice } from "../../purchasing/labels/choice.ts";

/** `POST /labels/{shipment_id}`: the label of a shipment that there is (spec 4.3). */
export async function buyShipment(
  ctx: Context,
  shipmentId: string,
  body: unknown,
): Promise<StoredResponse> {
  return buyLabel(ctx, shipmentId, readChoice(ctx, body));
}
