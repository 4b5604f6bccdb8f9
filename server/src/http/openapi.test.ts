import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApi, type TestApi } from "../../test/api.ts";
import { errorCatalogue } from "../domain/errors/errors.ts";
import { Nullable } from "../domain/values/schema.ts";
import { DataOf, ListOf, type Routes } from "./routes.ts";

const Box = Type.Object({ size: Type.Number() }, { $id: "Box" });
const Parcel = Type.Object(
  { id: Type.String(), outer: Box, inner: Nullable(Box) },
  { $id: "Parcel" },
);
const params = Type.Object({ parcel_id: Type.String() });
const routes: Routes = async (app) => {
  app.get(
    "/parcels",
    {
      config: { scopes: [] },
      schema: {
        operationId: "listParcels",
        summary: "List parcels",
        response: { 200: ListOf(Parcel) },
      },
    },
    async () => ({
      data: [],
      meta: { path: "", per_page: 1 },
      links: { first: null, last: null, prev: null, next: null },
    }),
  );
  app.put(
    "/parcels/:parcel_id",
    {
      config: { scopes: ["shipments:write", "ltl:write"], errors: ["insufficient_credits"] },
      schema: {
        operationId: "changeParcel",
        summary: "Change a parcel",
        params,
        body: Nullable(Type.Object({ note: Type.String() })),
        response: { 200: DataOf(Parcel) },
      },
    },
    async () => ({ data: { id: "", outer: { size: 1 }, inner: null } }),
  );
};

interface Operation {
  security: unknown;
  description: string;
  parameters: { $ref?: string; name?: string }[];
  requestBody: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; content: Record<string, { schema: unknown }> }>;
  "x-scopes": string[];
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

let api: TestApi;
let document: Document;
beforeAll(async () => {
  api = await testApi({ routes: [routes] });
  document = (await api.app.inject("/sandbox/api/v5/openapi.json")).json();
});
afterAll(() => api.close());
const change = () => document.paths["/parcels/{parcel_id}"]!["put"]!;

test("the document of each base address needs no token and names its own server first", async () => {
  const live = (await api.app.inject("/api/v5/openapi.json")).json<Document>();
  expect([document.openapi, document.servers[0]?.url, live.servers[0]?.url]).toEqual([
    "3.1.0",
    "/sandbox/api/v5",
    "/api/v5",
  ]);
  expect(live.paths).toEqual(document.paths);
});

test("an operation lists the scopes that open it, any one of them", () => {
  expect(change()["x-scopes"]).toEqual(["shipments:write", "ltl:write"]);
  expect(change().security).toEqual([{ bearer: ["shipments:write"] }, { bearer: ["ltl:write"] }]);
  expect(change().description).toContain("`shipments:write` or `ltl:write`");
  expect(document.paths["/parcels"]!["get"]!.security).toEqual([{ bearer: [] }]);
});

test("a schema with a name is a component, once, also where it may be null", () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas!)).toEqual(
    expect.arrayContaining(["Box", "Parcel", "ListMeta", "ListLinks"]),
  );
  expect(schemas!["Parcel"]).toMatchObject({
    properties: {
      outer: { $ref: "#/components/schemas/Box" },
      inner: { anyOf: [{ $ref: "#/components/schemas/Box" }, { type: "null" }] },
    },
  });
  expect(JSON.stringify(document)).not.toMatch(/\$id|x-component|x-errors/);
});

test("every reference resolves", () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, section, name] of references)
    expect(document.components[section!]?.[name!], `${section}/${name}`).toBeDefined();
});

test("an operation lists the errors that it can answer, and every code is in one of them", () => {
  expect(Object.keys(change().responses)).toEqual([
    "200",
    "400",
    "401",
    "402",
    "403",
    "404",
    "406",
    "409",
    "413",
    "415",
    "422",
    "429",
    "500",
    "503",
  ]);
  expect(Object.keys(document.paths["/parcels"]!["get"]!.responses)).toEqual([
    "200",
    "400",
    "401",
    "403",
    "406",
    "422",
    "429",
    "500",
    "503",
  ]);
  // Codes of unknown addresses, of file links and of connections, which no operation answers.
  const others = ["version_gone", "url_expired", "request_timeout", "expectation_failed"];
  for (const code of Object.keys(errorCatalogue).filter((each) => !others.includes(each)))
    expect(JSON.stringify(document.components["schemas"])).toContain(`"${code}"`);
});

test("a mutation takes an Idempotency-Key, and a body that may be missing is not required", () => {
  expect(change().parameters).toContainEqual({ $ref: "#/components/parameters/IdempotencyKey" });
  expect(change().requestBody).toMatchObject({
    required: false,
    content: { "application/json": { schema: { type: "object" } } },
  });
});

test("a route without scopes stops the start", async () => {
  const forgetful: Routes = async (app) => void app.get("/open", async () => ({}));
  await expect(testApi({ routes: [forgetful], beside: api })).rejects.toThrow(
    "/api/v5/open does not state its scopes",
  );
});
