import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { NewAddress } from "../../domain/addresses/address.ts";
import { addRuleProblems, ApiError, invalid, type Problems } from "../../domain/errors/errors.ts";
import { NewPackage } from "../../domain/goods/parcel.ts";
import { remainingItems } from "../../domain/orders/fulfilment.ts";
import { isFulfilment } from "../../domain/orders/order-states.ts";
import { Maybe } from "../../domain/values/schema.ts";
import { maxPackages } from "../../domain/shipments/shipment-rules.ts";
import { ShipmentType } from "../../domain/shipments/shipment-status.ts";
import { strategies } from "../../domain/shipments/shipment-enums.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { NewLtlShipment, NewShipment, Shipment } from "../../shipping/shipments/schemas.ts";
import { readNewShipment, typeOf } from "../../shipping/shipments/new-shipment.ts";
import { requireTypeScope } from "../../shipping/shipments/type-scope.ts";
import { createShipmentAnd } from "../shipments/service.ts";
import { toShipment } from "../../shipping/shipments/view.ts";
import * as store from "../../shipping/orders/store.ts";

/** The body of `POST /orders/{id}/shipments`: any field of a shipment, in place of the order's; null is none. */
export const ShipmentOverrides = Type.Partial(
  Type.Object({
    ...NewLtlShipment.properties,
    ...NewShipment.properties,
    type: Maybe(ShipmentType),
    to_address: Maybe(NewAddress),
    packages: Maybe(
      Type.Array(NewPackage, {
        maxItems: maxPackages,
        description: "May be empty for freight, which has handling_units in place of them.",
      }),
    ),
    order_id: Maybe(Type.String({ maxLength: 100, description: "Ignored: it is the path's." })),
  }),
  { $id: "ShipmentOverrides" },
);

/**
 * Makes a shipment from an order (decision 14): addresses, items, packages, the service if it is one of
 * Waybill's, and the order's number as the reference. Fields of the body replace the order's own. An order
 * that is held or cancelled is 409 `conflict`; missing data, such as packages, are 422.
 */
export async function shipOrder(ctx: Context, id: string, body: unknown): Promise<StoredResponse> {
  const { account_id } = ctx.account;
  const order = await store.getOrder(ctx.db, account_id, id);
  const problems = body === null ? {} : problemsOf(ShipmentOverrides, body);
  if (body !== null && (typeof body !== "object" || Array.isArray(body))) throw invalid(problems);
  const entry = entryOf(ctx, order, body as Record<string, unknown> | null);
  await refuseWrong(ctx, entry, problems);
  refuseSetAside(order);
  return createShipmentAnd(ctx, entry, async (tx, row) => {
    // The link has locked the order: now it cannot change.
    refuseSetAside(await store.getOrder(tx, account_id, id));
    return recordResponse(tx, ctx, {
      answer: answer(201, Shipment, toShipment(ctx, row)),
      subject_id: row.id,
      details: { order_id: id },
    });
  });
}

/** With the problems of the body's own fields also those of the shipment that would be made. */
async function refuseWrong(ctx: Context, entry: object, problems: Problems): Promise<void> {
  if (Object.keys(problems).length === 0) return;
  const type = typeOf(entry);
  if (type) requireTypeScope(ctx, type);
  addRuleProblems(problems, (await readNewShipment(ctx, entry)).problems ?? {});
  throw invalid(problems);
}

function refuseSetAside({ status }: store.OrderRow): void {
  if (isFulfilment(status)) return;
  throw new ApiError("conflict", {
    message: `The order is ${status}; open it again before it is shipped.`,
    details: { status },
  });
}

/**
 * An entry of `POST /shipments`, yet to be validated like any other. Null means "not given", as everywhere.
 */
function entryOf(ctx: Context, order: store.OrderRow, overrides: Record<string, unknown> | null) {
  const named = Object.entries(overrides ?? {}).filter(([, value]) => value !== null);
  const given = Object.fromEntries(named);
  return {
    to_address: order.to_address,
    from_address: order.from_address,
    items: remainingItems(order.items),
    // Freight is described by its units, in place of parcels.
    ...(given["type"] === "ltl" && "handling_units" in given ? {} : { packages: order.packages }),
    service: serviceOf(ctx, order, given["type"] ?? "courier"),
    reference: order.order_number,
    ...given,
    order_id: order.id,
  };
}

/** A shop's own name of a shipping method is not a service; the client, or a rule, sets one instead. */
function serviceOf(
  { carriers }: Context,
  { requested_service: wanted }: store.OrderRow,
  type: unknown,
): string | null {
  if (wanted === null) return null;
  const mode = carriers.findService(wanted)?.carrier.descriptor.mode;
  return strategies.includes(wanted as never) || mode === type ? wanted : null;
}
