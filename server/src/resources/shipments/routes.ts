import { Type } from "typebox";
import { Nullable } from "../../domain/values/schema.ts";
import { listJson } from "../../http/list-json.ts";
import { pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, sendJson, type Routes } from "../../http/routes.ts";
import { filterOfList } from "../../shipping/filters/list-filter.ts";
import { createShipments } from "./create-shipments.ts";
import { deleteShipment } from "./delete-shipment.ts";
import { palletToWinnipeg, parcelToMontreal } from "../../shipping/shipments/examples.ts";
import { readFilters, ShipmentFilterQuery } from "./list-shipments.ts";
import { countShipmentsUpTo, listShipmentTexts } from "./list-store.ts";
import {
  AnyNewShipment,
  Cancelling,
  LtlShipmentChanges,
  NewLtlShipment,
  NewShipment,
  Shipment,
  ShipmentChanges,
  shipmentsCreated,
} from "../../shipping/shipments/schemas.ts";
import * as store from "../../shipping/shipments/store.ts";
import { requirePathTypeScope } from "../../shipping/shipments/type-scope.ts";
import { updateShipment } from "./update-shipment.ts";
import { shipmentJson } from "../../shipping/shipments/shown-text.ts";
import { voidShipment } from "./void-shipment.ts";

const tags = ["Shipments"];
const params = Type.Object({ shipment_id: Type.String({ description: "The shipment's id." }) });

/** `/shipments` (spec 4.1, decision 6). */
export const shipmentRoutes: Routes = async (app) => {
  app.get(
    "/shipments",
    {
      attachValidation: true,
      config: { scopes: ["shipments:read"], ltl_scopes: ["ltl:read"] },
      schema: {
        operationId: "listShipments",
        summary: "List shipments, newest first",
        tags,
        querystring: Type.Object({ ...pageQuery(Shipment), ...ShipmentFilterQuery.properties }),
        response: { 200: ListOf(Shipment) },
      },
    },
    async (request, reply) => {
      const { account, db, ltl_only } = request.ctx;
      const saved = await filterOfList(request, "shipments");
      const filters = { ...readFilters(request.query), saved, ltl_only: ltl_only !== undefined };
      const { account_id } = account;
      const list = await listJson(request, {
        rows: (page, fields) => listShipmentTexts(db, { account_id, filters, page }, fields),
        count: (most) => countShipmentsUpTo(db, { account_id, filters }, most),
        show: ({ row }, fields) => shipmentJson(request.ctx, row, fields),
      });
      return sendJson(reply, list);
    },
  );

  app.post(
    "/shipments",
    {
      config: {
        creates: "/shipments/{id}",
        scopes: ["shipments:write"],
        ltl_scopes: ["ltl:write"],
        body: "bulk",
        validation: "in_verb",
        validated_by: [NewShipment, NewLtlShipment],
        examples: {
          "One shipment": { type: "courier", ...parcelToMontreal, reference: "PO-1001" },
          Freight: { ...palletToWinnipeg, reference: "PO-1004" },
          "Several, each by itself": [
            { type: "courier", ...parcelToMontreal, reference: "PO-1002" },
            { type: "courier", ...parcelToMontreal, reference: "PO-1003", service: "cheapest" },
          ],
        },
      },
      schema: {
        operationId: "createShipments",
        summary: "Create one shipment or up to 500",
        description:
          "An array is validated row by row: good rows are created, bad ones come back with their errors. 422 only when no row is good. A bare object creates one shipment. Freight has `type: ltl`.",
        tags,
        body: Type.Unsafe<unknown>({
          anyOf: [Type.Array(AnyNewShipment, { minItems: 1, maxItems: 500 }), AnyNewShipment],
        }),
        response: shipmentsCreated,
      },
    },
    async (request, reply) => createShipments(request.ctx, request.body).then(send(reply)),
  );

  app.get(
    "/shipments/:shipment_id",
    {
      config: { scopes: ["shipments:read"], ltl_scopes: ["ltl:read"] },
      onRequest: requirePathTypeScope,
      schema: {
        operationId: "getShipment",
        summary: "Get one shipment",
        tags,
        params,
        response: { 200: DataOf(Shipment) },
      },
    },
    async ({ ctx, params: { shipment_id } }, reply) => {
      const row = await store.getShipmentTexts(ctx.db, ctx.account.account_id, shipment_id);
      return sendJson(reply, `{"data":${shipmentJson(ctx, row)}}`);
    },
  );

  app.put(
    "/shipments/:shipment_id",
    {
      onRequest: requirePathTypeScope,
      config: {
        scopes: ["shipments:write"],
        ltl_scopes: ["ltl:write"],
        validation: "in_verb",
        validated_by: [ShipmentChanges, LtlShipmentChanges],
        examples: {
          "Two fields": { reference: "PO-1001-B", metadata: { warehouse: "YYZ2", priority: 3 } },
        },
      },
      schema: {
        operationId: "updateShipment",
        summary: "Change the fields that the body names",
        description:
          "Addresses, packages and items are replaced whole: send all of one to change a part of it. A package keeps its id, by the `id` that it is sent with or else by its place. Fields that are sent back as they were read are no change; what carriers price drops earlier rates when it changes. After purchase only reference, metadata, tags and order_id may change.",
        tags,
        params,
        body: Type.Unsafe<unknown>({ anyOf: [ShipmentChanges, LtlShipmentChanges] }),
        response: { 200: DataOf(Shipment) },
      },
    },
    async (request, reply) =>
      updateShipment(request.ctx, request.params.shipment_id, request.body).then(send(reply)),
  );

  app.delete(
    "/shipments/:shipment_id",
    {
      config: {
        scopes: ["shipments:write"],
        ltl_scopes: ["ltl:write"],
        limit: "carrier",
        errors: ["carrier_error"],
      },
      onRequest: requirePathTypeScope,
      schema: {
        operationId: "deleteShipment",
        summary: "Delete a draft, or void a labelled courier shipment",
        tags,
        params,
        response: { 200: DataOf(Shipment), 204: Type.Null() },
      },
    },
    async (request, reply) =>
      deleteShipment(request.ctx, request.params.shipment_id).then(send(reply)),
  );

  app.post(
    "/shipments/:shipment_id/void",
    {
      config: {
        scopes: ["shipments:void", "shipments:write"],
        limit: "carrier",
        errors: ["carrier_error"],
        examples: { "With a reason": { reason: "The customer cancelled." } },
      },
      schema: {
        operationId: "voidShipment",
        summary: "Void the label and refund it; cancel a draft",
        tags,
        params,
        body: Nullable(Cancelling),
        response: { 200: DataOf(Shipment) },
      },
    },
    async ({ ctx, params: { shipment_id }, body }, reply) =>
      voidShipment(ctx, shipment_id, body?.reason ?? null).then(send(reply)),
  );
};
