import { isDeepStrictEqual } from "node:util";
import swagger from "@fastify/swagger";
import type { FastifyInstance, RouteOptions } from "fastify";
import type { Environment } from "../database/tables.ts";
import { baseOf } from "./authenticate.ts";
import { answersTo, sharedComponents } from "./openapi-answers.ts";
import { shownAnswers } from "./shown-answers.ts";

/**
 * The OpenAPI 3.1 document of a base address, drawn from its routes: what a route states is what it
 * checks is what the document says. Schemas with an `$id` become named components.
 */

/** Served to anybody as `<base>/openapi.json`. Call on the root, before `documentRoutes`. */
export function serveDocument(
  app: FastifyInstance,
  base: string,
  documented: () => FastifyInstance,
): void {
  let text: string | undefined;
  // Registered in its turn, so that it is compressed like every other answer.
  app.register(async (scope) => {
    scope.get(`${base}/openapi.json`, async (_request, reply) => {
      text ??= JSON.stringify(documented().swagger());
      void reply.type("application/json; charset=utf-8");
      return text;
    });
  });
}

/** Collects the routes that the scope registers from now on. */
export async function documentRoutes(
  scope: FastifyInstance,
  environment: Environment,
): Promise<void> {
  const servers = [
    { url: baseOf.live, description: "Production" },
    { url: baseOf.test, description: "Sandbox: simulated carriers, test cards, no real money" },
  ];
  await scope.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Waybill",
        version: "5",
        description: "Ship parcels and freight with many carriers over one HTTP API.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: environment === "live" ? servers : servers.reverse(),
      components: sharedComponents() as object,
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({ schema: operationOf(schema, route), url }),
    transformObject: (document) =>
      finished((document as unknown as { openapiObject: Document }).openapiObject),
  });
}

interface Operation {
  [key: string]: unknown;
  description?: string;
  requestBody?: { required?: boolean; content: Record<string, { schema: Json; examples?: Json }> };
  responses: Record<string, unknown>;
  parameters?: unknown[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}
type Json = Record<string, unknown>;

// The plugin would resolve `$id`s in its own way; under another name they pass through it unseen.
const nameKey = "x-component";

function operationOf(schema: unknown, route: RouteOptions): Json {
  const operation = renamed(schema ?? {}) as Json;
  const { scopes: ofAll = [], ltl_scopes: ofLtl = [], errors = [], examples } = route.config ?? {};
  const scopes = [...ofAll, ...ofLtl];
  const needs = scopes.length > 0 ? `Needs ${listed(ofAll)}.` : "Needs any valid token.";
  const opens = ofLtl.length > 0 ? `For LTL shipments ${listed(ofLtl)} is enough.` : "";
  return {
    ...operation,
    description: [operation["description"], [needs, opens].filter(Boolean).join(" ")]
      .filter(Boolean)
      .join("\n\n"),
    // Alternatives: any one of the scopes is enough.
    security: scopes.length > 0 ? scopes.map((scope) => ({ bearer: [scope] })) : [{ bearer: [] }],
    "x-scopes": scopes,
    "x-errors": [...errors],
    ...(examples ? { "x-bodies": examples } : {}),
  };
}

function listed(scopes: readonly string[]): string {
  return scopes.map((scope) => `\`${scope}\``).join(" or ");
}

function renamed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(renamed);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === "$id" && typeof value === "string" ? [nameKey, value] : [key, renamed(value)],
    ),
  );
}

/** Adds what every operation shares, and moves the named schemas to the components. */
function finished(document: Document): Document {
  const { schemas = {}, ...components } = document.components;
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations))
      finishOperation(operation, { method, path });
  }
  const named: Record<string, unknown> = { ...schemas };
  const paths = hoisted(document.paths, named) as Document["paths"];
  const sorted = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, components: { ...components, schemas: sorted } };
}

function finishOperation(
  operation: Operation,
  { method, path }: { method: string; path: string },
): void {
  const errors = operation["x-errors"] as string[];
  delete operation["x-errors"];
  const mutates = method !== "get";
  const answers = answersTo({ mutates, has_params: path.includes("{"), errors });
  for (const [status, response] of Object.entries(operation.responses)) {
    operation.responses[status] = { ...(response as object), ...answers.success(mutates) };
    if ((response as Json)["description"] === "Default Response") {
      (operation.responses[status] as Json)["description"] = operation["summary"];
    }
    showAnswer(operation, response as Response);
  }
  operation.responses = { ...operation.responses, ...answers.refusals };
  if (mutates) {
    operation.parameters = [
      ...(operation.parameters ?? []),
      { $ref: "#/components/parameters/IdempotencyKey" },
    ];
  }
  describeOptionalBody(operation);
  showExamples(operation);
}

/** Our optional bodies are schemas that allow null; OpenAPI says it beside the schema. */
function describeOptionalBody({ requestBody }: Operation): void {
  const media = requestBody?.content["application/json"];
  if (!requestBody || !media) return;
  const types = [media.schema["type"] ?? []].flat();
  requestBody.required = !types.includes("null");
  if (types.includes("null"))
    media.schema = { ...media.schema, type: types.find((type) => type !== "null") };
}

function showExamples(operation: Operation): void {
  const bodies = operation["x-bodies"] as Json | undefined;
  delete operation["x-bodies"];
  const media = operation.requestBody?.content["application/json"];
  if (!bodies || !media) return;
  media.examples = Object.fromEntries(
    Object.entries(bodies).map(([summary, value]) => [
      summary.toLowerCase().replaceAll(/\W+/g, "_"),
      { summary, value },
    ]),
  );
}

interface Response {
  content?: Record<string, Json>;
}

function showAnswer({ operationId }: Operation, { content }: Response): void {
  const media = content?.["application/json"];
  const example = shownAnswers[operationId as string];
  if (media && example !== undefined) media["example"] = example;
}

function hoisted(value: unknown, named: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => hoisted(each, named));
  if (typeof value !== "object" || value === null) return value;
  const { [nameKey]: name, ...rest } = value as Json;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, hoisted(inner, named)]),
  );
  if (typeof name !== "string") return copy;
  // `Nullable` keeps the name of what may be null.
  const types = [copy["type"] ?? []].flat();
  const isNullable = types.length === 2 && types.includes("null");
  const schema = isNullable ? { ...copy, type: types.find((type) => type !== "null") } : copy;
  const known = named[name];
  if (known !== undefined && !isDeepStrictEqual(known, schema)) {
    throw new Error(`two different schemas have the $id ${name}`);
  }
  named[name] = schema;
  const reference = { $ref: `#/components/schemas/${name}` };
  return isNullable ? { anyOf: [reference, { type: "null" }] } : reference;
}
