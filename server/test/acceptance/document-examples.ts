/** The examples of an OpenAPI document with their schemas, for tests that hold for all of them. */

export interface ApiDocument {
  openapi: string;
  info: { description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: {
    schemas: Record<string, SchemaObject>;
    responses: Record<string, ApiResponse>;
  } & Record<string, Record<string, unknown>>;
}

type SchemaObject = Record<string, unknown>;

interface ApiOperation {
  operationId: string;
  summary?: string;
  description?: string;
  tags: string[];
  parameters?: { $ref?: string; name?: string; in?: string; description?: string }[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, ApiResponse>;
}

interface ApiResponse {
  $ref?: string;
  description?: string;
  content?: Record<string, MediaType>;
}

interface MediaType {
  schema: SchemaObject;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface DocumentExample {
  of: "request" | "answer" | "error";
  /** For the report of a failure. */
  name: string;
  path: string;
  method: string;
  /** Of a response. */
  status: string;
  schema: SchemaObject;
  value: unknown;
}

/**
 * Every body, response and error that the document shows. A response without an example has `undefined`
 * for one.
 */
export function allExamples(document: ApiDocument): DocumentExample[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const ofOperations = operations.flatMap(({ path, method, operation }) => [
    ...shownBy(operation.requestBody?.content["application/json"]).map((shown) => ({
      of: "request" as const,
      path,
      method,
      status: "",
      name: `${operation.operationId} ${shown.key}`,
      ...shown,
    })),
    ...Object.entries(operation.responses)
      .filter(
        ([, { $ref, content }]) =>
          $ref === undefined && content !== undefined && !("text/event-stream" in content),
      )
      .flatMap(([status, { content }]) =>
        orNone(shownBy(content?.["application/json"])).map((shown) => ({
          of: "answer" as const,
          path,
          method,
          status,
          name: `${operation.operationId} ${status} ${shown.key}`,
          ...shown,
        })),
      ),
  ]);
  const errors = Object.entries(document.components.responses).flatMap(([name, { content }]) =>
    shownBy(content?.["application/json"]).map((shown) => ({
      of: "error" as const,
      path: "",
      method: "",
      status: name,
      name: `${name} ${shown.key}`,
      ...shown,
    })),
  );
  return [...ofOperations, ...errors];
}

interface Shown {
  key: string;
  schema: SchemaObject;
  value: unknown;
}

function shownBy(media: MediaType | undefined): Shown[] {
  if (!media) return [];
  const { schema, example, examples = {} } = media;
  const several = Object.entries(examples).map(([key, { value }]) => ({ key, schema, value }));
  return example === undefined ? several : [{ key: "", schema, value: example }, ...several];
}

function orNone(shown: Shown[]): Shown[] {
  return shown.length > 0 ? shown : [{ key: "shows none", schema: {}, value: undefined }];
}
