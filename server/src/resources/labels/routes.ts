import { Type } from "typebox";
import { Nullable } from "../../domain/values/schema.ts";
import { DataOf, send, type Routes } from "../../http/routes.ts";
import { parcelToMontreal } from "../../shipping/shipments/examples.ts";
import { NewLtlShipment, NewShipment } from "../../shipping/shipments/schemas.ts";
import { requirePathTypeScope } from "../../shipping/shipments/type-scope.ts";
import { buyShipment } from "./buy-shipment.ts";
import { createAndBuy } from "./create-and-buy.ts";
import { BuyLabel, Purchase } from "../../purchasing/labels/schemas.ts";
import { showLabel } from "./show-label.ts";

const tags = ["Labels"];
const { service, rate_id, expected_total } = BuyLabel.properties;
/** The options of a purchase that freight has, too. */
const booking = { service, rate_id, expected_total };
const params = Type.Object({ shipment_id: Type.String({ description: "The shipment's id." }) });

/** `/labels` (spec 4.3, decision 8). */
export const labelRoutes: Routes = async (app) => {
  app.post(
    "/labels/:shipment_id",
    {
      onRequest: requirePathTypeScope,
      config: {
        creates: "/labels/{shipment_id}",
        scopes: ["labels:create"],
        ltl_scopes: ["ltl:write"],
        limit: "carrier",
        validation: "in_verb",
        errors: ["insufficient_credits", "carrier_error"],
        examples: {
          "The service of a rate": { service: "canada_post.regular_parcel" },
          "The cheapest, insured, for a thermal printer": {
            service: "cheapest",
            add_ons: ["protection"],
            label_format: "zpl",
            expected_total: 100,
          },
        },
      },
      schema: {
        operationId: "buyLabel",
        summary: "Buy the label of a shipment, or book its freight",
        description:
          "Debits the balance at the account's primary quoted rate. Without a body it buys the service that the shipment carries. One shipment has at most one live label, with or without an Idempotency-Key. An LTL shipment is booked: it takes `service` or `rate_id`, and `expected_total`, and answers with its confirmation, BOL and PRO numbers.",
        tags,
        params,
        body: Nullable(BuyLabel),
        response: { 201: DataOf(Purchase) },
      },
    },
    async (request, reply) =>
      buyShipment(request.ctx, request.params.shipment_id, request.body).then(send(reply)),
  );

  app.post(
    "/labels",
    {
      config: {
        creates: "/labels/{shipment_id}",
        scopes: ["labels:create"],
        ltl_scopes: ["ltl:write"],
        limit: "carrier",
        validation: "in_verb",
        validated_by: [BuyLabel, NewShipment, NewLtlShipment],
        errors: ["insufficient_credits", "carrier_error"],
        examples: { "The cheapest": { ...parcelToMontreal, service: "cheapest" } },
      },
      schema: {
        operationId: "createAndBuyLabel",
        summary: "Create a shipment and buy its label in one call",
        description:
          "When the purchase fails the shipment stays as a draft; the error's details name it.",
        tags,
        body: Type.Unsafe<unknown>({
          anyOf: [
            Type.Object(
              { ...NewShipment.properties, ...BuyLabel.properties },
              { $id: "ShipmentToBuy" },
            ),
            Type.Object({ ...NewLtlShipment.properties, ...booking }, { $id: "LtlShipmentToBook" }),
          ],
        }),
        response: { 201: DataOf(Purchase) },
      },
    },
    async (request, reply) => createAndBuy(request.ctx, request.body).then(send(reply)),
  );

  app.get(
    "/labels/:shipment_id",
    {
      config: {
        scopes: ["labels:create", "shipments:read"],
        ltl_scopes: ["ltl:read"],
        errors: ["not_labelled", "label_not_ready"],
      },
      onRequest: requirePathTypeScope,
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
