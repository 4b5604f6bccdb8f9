import { Type } from "typebox";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { previewFilter } from "./preview-filter.ts";
import { deleteFilter, replaceFilter } from "./change-filter.ts";
import { createFilter } from "./create-filter.ts";
import { Previewed } from "./preview-schemas.ts";
import { Filter, FilterPreview, NewFilter } from "./schemas.ts";
import * as store from "../../shipping/filters/store.ts";
import { toFilter } from "./view.ts";

const tags = ["Filters"];
const reading = { scopes: ["automation:read", "orders:read", "shipments:read"] } as const;
const writing = { scopes: ["automation:write"], validation: "in_verb" } as const;
const params = Type.Object({ filter_id: Type.String({ description: "The filter's id." }) });

const heavyToTheStates = {
  match: "all",
  conditions: [
    { field: "to_address.country_code", operator: "eq", value: "US" },
    {
      match: "any",
      conditions: [
        { field: "total_weight", operator: "gt", value: { value: 10, unit: "kg" } },
        { field: "tags", operator: "contains", value: "heavy" },
      ],
    },
  ],
};

/** `/filters` (spec 4.10, decision 15). */
export const filterRoutes: Routes = async (app) => {
  await filterReads(app);
  await filterWrites(app);
};

const filterReads: Routes = async (app) => {
  app.get(
    "/filters",
    {
      config: reading,
      schema: {
        operationId: "listFilters",
        summary: "List saved filters, newest first",
        tags,
        querystring: Type.Object(pageQuery(Filter)),
        response: { 200: ListOf(Filter) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listFilters(db, account.account_id, page),
        count: () => store.countFilters(db, account.account_id),
        show: toFilter,
      });
    },
  );

  app.get(
    "/filters/:filter_id",
    {
      config: reading,
      schema: {
        operationId: "getFilter",
        summary: "Get one filter",
        tags,
        params,
        response: { 200: DataOf(Filter) },
      },
    },
    async ({ ctx: { db, account }, params: { filter_id } }) => ({
      data: toFilter(await store.getFilter(db, account.account_id, filter_id)),
    }),
  );

  app.post(
    "/filters/preview",
    {
      config: {
        ...reading,
        verb_scopes: ["orders:read", "shipments:read"],
        validation: "in_verb",
        is_by_criteria: true,
        examples: {
          "The ten newest": { target: "both", criteria: heavyToTheStates, per_page: 10 },
        },
      },
      schema: {
        operationId: "previewFilter",
        summary: "Count what a filter would show, and see the newest, before saving it",
        description: "Needs `shipments:read` to show shipments and `orders:read` to show orders.",
        tags,
        body: FilterPreview,
        response: { 200: DataOf(Previewed) },
      },
    },
    async (request, reply) => previewFilter(request.ctx, request.body).then(send(reply)),
  );
};

const filterWrites: Routes = async (app) => {
  app.post(
    "/filters",
    {
      config: {
        creates: "/filters/{id}",
        ...writing,
        examples: {
          "A group in a group": {
            name: "Heavy to the States",
            target: "both",
            criteria: heavyToTheStates,
          },
          "Drafts that wait": {
            name: "Drafts older than two days",
            target: "shipments",
            criteria: {
              match: "all",
              conditions: [
                { field: "status", operator: "eq", value: "draft" },
                { field: "age_hours", operator: "gt", value: 48 },
              ],
            },
          },
        },
      },
      schema: {
        operationId: "createFilter",
        summary: "Save a filter",
        tags,
        body: NewFilter,
        response: { 201: DataOf(Filter) },
      },
    },
    async (request, reply) => createFilter(request.ctx, request.body).then(send(reply)),
  );

  app.put(
    "/filters/:filter_id",
    {
      config: {
        ...writing,
        verb_scopes: ["labels:create"],
        examples: {
          "All of it": { name: "Heavy", target: "shipments", criteria: heavyToTheStates },
        },
      },
      schema: {
        operationId: "replaceFilter",
        summary: "Replace all of a filter",
        description:
          "Every part is required. Fields that a filter has and only we write may be sent back; other unknown ones are 422. 409 `filter_in_use` when a rule that uses it could not with the new target. Also needs `labels:create` when a rule that uses it buys (`buy_label`).",
        tags,
        params,
        body: NewFilter,
        response: { 200: DataOf(Filter) },
      },
    },
    async (request, reply) =>
      replaceFilter(request.ctx, request.params.filter_id, request.body).then(send(reply)),
  );

  app.delete(
    "/filters/:filter_id",
    {
      config: { scopes: writing.scopes },
      schema: {
        operationId: "deleteFilter",
        summary: "Delete a filter",
        description: "409 `filter_in_use` while a rule uses it.",
        tags,
        params,
        response: { 204: Type.Null({ description: "Deleted" }) },
      },
    },
    async (request, reply) => deleteFilter(request.ctx, request.params.filter_id).then(send(reply)),
  );
};
