import { Type } from "typebox";
import { Nullable } from "../../domain/values/schema.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { Delivery } from "../deliveries/service.ts";
import { deleteWebhook, updateWebhook } from "./change-webhook.ts";
import { createWebhook } from "./create-webhook.ts";
import { DeliveryFilterQuery, deliveriesOf } from "./list-deliveries.ts";
import { replayWebhook } from "./replay-webhook.ts";
import { rotateSecret } from "./rotate-secret.ts";
import {
  MintedWebhook,
  NewWebhook,
  Replay,
  Replayed,
  RotatedSecret,
  SecretRotation,
  Webhook,
  WebhookChanges,
  WebhookTest,
} from "./schemas.ts";
import * as store from "./store.ts";
import { testWebhook } from "./test-webhook.ts";
import { toWebhook } from "./view.ts";

const tags = ["Webhooks"];
const reads = { scopes: ["webhooks:read"] } as const;
const writes = { scopes: ["webhooks:write"] } as const;
const params = Type.Object({ webhook_id: Type.String({ description: "The webhook's id." }) });

/** `/webhooks`: addresses that are sent an account's events. */
export const webhookRoutes: Routes = async (app) => {
  await webhookReads(app);
  await webhookWrites(app);
  await webhookSends(app);
};

const webhookReads: Routes = async (app) => {
  app.get(
    "/webhooks",
    {
      config: reads,
      schema: {
        operationId: "listWebhooks",
        summary: "List webhooks, newest first",
        tags,
        querystring: Type.Object(pageQuery(Webhook)),
        response: { 200: ListOf(Webhook) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listWebhooks(db, account.account_id, page),
        count: () => store.countWebhooks(db, account.account_id),
        show: toWebhook,
      });
    },
  );

  app.get(
    "/webhooks/:webhook_id",
    {
      config: reads,
      schema: {
        operationId: "getWebhook",
        summary: "Get one webhook and its delivery state",
        tags,
        params,
        response: { 200: DataOf(Webhook) },
      },
    },
    async ({ ctx: { db, account }, params: { webhook_id } }) => ({
      data: toWebhook(await store.getWebhook(db, account.account_id, webhook_id)),
    }),
  );

  app.get(
    "/webhooks/:webhook_id/deliveries",
    {
      config: reads,
      schema: {
        operationId: "listDeliveries",
        summary: "List what was sent to a webhook, newest first",
        tags,
        params,
        querystring: Type.Object({ ...pageQuery(Delivery), ...DeliveryFilterQuery.properties }),
        response: { 200: ListOf(Delivery) },
      },
    },
    async (request) => {
      const { ctx, params, query } = request;
      return listResponse(request, await deliveriesOf(ctx, params.webhook_id, query));
    },
  );
};

const webhookWrites: Routes = async (app) => {
  app.post(
    "/webhooks",
    {
      config: {
        creates: "/webhooks/{id}",
        ...writes,
        validation: "in_verb",
        secret_answer: true,
        examples: {
          "All of shipments": { url: "https://shop.example.com/hooks", types: ["shipment.*"] },
        },
      },
      schema: {
        operationId: "createWebhook",
        summary: "Create a webhook; only this answer shows its secret",
        description:
          "It gets the events of its types that are placed in the feed from now on. 409 `conflict` for a 17th.",
        tags,
        body: NewWebhook,
        response: { 201: DataOf(MintedWebhook) },
      },
    },
    async (request, reply) => createWebhook(request.ctx, request.body).then(send(reply)),
  );

  app.put(
    "/webhooks/:webhook_id",
    {
      config: {
        ...writes,
        validation: "in_verb",
        examples: { "Its types": { types: ["*"] }, "Not for now": { status: "disabled" } },
      },
      schema: {
        operationId: "updateWebhook",
        summary: "Change, disable or enable a webhook",
        description:
          "Fields that a webhook has and only we write may be sent back; other unknown ones are 422.",
        tags,
        params,
        body: WebhookChanges,
        response: { 200: DataOf(Webhook) },
      },
    },
    async (request, reply) =>
      updateWebhook(request.ctx, request.params.webhook_id, request.body).then(send(reply)),
  );

  app.delete(
    "/webhooks/:webhook_id",
    {
      config: writes,
      schema: {
        operationId: "deleteWebhook",
        summary: "Delete a webhook; what is pending is cancelled",
        tags,
        params,
        response: { 204: Type.Null({ description: "Deleted" }) },
      },
    },
    async (request, reply) =>
      deleteWebhook(request.ctx, request.params.webhook_id).then(send(reply)),
  );

  app.post(
    "/webhooks/:webhook_id/rotate-secret",
    {
      config: {
        ...writes,
        secret_answer: true,
        examples: { "A day to change over": { overlap_hours: 24 } },
      },
      schema: {
        operationId: "rotateWebhookSecret",
        summary: "Give a webhook a new secret; only this answer shows it",
        description: "The old secrets sign beside it for `overlap_hours`; 0 ends them at once.",
        tags,
        params,
        body: Nullable(SecretRotation),
        response: { 200: DataOf(RotatedSecret) },
      },
    },
    async (request, reply) =>
      rotateSecret(request.ctx, request.params.webhook_id, request.body?.overlap_hours ?? 24).then(
        send(reply),
      ),
  );
};

/** What makes deliveries other than events. */
const webhookSends: Routes = async (app) => {
  app.post(
    "/webhooks/:webhook_id/test",
    {
      config: {
        ...writes,
        examples: { "A sample of a purchase": { type: "shipment.purchased" } },
      },
      schema: {
        operationId: "testWebhook",
        summary: "Send a webhook a sample",
        description: "The sample is not in the feed. 409 `conflict` while the webhook is disabled.",
        tags,
        params,
        body: Nullable(WebhookTest),
        response: { 202: DataOf(Delivery) },
      },
    },
    async (request, reply) =>
      testWebhook(
        request.ctx,
        request.params.webhook_id,
        request.body?.type ?? "webhook.test",
      ).then(send(reply)),
  );

  app.post(
    "/webhooks/:webhook_id/replay",
    {
      config: {
        ...writes,
        validation: "in_verb",
        errors: ["cursor_expired"],
        examples: { "What it missed": { only: "missing" } },
      },
      schema: {
        operationId: "replayWebhook",
        summary: "Send a webhook events of the feed, again or for the first time",
        description:
          "Up to 100,000 of those that are kept. No event is sent twice for two calls at once. 409 `conflict` while the webhook is disabled.",
        tags,
        params,
        body: Replay,
        response: { 202: DataOf(Replayed) },
      },
    },
    async (request, reply) =>
      replayWebhook(request.ctx, request.params.webhook_id, request.body).then(send(reply)),
  );
};
