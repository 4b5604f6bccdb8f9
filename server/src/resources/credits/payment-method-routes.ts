import { Type } from "typebox";
import { DataOf, send, type Routes } from "../../http/routes.ts";
import { addCard, getCard, makeDefault, removeCard, toPaymentMethod } from "./payment-methods.ts";
import { NewCard, PaymentMethod } from "./schemas.ts";

const tags = ["Credits"];
const config = { scopes: ["credits:write"] } as const;
const params = Type.Object({
  payment_method_id: Type.String({ description: "The card's id at the processor." }),
});

/** `/credits/payment-methods`; its list is with the other reads of `/credits`. */
export const paymentMethodRoutes: Routes = async (app) => {
  app.get(
    "/credits/payment-methods/:payment_method_id",
    {
      config: { scopes: ["credits:read"] },
      schema: {
        operationId: "getPaymentMethod",
        summary: "Get one card",
        tags,
        params,
        response: { 200: DataOf(PaymentMethod) },
      },
    },
    async ({ ctx, params: { payment_method_id } }) => ({
      data: toPaymentMethod(await getCard(ctx, payment_method_id)),
    }),
  );

  app.post(
    "/credits/payment-methods",
    {
      config: {
        creates: "/credits/payment-methods/{id}",
        ...config,
        examples: { "A test card": { card: "pm_card_visa" } },
      },
      schema: {
        operationId: "createPaymentMethod",
        summary: "Attach a card",
        description:
          "The simulated processor's cards. Where a real processor is charged, the operator attaches cards: 422 at `card`.",
        tags,
        body: NewCard,
        response: { 201: DataOf(PaymentMethod) },
      },
    },
    async (request, reply) => addCard(request.ctx, request.body).then(send(reply)),
  );

  app.post(
    "/credits/payment-methods/:payment_method_id/default",
    {
      config,
      schema: {
        operationId: "setDefaultPaymentMethod",
        summary: "Make a card the one that a top-up charges when it names none",
        tags,
        params,
        response: { 200: DataOf(PaymentMethod) },
      },
    },
    async (request, reply) =>
      makeDefault(request.ctx, request.params.payment_method_id).then(send(reply)),
  );

  app.delete(
    "/credits/payment-methods/:payment_method_id",
    {
      config,
      schema: {
        operationId: "deletePaymentMethod",
        summary: "Detach a card",
        tags,
        params,
        response: { 204: Type.Null({ description: "Detached" }) },
      },
    },
    async (request, reply) =>
      removeCard(request.ctx, request.params.payment_method_id).then(send(reply)),
  );
};
