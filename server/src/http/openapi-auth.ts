import swagger from "@fastify/swagger";
import type { FastifyInstance, RouteOptions } from "fastify";
import { errorCatalogue } from "../domain/errors/errors.ts";
import { answersTo, errorSchemas, sharedComponents, withRefusals } from "./openapi-responses.ts";
import { throughPlugin, withComponents } from "./openapi-schemas.ts";

/** The OpenAPI document of `/api/auth`, beside the API's own: people sign in, programs have tokens. */

type Json = Record<string, unknown>;
interface Document {
  paths: Record<string, Record<string, Json & { responses: Json }>>;
  components: Record<string, Json>;
}

const description =
  "Sign-in, sessions, members and invitations. Every call is for the cookie that a sign-in sets, and for none of the API's tokens. What changes something has to come from the origin that serves it.";

/** Collects the routes that the scope registers from now on. */
export async function documentAuth(scope: FastifyInstance): Promise<void> {
  const { bearer: _bearer, ...schemes } = sharedComponents()["securitySchemes"] as Json;
  await scope.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Waybill: people", version: "5", description },
      servers: [{ url: "/api/auth" }],
      components: {
        ...sharedComponents(),
        securitySchemes: {
          ...schemes,
          user: { type: "apiKey", in: "cookie", name: "waybill" },
          operator: { type: "apiKey", in: "cookie", name: "waybill-operator" },
        },
      } as object,
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({ schema: operationOf(schema, route), url }),
    transformObject: (document) =>
      finished((document as unknown as { openapiObject: Document }).openapiObject),
  });
}

function operationOf(schema: unknown, { config }: RouteOptions): Json {
  const { audience = "anyone", errors = [] } = config ?? {};
  const kind = audience.endsWith("operator") ? "operator" : "user";
  return {
    ...(throughPlugin(schema ?? {}) as Json),
    security: audience === "anyone" ? [] : [{ [kind]: [] }],
    "x-audience": audience,
    "x-errors": [...errors],
  };
}

function finished(document: Document): Document {
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const errors = operation["x-errors"] as string[];
      delete operation["x-errors"];
      const mutates = method !== "get";
      const answers = answersTo({ mutates, has_params: path.includes("{"), errors });
      for (const response of Object.values(operation.responses) as Json[])
        if (response["description"] === "Default Response")
          response["description"] = operation["summary"];
      operation.responses = withRefusals(operation.responses, answers.refusals);
      operation["x-errors"] = errors.map((code) => ({
        code,
        status: errorCatalogue[code as keyof typeof errorCatalogue][0],
      }));
    }
  const named: Json = {};
  withComponents(throughPlugin(errorSchemas()), named);
  const paths = withComponents(document.paths, named) as Document["paths"];
  const sorted = Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, components: { ...document.components, schemas: sorted } };
}
