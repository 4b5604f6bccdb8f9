import { Type } from "typebox";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, type Routes } from "../../http/routes.ts";
import { getTracking, getTrackingOfShipment } from "./get-tracking.ts";
import { Tracking, TrackingQuery } from "./schemas.ts";
import * as store from "../../shipping/tracking/store.ts";
import { toTracking } from "./view.ts";

const tags = ["Tracking"];
const config = { scopes: ["tracking:read"] } as const;

/** `/tracking` and `/shipments/{shipment_id}/tracking` (decision 19). */
export const trackingRoutes: Routes = async (app) => {
  app.get(
    "/tracking",
    {
      config,
      schema: {
        operationId: "listTracking",
        summary: "List where the account's packages are, newest first",
        tags,
        querystring: Type.Object({ ...pageQuery(Tracking), ...TrackingQuery.properties }),
        response: { 200: ListOf(Tracking) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const { account_id } = account;
      const { status, shipment_id, delay } = request.query;
      const filters = {
        ...(status === undefined ? {} : { status: status.split(",") }),
        ...(shipment_id === undefined ? {} : { shipment_id }),
        ...(delay === undefined ? {} : { delayed: { delay, now: request.ctx.clock.now() } }),
      };
      return listResponse(request, {
        rows: (page) => store.listTrackersWithEvents(db, { account_id, filters, page }),
        count: (most) => store.countTrackers(db, account_id, { filters, most }),
        show: ({ events, ...row }) => toTracking(request.ctx, row, events),
      });
    },
  );

  app.get(
    "/tracking/:tracking_code",
    {
      config,
      schema: {
        operationId: "getTracking",
        summary: "Get where the package with this tracking code is",
        tags,
        params: Type.Object({
          tracking_code: Type.String({
            description: "A shipment's, or that of any of its packages.",
          }),
        }),
        response: { 200: DataOf(Tracking) },
      },
    },
    async ({ ctx, params }) => ({ data: await getTracking(ctx, params.tracking_code) }),
  );

  app.get(
    "/shipments/:shipment_id/tracking",
    {
      config: { ...config, errors: ["not_labelled"] },
      schema: {
        operationId: "getShipmentTracking",
        summary: "Get where a shipment is",
        description: "Of several packages the first; `GET /tracking?shipment_id=` has all of them.",
        tags,
        params: Type.Object({
          shipment_id: Type.String({ description: "The shipment's id." }),
        }),
        response: { 200: DataOf(Tracking) },
      },
    },
    async ({ ctx, params }) => ({ data: await getTrackingOfShipment(ctx, params.shipment_id) }),
  );
};
