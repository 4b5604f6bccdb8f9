import { Type } from "typebox";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { Import, ImportRowResult, NewImport } from "./schemas.ts";
import { startImport } from "./start-import.ts";
import * as store from "./store.ts";
import { toImport, toRowResult } from "./view.ts";

const tags = ["Products"];
const params = Type.Object({ import_id: Type.String({ description: "The import's id." }) });

/** `/imports` (decision 13): products as stores export them. */
export const importRoutes: Routes = async (app) => {
  app.post(
    "/imports/products",
    {
      config: {
        retry_after: 2,
        scopes: ["products:write"],
        limit: "import",
        body: "bulk",
        rows: "products",
        multipart: true,
        validation: "in_verb",
        errors: ["too_many_rows"],
        examples: {
          "Products as JSON": {
            format: "json",
            products: [
              {
                sku: "MUG-1",
                title: "Stoneware mug",
                hs_code: "6912.00",
                manufacturer: "Harbour Clay Works",
                country_of_origin: "CA",
                value: 18,
              },
            ],
          },
          "The inventory export of Shopify": {
            format: "shopify_inventory",
            content: "Handle,Title,SKU,HS Code,COO\nmug,Stoneware mug,MUG-1,691200,CA\n",
          },
        },
      },
      schema: {
        operationId: "importProducts",
        summary: "Import products from a store's export",
        description:
          "Answers once the file is read and validated; each row is then classified, verified and kept. A `sku` that there is already is updated with what the row names.",
        tags,
        consumes: ["application/json", "multipart/form-data"],
        body: NewImport,
        response: { 202: DataOf(Import) },
      },
    },
    async (request, reply) => startImport(request.ctx, request.body).then(send(reply)),
  );
  await importReads(app);
};

const importReads: Routes = async (app) => {
  const config = { scopes: ["products:read"] } as const;

  app.get(
    "/imports",
    {
      config,
      schema: {
        operationId: "listImports",
        summary: "List imports, newest first",
        tags,
        querystring: Type.Object(pageQuery(Import)),
        response: { 200: ListOf(Import) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      return listResponse(request, {
        rows: (page) => store.listImports(db, account.account_id, page),
        count: () => store.countImports(db, account.account_id),
        show: toImport,
      });
    },
  );

  app.get(
    "/imports/:import_id",
    {
      config,
      schema: {
        operationId: "getImport",
        summary: "Get one import: how far it is",
        tags,
        params,
        response: { 200: DataOf(Import) },
      },
    },
    async ({ ctx: { db, account }, params: { import_id } }) => ({
      data: toImport(await store.getImport(db, account.account_id, import_id)),
    }),
  );

  app.get(
    "/imports/:import_id/rows",
    {
      config,
      schema: {
        operationId: "listImportRows",
        summary: "List what an import's rows came to, in their order",
        tags,
        params,
        querystring: Type.Object(pageQuery(ImportRowResult)),
        response: { 200: ListOf(ImportRowResult) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const { account_id } = account;
      const { id: import_id } = await store.getImport(db, account_id, request.params.import_id);
      const of = { account_id, import_id };
      return listResponse(request, {
        rows: (page) => store.listRows(db, of, page),
        count: () => store.countRows(db, of),
        show: (row: store.ListedRow) => toRowResult(row),
      });
    },
  );
};
