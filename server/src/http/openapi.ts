import swagger from "@fastify/swagger";
import type { FastifyInstance, RouteOptions } from "fastify";
import type { Config } from "../config.ts";
import type { Environment } from "../database/tables.ts";
import { documentKeys } from "../domain/values/schema.ts";
import { implies, knownScopes, type Scope } from "../domain/accounts/scopes.ts";
import { baseOf } from "./authenticate.ts";
import { documentTags, introduction } from "./introduction.ts";
import { answersTo, errorSchemas, sharedComponents, withRefusals } from "./openapi-responses.ts";
import { throughPlugin, withComponents } from "./openapi-schemas.ts";
import { documentedWebhooks } from "./openapi-webhooks.ts";
import { shownResponses } from "./shown-responses.ts";

/**
 * The OpenAPI 3.1 document of a base address, drawn from its routes: the same declaration is enforced
 * and published. Schemas with an `$id` become named components. `serve-document.ts` serves it.
 */

/** Collects the routes that the scope registers from now on. */
export async function documentRoutes(
  scope: FastifyInstance,
  { environment, config }: { environment: Environment; config: Config },
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
        description: introduction(config),
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: environment === "live" ? servers : servers.reverse(),
      tags: documentTags,
      components: sharedComponents() as object,
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({
      schema: operationOf(withPageSize(schema, config.per_page_default), route),
      url,
    }),
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

/** The schema with the configured number of rows as the default of every `per_page`. */
function withPageSize(schema: unknown, rows: number, isOfPerPage = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => withPageSize(each, rows, isOfPerPage));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, inner]) => [
    key,
    isOfPerPage && key === "default"
      ? rows
      : withPageSize(inner, rows, isOfPerPage || key === "per_page"),
  ]);
  return Object.fromEntries(entries);
}

function operationOf(schema: unknown, route: RouteOptions): Json {
  const operation = throughPlugin(schema ?? {}) as Json;
  const { scopes: ofAll = [], ltl_scopes: ofLtl = [], verb_scopes = [] } = route.config ?? {};
  const { errors = [], examples } = route.config ?? {};
  const scopes = [...ofAll, ...ofLtl];
  const needs =
    scopes.length > 0 ? `Needs ${listed(ofAll)}${implied(ofAll)}.` : "Needs any valid token.";
  const opens = ofLtl.length > 0 ? `For LTL shipments ${listed(ofLtl)} is enough.` : "";
  return {
    ...operation,
    description: [operation["description"], [needs, opens].filter(Boolean).join(" ")]
      .filter(Boolean)
      .join("\n\n"),
    // Alternatives: any one of the scopes is enough.
    security: scopes.length > 0 ? scopes.map((scope) => ({ bearer: [scope] })) : [{ bearer: [] }],
    "x-scopes": scopes,
    ...(verb_scopes.length > 0 ? { "x-scopes-besides": verb_scopes } : {}),
    "x-errors": [...errors],
    ...(examples ? { "x-bodies": examples } : {}),
  };
}

function listed(scopes: readonly string[], joint = " or "): string {
  return scopes.map((scope) => `\`${scope}\``).join(joint);
}

/** The wider scopes that open it as well, since each contains the narrower one of its resource. */
function implied(scopes: readonly Scope[]): string {
  const wider = knownScopes.filter(
    (scope) => !scopes.includes(scope) && scopes.some((needed) => implies(scope, needed)),
  );
  if (wider.length === 0) return "";
  return `; ${listed(wider, " and ")} ${wider.length > 1 ? "imply them" : "implies it"}`;
}

/** Adds what every operation shares, and moves the named schemas to the components. */
function finished(document: Document): Document {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations))
      finishOperation(operation, { method, path });
  }
  const named: Record<string, unknown> = {};
  withComponents(throughPlugin(errorSchemas()), named);
  const paths = withComponents(document.paths, named) as Document["paths"];
  // Their bodies refer to a component of the paths: none without the routes of events.
  const webhooks =
    "Event" in named ? { webhooks: withComponents(documentedWebhooks(), named) } : {};
  const sorted = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...document,
    paths,
    ...webhooks,
    components: { ...document.components, schemas: sorted },
  };
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
    if (status in answers.refusals) continue;
    operation.responses[status] = { ...(response as object), ...answers.success(mutates) };
    if ((response as Json)["description"] === "Default Response") {
      (operation.responses[status] as Json)["description"] = operation["summary"];
    }
    showAnswer(operation, response as Response);
  }
  operation.responses = withRefusals(operation.responses, answers.refusals);
  if (mutates) {
    operation.parameters = [
      ...(operation.parameters ?? []),
      { $ref: "#/components/parameters/IdempotencyKey" },
    ];
  }
  describeParameters(operation);
  describeOptionalBody(operation);
  showExamples(operation);
}

/** An annotation of one use of a schema belongs to the parameter. */
function describeParameters({ parameters = [] }: Operation): void {
  for (const parameter of parameters as (Json & { schema?: Json })[]) {
    const { description, ...others } = (parameter.schema?.[documentKeys.annotations] ?? {}) as Json;
    if (description === undefined) continue;
    parameter["description"] = description;
    parameter.schema![documentKeys.annotations] = others;
  }
}

/** Optional bodies are schemas that allow null; OpenAPI states that beside the schema. */
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
  const example = shownResponses[operationId as string];
  if (media && example !== undefined) media["example"] = example;
}
