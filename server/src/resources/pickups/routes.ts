import { Type } from "typebox";
import { CommaSeparated } from "../../domain/values/schema.ts";
import { pickupStatuses } from "../../domain/pickups/pickup-states.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { cancelPickup } from "./cancel-pickup.ts";
import { listWaiting } from "./list-waiting.ts";
import { schedulePickup } from "./schedule-pickup.ts";
import { NewPickup, Pickup, Waiting } from "../../shipping/pickups/schemas.ts";
import * as store from "../../shipping/pickups/store.ts";
import { toPickup } from "../../shipping/pickups/view.ts";

const tags = ["Pickups"];
const params = Type.Object({ pickup_id: Type.String({ description: "The pickup's id." }) });

/** `/pickups` (spec 4.4, decision 10). */
export const pickupRoutes: Routes = async (app) => {
  await pickupReads(app);
  await pickupWrites(app);
};

const pickupReads: Routes = async (app) => {
  app.get(
    "/pickups",
    {
      config: { scopes: ["pickups:read"] },
      schema: {
        operationId: "listPickups",
        summary: "List pickups, newest first",
        tags,
        querystring: Type.Object({
          ...pageQuery(Pickup),
          status: Type.Optional(
            CommaSeparated(pickupStatuses, {
              description: `One or more, separated by commas: ${pickupStatuses.join(", ")}.`,
              examples: ["scheduled,confirmed"],
            }),
          ),
        }),
        response: { 200: ListOf(Pickup) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const { account_id } = account;
      const { status } = request.query;
      const filters = status === undefined ? {} : { status: status.split(",") };
      return listResponse(request, {
        rows: (page) => store.listPickups(db, { account_id, filters, page }),
        count: () => store.countPickups(db, account_id, filters),
        show: toPickup,
      });
    },
  );

  app.get(
    "/pickups/waiting",
    {
      config: { scopes: ["pickups:read"] },
      schema: {
        operationId: "listWaitingParcels",
        summary: "List what waits for a pickup, by carrier and address",
        description:
          "Labelled parcels that are neither scanned nor in a pickup, with the fee and the earliest day. No carrier is asked.",
        tags,
        response: { 200: Waiting },
      },
    },
    async ({ ctx }) => listWaiting(ctx),
  );

  app.get(
    "/pickups/:pickup_id",
    {
      config: { scopes: ["pickups:read"] },
      schema: {
        operationId: "getPickup",
        summary: "Get one pickup",
        tags,
        params,
        response: { 200: DataOf(Pickup) },
      },
    },
    async ({ ctx: { db, account }, params: { pickup_id } }) => ({
      data: toPickup(await store.getPickup(db, account.account_id, pickup_id)),
    }),
  );
};

const exampleId = "shp_01k6x3v2m4f8r9t0a1b2c3d4e5";

const pickupWrites: Routes = async (app) => {
  app.post(
    "/pickups",
    {
      config: {
        creates: "/pickups/{id}",
        scopes: ["pickups:write"],
        limit: "carrier",
        validation: "in_verb",
        errors: [
          "insufficient_credits",
          "not_courier",
          "not_labelled",
          "shipment_in_use",
          "conflict",
          "carrier_error",
        ],
        examples: {
          "On the next business day": { shipment_ids: [exampleId] },
          "In the afternoon": {
            shipment_ids: [exampleId],
            ready_time: "13:00",
            close_time: "18:00",
            contact: { name: "Loading dock", phone: "613-555-0142" },
            instructions: "Ring at the dock on the north side.",
          },
        },
      },
      schema: {
        operationId: "schedulePickup",
        summary: "Schedule a pickup with the carriers of these shipments",
        description:
          "Each carrier schedules its own part. The pickup is created when at least one accepts; `carriers` has the reason of each that does not.",
        tags,
        body: NewPickup,
        response: { 201: DataOf(Pickup) },
      },
    },
    async (request, reply) => schedulePickup(request.ctx, request.body).then(send(reply)),
  );

  app.post(
    "/pickups/:pickup_id/cancel",
    {
      config: {
        scopes: ["pickups:write"],
        limit: "carrier",
        errors: ["not_cancellable", "purchase_pending", "carrier_error"],
      },
      schema: {
        operationId: "cancelPickup",
        summary: "Cancel a pickup with every carrier that has not picked up yet",
        tags,
        params,
        response: { 200: DataOf(Pickup) },
      },
    },
    async ({ ctx, params: { pickup_id } }, reply) => cancelPickup(ctx, pickup_id).then(send(reply)),
  );
};
