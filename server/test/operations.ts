import type { FastifyInstance } from "fastify";

/** The operations of an API from its own document, for tests that hold for all of them. */
export interface Operation {
  /** Its operationId. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** Any one of these opens it. */
  scopes: string[];
  /** Scopes that its verb may need as well. */
  scopes_besides: string[];
  /** Whether a success has a field that is a secret by its name. */
  shows_secret: boolean;
  /** Its answer goes on until one side ends it. */
  is_stream: boolean;
  /** The names in its path, in order. */
  parameters: string[];
  body: Schema | undefined;
  /** Bodies that the document shows. */
  examples: Example[];
  /** The components that the body's references resolve to. */
  components: Record<string, Schema>;
}

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
}

interface Example {
  summary: string;
  value: unknown;
}

export interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        "x-scopes": string[];
        "x-scopes-besides"?: string[];
        responses: Record<string, Response>;
        requestBody?: {
          required: boolean;
          content: Record<string, { schema: Schema; examples?: Record<string, Example> }>;
        };
      }
    >
  >;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

interface Response {
  $ref?: string;
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

/** Reads them from `<base>/openapi.json`. */
export async function operationsOf(app: FastifyInstance, base: string): Promise<Operation[]> {
  return readOperations((await app.inject(`${base}/openapi.json`)).json<Document>());
}

export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase() as Operation["method"],
      path,
      scopes: operation["x-scopes"],
      scopes_besides: operation["x-scopes-besides"] ?? [],
      shows_secret: showsSecret(operation.responses, document.components.schemas),
      is_stream: "text/event-stream" in (operation.responses["200"]?.content ?? {}),
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      body: operation.requestBody?.required
        ? operation.requestBody.content["application/json"]?.schema
        : undefined,
      examples: Object.values(operation.requestBody?.content["application/json"]?.examples ?? {}),
      components: document.components.schemas,
    })),
  );
}

function showsSecret(
  responses: Record<string, unknown>,
  components: Record<string, Schema>,
): boolean {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const seen = new Set<unknown>();
  const has = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null || seen.has(value)) return false;
    seen.add(value);
    const { $ref, properties = {} } = value as Schema;
    if (Object.keys(properties).some((name) => /(^|_)(token|secret|password)$/.test(name)))
      return true;
    return has(components[$ref?.split("/").at(-1) ?? ""]) || Object.values(value).some(has);
  };
  return successes.some(([, response]) => has(response));
}

/** The smallest body that the operation's schema accepts, or undefined when it needs none. */
export function sampleBody({ body, components }: Operation): unknown {
  return body && sample(body);

  function sample(schema: Schema): unknown {
    if (schema.$ref) return sample(components[schema.$ref.split("/").at(-1)!]!);
    if (schema.anyOf) return sample(schema.anyOf[0]!);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.examples) return schema.examples[0];
    const [type = "boolean"] = [schema.type].flat();
    switch (type) {
      case "object":
        return Object.fromEntries(
          (schema.required ?? []).map((name) => [name, sample(schema.properties![name]!)]),
        );
      case "array":
        return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items!));
      case "string":
        return "x".repeat(schema.minLength ?? 1);
      case "number":
      case "integer":
        return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
      default:
        return true;
    }
  }
}
