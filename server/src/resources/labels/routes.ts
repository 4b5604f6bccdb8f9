import { Type } from "typebox";
import { DataOf, send, type Routes } from "../../http/routes.ts";
import { NewShipment } from "../shipments/service.ts";
import { buyLabel } from "./buy-label.ts";
import { createAndBuy } from "./create-and-buy.ts";
import { BuyLabel, Purchase } from "./schemas.ts";
import { showLabel } from "./show-label.ts";

const tags = ["Labels"];
const params = Type.Object({ shipment_id: Type.String() });

/** `/labels` (spec 4.3, decision 8). */
export const labelRoutes: Routes = async (app) => {
  app.post(
    "/labels/:shipment_id",
    {
      config: { scopes: ["labels:create"], limit: "carrier" },
      schema: {
        operationId: "buyLabel",
        summary: "Buy the label of a shipment",
        description:
          "Debits the balance at the account's primary quoted rate. One shipment has at most one live label, with or without an Idempotency-Key.",
        tags,
        params,
        body: BuyLabel,
        response: { 201: DataOf(Purchase) },
      },
    },
    async (request, reply) =>
      buyLabel(request.ctx, request.params.shipment_id, request.body).then(send(reply)),
  );

  app.post(
    "/labels",
    {
      config: { scopes: ["labels:create"], limit: "carrier", validation: "in_verb" },
      schema: {
        operationId: "createAndBuyLabel",
        summary: "Create a shipment and buy its label in one call",
        description:
          "When the purchase fails the shipment stays as a draft; the error's details name it.",
        tags,
        body: Type.Object({ ...NewShipment.properties, ...BuyLabel.properties }),
        response: { 201: DataOf(Purchase) },
      },
    },
    async (request, reply) => createAndBuy(request.ctx, request.body).then(send(reply)),
  );

  app.get(
    "/labels/:shipment_id",
    {
      config: { scopes: ["labels:create", "shipments:read"] },
      schema: {
        operationId: "getLabel",
        summary: "Get a bought label with fresh links",
        tags,
        params,
        response: { 200: DataOf(Purchase) },
      },
    },
    async (request) => ({ data: await showLabel(request.ctx, request.params.shipment_id) }),
  );
};
