import { Type } from "typebox";
import { listJson } from "../../http/list-json.ts";
import { pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, sendJson, type Routes } from "../../http/routes.ts";
import { Nullable } from "../../domain/values/schema.ts";
import { Shipment } from "../../shipping/shipments/schemas.ts";
import { filterOfList } from "../../shipping/filters/list-filter.ts";
import { createOrders } from "./create-orders.ts";
import { deleteOrder } from "./delete-order.ts";
import { orderFromShop } from "./examples.ts";
import { OrderFilterQuery, readFilters } from "./list-orders.ts";
import { countOrdersUpTo, listOrderTexts } from "./list-store.ts";
import { NewOrder, Order, OrderChanges, ordersCreated } from "./schemas.ts";
import { shipOrder, ShipmentOverrides } from "./ship-order.ts";
import * as store from "../../shipping/orders/store.ts";
import { updateOrder } from "./update-order.ts";
import { orderJson } from "./shown-text.ts";
import { toOrder } from "./view.ts";

const tags = ["Orders"];
const params = Type.Object({ order_id: Type.String({ description: "The order's id." }) });
const reads = { scopes: ["orders:read"] } as const;
const writes = { scopes: ["orders:write"] } as const;

/** `/orders` (spec 4.8, decision 14). */
export const orderRoutes: Routes = async (app) => {
  await orderReads(app);
  await orderWrites(app);
  await orderShipments(app);
};

const orderReads: Routes = async (app) => {
  app.get(
    "/orders",
    {
      attachValidation: true,
      config: reads,
      schema: {
        operationId: "listOrders",
        summary: "List orders, newest first",
        tags,
        querystring: Type.Object({ ...pageQuery(Order), ...OrderFilterQuery.properties }),
        response: { 200: ListOf(Order) },
      },
    },
    async (request, reply) => {
      const { db, account } = request.ctx;
      const { account_id } = account;
      const saved = await filterOfList(request, "orders");
      const filters = { ...readFilters(request.query), saved };
      let linked: store.ShipmentOfOrder[] = [];
      const list = await listJson(request, {
        async rows(page, fields) {
          const rows = await listOrderTexts(db, { account_id, filters, page }, fields);
          const ids = rows.map(({ id }) => id);
          if (!fields || fields.has("shipments"))
            linked = await store.shipmentsOf(db, account_id, ids);
          return rows;
        },
        count: (most) => countOrdersUpTo(db, { account_id, filters }, most),
        show: ({ row }, fields) => orderJson(row, linked, fields),
      });
      return sendJson(reply, list);
    },
  );

  app.get(
    "/orders/:order_id",
    {
      config: reads,
      schema: {
        operationId: "getOrder",
        summary: "Get one order with its shipments",
        tags,
        params,
        response: { 200: DataOf(Order) },
      },
    },
    async ({ ctx: { db, account }, params: { order_id } }) => {
      const row = await store.getOrder(db, account.account_id, order_id);
      const linked = await store.shipmentsOf(db, account.account_id, [row.id]);
      return { data: toOrder(row, linked) };
    },
  );
};

const orderWrites: Routes = async (app) => {
  app.post(
    "/orders",
    {
      config: {
        creates: "/orders/{id}",
        ...writes,
        body: "bulk",
        validation: "in_verb",
        validated_by: [NewOrder],
        examples: {
          "One order": orderFromShop,
          "Several, each by itself": [
            { ...orderFromShop, order_number: "#1002" },
            { ...orderFromShop, order_number: "#1003", requested_service: "cheapest" },
          ],
        },
      },
      schema: {
        operationId: "createOrders",
        summary: "Create one order or up to 500",
        description:
          "An order's number is unique within its source: another one is 409, or an error of its row. An array is validated row by row, as by POST /shipments.",
        tags,
        body: Type.Unsafe<unknown>({
          anyOf: [Type.Array(NewOrder, { minItems: 1, maxItems: 500 }), NewOrder],
        }),
        response: ordersCreated,
      },
    },
    async (request, reply) => createOrders(request.ctx, request.body).then(send(reply)),
  );

  app.put(
    "/orders/:order_id",
    {
      config: {
        ...writes,
        validation: "in_verb",
        validated_by: [OrderChanges],
        examples: {
          "Put it on hold": { status: "on_hold", notes: "Waiting for the engraving." },
          "Open it again": { status: "unfulfilled" },
        },
      },
      schema: {
        operationId: "updateOrder",
        summary: "Change the fields that the body names",
        description:
          "Addresses, packages and items are replaced whole: send all of one to change a part of it. Its shipments keep what they have.",
        tags,
        params,
        body: OrderChanges,
        response: { 200: DataOf(Order) },
      },
    },
    async (request, reply) =>
      updateOrder(request.ctx, request.params.order_id, request.body).then(send(reply)),
  );

  app.delete(
    "/orders/:order_id",
    {
      config: writes,
      schema: {
        operationId: "deleteOrder",
        summary: "Delete an order that no live shipment is linked to",
        description: "Voided and cancelled shipments stay, without their order.",
        tags,
        params,
        response: { 204: Type.Null({ description: "Deleted" }) },
      },
    },
    async (request, reply) => deleteOrder(request.ctx, request.params.order_id).then(send(reply)),
  );
};

const orderShipments: Routes = async (app) => {
  app.post(
    "/orders/:order_id/shipments",
    {
      config: {
        creates: "/shipments/{id}",
        ...writes,
        validation: "in_verb",
        validated_by: [ShipmentOverrides],
        examples: {
          "As it was ordered": {},
          "In a box of our own": {
            packages: [{ weight: 900, weight_unit: "g" }],
            service: "cheapest_tracked",
          },
        },
      },
      schema: {
        operationId: "createShipmentOfOrder",
        summary: "Make a shipment from an order",
        description:
          "Takes the addresses, what is still to be sent, the packages, the service if it is one of ours, and the order's number as the reference. What the body names takes their place.",
        tags,
        params,
        body: Nullable(ShipmentOverrides),
        response: { 201: DataOf(Shipment) },
      },
    },
    async (request, reply) =>
      shipOrder(request.ctx, request.params.order_id, request.body).then(send(reply)),
  );
};
