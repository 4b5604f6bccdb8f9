import { Type } from "typebox";
import { NewProduct, ProductChanges } from "../../domain/products/product.ts";
import { productStatuses } from "../../domain/products/product-states.ts";
import { Verification } from "../../domain/products/verification.ts";
import { CommaSeparated, Nullable } from "../../domain/values/schema.ts";
import { listResponse, pageQuery } from "../../http/paging.ts";
import { DataOf, ListOf, send, type Routes } from "../../http/routes.ts";
import { approveProduct, rejectProduct } from "./approve-product.ts";
import { classifyRoutes } from "./classify-routes.ts";
import { createProduct } from "./create-product.ts";
import { Approval, ManufacturerToVerify, Product, Rejection } from "./schemas.ts";
import * as store from "./store.ts";
import { updateProduct } from "./update-product.ts";
import { verifyManufacturer } from "./verify-manufacturer.ts";
import { toProduct } from "./view.ts";

const tags = ["Products"];
const params = Type.Object({ sku: Type.String({ description: "The product's sku." }) });

/** `/products` (spec 4.7, decision 13). */
export const productRoutes: Routes = async (app) => {
  await productReads(app);
  await productWrites(app);
  await productReviews(app);
  await classifyRoutes(app);
};

const productReads: Routes = async (app) => {
  const config = { scopes: ["products:read"] } as const;

  app.get(
    "/products",
    {
      config,
      schema: {
        operationId: "listProducts",
        summary: "List products, newest first",
        tags,
        querystring: Type.Object({
          ...pageQuery(Product),
          status: Type.Optional(CommaSeparated(productStatuses)),
        }),
        response: { 200: ListOf(Product) },
      },
    },
    async (request) => {
      const { db, account } = request.ctx;
      const status = request.query.status?.split(",");
      const filters = { account_id: account.account_id, status };
      return listResponse(request, {
        rows: (page) => store.listProducts(db, filters, page),
        count: (most) => store.countProducts(db, filters, most),
        show: toProduct,
      });
    },
  );

  app.get(
    "/products/:sku",
    {
      config,
      schema: {
        operationId: "getProduct",
        summary: "Get one product",
        tags,
        params,
        response: { 200: DataOf(Product) },
      },
    },
    async ({ ctx: { db, account }, params: { sku } }) => ({
      data: toProduct(await store.getProduct(db, account.account_id, sku)),
    }),
  );
};

const productWrites: Routes = async (app) => {
  const config = { scopes: ["products:write"], validation: "in_verb" } as const;

  app.post(
    "/products",
    {
      config: {
        creates: "/products/{sku}",
        ...config,
        errors: ["method_not_allowed", "conflict"],
        examples: {
          "A T-shirt": {
            sku: "TEE-BLUE-M",
            title: "Blue cotton T-shirt, medium",
            hs_code: "6109.10",
            manufacturer: "Maple Knits Ltd.",
            country_of_origin: "CA",
            value: 24.5,
            weight: 180,
            weight_unit: "g",
          },
        },
      },
      schema: {
        operationId: "createProduct",
        summary: "Create a product, where the account's settings allow it",
        description:
          "Products come from store imports. This call answers 405 unless the account's `products_api_create` is on.",
        tags,
        body: NewProduct,
        response: { 201: DataOf(Product) },
      },
    },
    async (request, reply) => createProduct(request.ctx, request.body).then(send(reply)),
  );

  app.put(
    "/products/:sku",
    {
      config: {
        ...config,
        examples: {
          "Customs data": {
            customs_description: "T-shirt, knitted, of cotton",
            hs_code: "6109.10.00",
            country_of_origin: "CA",
          },
        },
      },
      schema: {
        operationId: "updateProduct",
        summary: "Change the fields that the body names",
        description: "An approved product whose customs data change is `Pending Approval` again.",
        tags,
        params,
        body: ProductChanges,
        response: { 200: DataOf(Product) },
      },
    },
    async (request, reply) =>
      updateProduct(request.ctx, request.params.sku, request.body).then(send(reply)),
  );
};

const productReviews: Routes = async (app) => {
  app.post(
    "/products/verify-manufacturer",
    {
      config: {
        scopes: ["products:classify"],
        validation: "in_verb",
        errors: ["not_found"],
        examples: {
          "A manufacturer with its address": {
            manufacturer: "Maple Knits Ltd.",
            country_of_origin: "CA",
            manufacturer_address: {
              address1: "275 Rue Notre-Dame Est",
              city: "Montréal",
              province_code: "QC",
              country_code: "CA",
            },
            hs_code: "6109.10",
          },
        },
      },
      schema: {
        operationId: "verifyManufacturer",
        summary: "Check a manufacturer and a country of origin",
        tags,
        body: ManufacturerToVerify,
        response: { 200: DataOf(Verification) },
      },
    },
    async (request, reply) => verifyManufacturer(request.ctx, request.body).then(send(reply)),
  );

  app.post(
    "/products/:sku/approve-classification",
    {
      config: {
        scopes: ["products:approve"],
        validation: "in_verb",
        errors: ["conflict"],
        examples: { "With a code": { hs_code: "6109.10", notes: "As on the last invoice." } },
      },
      schema: {
        operationId: "approveClassification",
        summary: "Approve a product's customs data",
        tags,
        params,
        body: Nullable(Approval),
        response: { 200: DataOf(Product) },
      },
    },
    async (request, reply) =>
      approveProduct(request.ctx, request.params.sku, request.body).then(send(reply)),
  );

  app.post(
    "/products/:sku/reject-classification",
    {
      config: {
        scopes: ["products:approve"],
        examples: { "The wrong code": { reason: "The shirt is woven, not knitted." } },
      },
      schema: {
        operationId: "rejectClassification",
        summary: "Reject what customs would be told of a product",
        tags,
        params,
        body: Rejection,
        response: { 200: DataOf(Product) },
      },
    },
    async (request, reply) =>
      rejectProduct(request.ctx, request.params.sku, request.body).then(send(reply)),
  );
};
