import { Type } from "typebox";
import { DataOf, send, type Routes } from "../../http/routes.ts";
import { redeliver } from "./redeliver.ts";
import { Delivery, DeliveryWithAttempts } from "./schemas.ts";
import * as store from "./store.ts";
import { toAttempt, toDelivery } from "./view.ts";

const tags = ["Webhooks"];
const params = Type.Object({ delivery_id: Type.String({ description: "The delivery's id." }) });

/** `/deliveries`: what was sent to a webhook, and what it answered. */
export const deliveryRoutes: Routes = async (app) => {
  app.get(
    "/deliveries/:delivery_id",
    {
      config: { scopes: ["webhooks:read"] },
      schema: {
        operationId: "getDelivery",
        summary: "Get one delivery with its attempts",
        tags,
        params,
        response: { 200: DataOf(DeliveryWithAttempts) },
      },
    },
    async ({ ctx: { db, account }, params: { delivery_id } }) => {
      const row = await store.getDelivery(db, account.account_id, delivery_id);
      const attempts = await store.listAttempts(db, account.account_id, row.id);
      return { data: { ...toDelivery(row), attempts: attempts.map(toAttempt) } };
    },
  );

  app.post(
    "/deliveries/:delivery_id/redeliver",
    {
      config: { scopes: ["webhooks:write"] },
      schema: {
        operationId: "redeliver",
        summary: "Send a delivery now",
        description:
          "With the same `webhook-id` and the same body. One that has ended begins its schedule anew. 409 `conflict` while it is being sent, and when its webhook is disabled or deleted.",
        tags,
        params,
        response: { 202: DataOf(Delivery) },
      },
    },
    async (request, reply) => redeliver(request.ctx, request.params.delivery_id).then(send(reply)),
  );
};
