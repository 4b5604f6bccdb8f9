import { Type } from "typebox";
import { itemStatuses } from "../../domain/batches/batch-states.ts";
import { Annotated, CommaSeparated, Nullable, OneOf } from "../../domain/values/schema.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { addShipments, deleteBatch, removeShipments, updateBatch } from "./change-batch.ts";
import { createBatch } from "./create-batch.ts";
import { batchItems } from "./list-items.ts";
import { batchErrors } from "./list-errors.ts";
import { processBatch } from "./process-batch.ts";
import {
  Batch,
  BatchChanges,
  BatchError,
  BatchItem,
  BatchMembers,
  NewBatch,
  ProcessBatch,
} from "./schemas.ts";
import * as store from "../../shipping/batches/store.ts";
import { toBatch, withIds } from "./view.ts";

const tags = ["Batches"];
const reads = { scopes: ["batches:read", "shipments:read"] } as const;
const writes = { scopes: ["batches:write", "shipments:write"] } as const;
const lists = { ...writes, body: "bulk", rows: "shipment_ids", validation: "in_verb" } as const;
const params = Type.Object({ batch_id: Type.String({ description: "The batch's id." }) });

const idsQuery = {
  shipment_ids: Type.Optional(
    Annotated(OneOf(["true", "false"], { $id: "TrueOrFalse" }), {
      description:
        "`false` leaves `shipment_ids` empty: the ids of a large batch make each poll large.",
    }),
  ),
};

/** `/batches` (spec 4.5, decision 11). */
export const batchRoutes: Routes = async (app) => {
  await batchReads(app);
  await batchWrites(app);
  await batchMembers(app);
};

const batchReads: Routes = async (app) => {
  app.get(
    "/batches",
    {
      config: reads,
      schema: {
        operationId: "listBatches",
        summary: "List batches, newest first",
        tags,
        querystring: Type.Object({ ...pageQuery(Batch), ...idsQuery }),
        response: { 200: ListOf(Batch) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listBatches(db, account.account_id, page),
        count: () => store.countBatches(db, account.account_id),
        show: (row) => withIds(toBatch(request.ctx, row), request.query.shipment_ids),
      });
    },
  );

  app.get(
    "/batches/:batch_id",
    {
      config: reads,
      schema: {
        operationId: "getBatch",
        summary: "Get one batch and how far it is",
        description:
          "Poll it, with growing pauses, until `status` is not `processing`. While it is, the counts only grow.",
        tags,
        params,
        querystring: Type.Object(idsQuery),
        response: { 200: DataOf(Batch) },
      },
    },
    async ({ ctx, params: { batch_id }, query: { shipment_ids } }) => ({
      data: withIds(
        toBatch(ctx, await store.getBatch(ctx.db, ctx.account.account_id, batch_id)),
        shipment_ids,
      ),
    }),
  );

  app.get(
    "/batches/:batch_id/items",
    {
      config: reads,
      schema: {
        operationId: "listBatchItems",
        summary: "List the shipments of a batch and what became of each, newest shipment first",
        description: "A batch that was never processed has none.",
        tags,
        params,
        querystring: Type.Object({
          ...pageQuery(BatchItem),
          state: Type.Optional(CommaSeparated(itemStatuses)),
        }),
        response: { 200: ListOf(BatchItem) },
      },
    },
    async (request) => {
      const { ctx, params, query } = request;
      return listResponse(request, await batchItems(ctx, params.batch_id, query.state));
    },
  );

  app.get(
    "/batches/:batch_id/errors",
    {
      config: reads,
      schema: {
        operationId: "listBatchErrors",
        summary: "List which shipments of a batch have no label, and why",
        tags,
        params,
        querystring: Type.Object(pageQuery(BatchError)),
        response: { 200: ListOf(BatchError) },
      },
    },
    async (request) =>
      listResponse(request, await batchErrors(request.ctx, request.params.batch_id)),
  );
};

const members = { shipment_ids: ["shp_01k6x3v2m4f8r9t0a1b2c3d4e5"] };

const batchWrites: Routes = async (app) => {
  app.post(
    "/batches",
    {
      config: {
        creates: "/batches/{id}",
        ...lists,
        errors: ["shipment_in_use"],
        examples: { "One shipment": { name: "Saturday's orders", ...members } },
      },
      schema: {
        operationId: "createBatch",
        summary: "Group up to 10,000 shipments",
        description:
          "Parcels and freight; a shipment is in one batch at a time that is not completed. Nothing is bought.",
        tags,
        body: NewBatch,
        response: { 201: DataOf(Batch) },
      },
    },
    async (request, reply) => createBatch(request.ctx, request.body).then(send(reply)),
  );

  app.post(
    "/batches/:batch_id/process",
    {
      config: {
        retry_after: 2,
        scopes: ["labels:create"],
        validation: "in_verb",
        errors: ["batch_processing", "batch_not_open"],
        examples: {
          "As the shipments say": {},
          "The cheapest, for a thermal printer": { service: "cheapest", label_format: "zpl" },
        },
      },
      schema: {
        operationId: "processBatch",
        summary: "Buy the labels of a batch, asynchronously",
        description:
          "Freight is booked. Each shipment is bought by its own service or strategy, else by the body's. A batch that completed with errors is processed again for what failed.",
        tags,
        params,
        body: Nullable(ProcessBatch),
        response: { 202: DataOf(Batch) },
      },
    },
    async (request, reply) =>
      processBatch(request.ctx, request.params.batch_id, request.body).then(send(reply)),
  );

  app.delete(
    "/batches/:batch_id",
    {
      config: { ...writes, errors: ["batch_processing", "batch_not_open"] },
      schema: {
        operationId: "deleteBatch",
        summary: "Remove an open batch; its shipments stay",
        tags,
        params,
        response: { 204: Type.Null({ description: "Removed" }) },
      },
    },
    async (request, reply) => deleteBatch(request.ctx, request.params.batch_id).then(send(reply)),
  );
};

/** Changes of an open batch's shipments. */
const batchMembers: Routes = async (app) => {
  const config = {
    ...lists,
    errors: ["batch_processing", "batch_not_open", "shipment_in_use"],
  } as const;
  const response = { 200: DataOf(Batch) };

  app.put(
    "/batches/:batch_id",
    {
      config: { ...config, examples: { "Its name": { name: "Saturday's orders" } } },
      schema: {
        operationId: "updateBatch",
        summary: "Change the name or the list of an open batch",
        tags,
        params,
        body: BatchChanges,
        response,
      },
    },
    async (request, reply) =>
      updateBatch(request.ctx, request.params.batch_id, request.body).then(send(reply)),
  );

  app.post(
    "/batches/:batch_id/add-shipments",
    {
      config: { ...config, examples: { "One shipment": members } },
      schema: {
        operationId: "addBatchShipments",
        summary: "Add shipments to an open batch",
        tags,
        params,
        body: BatchMembers,
        response,
      },
    },
    async (request, reply) =>
      addShipments(request.ctx, request.params.batch_id, request.body).then(send(reply)),
  );

  app.post(
    "/batches/:batch_id/remove-shipments",
    {
      config: { ...config, examples: { "One shipment": members } },
      schema: {
        operationId: "removeBatchShipments",
        summary: "Take shipments out of an open batch",
        tags,
        params,
        body: BatchMembers,
        response,
      },
    },
    async (request, reply) =>
      removeShipments(request.ctx, request.params.batch_id, request.body).then(send(reply)),
  );
};
