import { Type, type TSchema } from "typebox";
import { errorDetails } from "../domain/error-answers/error-details.ts";
import { errorBodyOf } from "../domain/error-answers/error-schemas.ts";
import { errorCatalogue, type ErrorCode } from "../domain/errors/errors.ts";
import { Variants } from "../domain/values/schema.ts";

/** The document's answers that no route states itself: refusals and shared headers. */

const ref = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` });

/** Codes of unknown addresses, of file links, of connections and of what no client sends by itself: no operation answers them. */
const besideOperations: readonly ErrorCode[] = [
  "version_gone",
  "url_expired",
  "request_timeout",
  "expectation_failed",
];

/** The codes that operations answer, by status. */
const codesByStatus = Map.groupBy<number, ErrorCode>(
  (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => !besideOperations.includes(code)),
  (code) => errorCatalogue[code][0],
);

/**
 * The document's components that no schema names: errors by status, headers, the Idempotency-Key and the ways to
 * sign in.
 */
export function sharedComponents(): Record<string, Record<string, unknown>> {
  const responses = [...codesByStatus].map(([status, codes]) => [
    `Error${status}`,
    errorResponse(status, codes),
  ]);
  return {
    responses: Object.fromEntries(responses) as Record<string, unknown>,
    parameters: { IdempotencyKey: idempotencyKey },
    headers,
    securitySchemes: {
      bearer: {
        type: "http",
        scheme: "bearer",
        description: "A token of this base address: `wb_live_…` or `wb_test_…`.",
      },
    },
  };
}

/** The body of each status, by its name in the document. */
export function errorSchemas(): TSchema[] {
  return [...codesByStatus].map(([status, codes]) => {
    const bodies = Object.fromEntries(codes.map((code) => [code, errorBodyOf(code)]));
    const only = codes.length === 1 ? errorBodyOf(codes[0]!) : null;
    return Type.Object({ error: only ?? Variants("code", bodies) }, { $id: `Error${status}` });
  });
}

/** Adds the shared refusals. Where a route states its own, too, the schema is either of both. */
export function withRefusals(
  stated: Record<string, unknown>,
  refusals: Record<string, unknown>,
): Record<string, unknown> {
  const merged = Object.entries(refusals).map(([status, refusal]) => {
    const response = stated[status] as Stated | undefined;
    const own = response?.content?.["application/json"];
    return [status, own ? refusalOrOwn(Number(status), own) : refusal];
  });
  return { ...stated, ...(Object.fromEntries(merged) as Record<string, unknown>) };
}

interface Stated {
  content?: Record<string, Record<string, unknown>>;
}

/** The shared refusal of a status, or the route's own: a schema, and perhaps an example. */
function refusalOrOwn(status: number, own: Record<string, unknown>): unknown {
  const { content, ...response } = errorResponse(status, codesByStatus.get(status) ?? []);
  const { schema, examples } = content["application/json"];
  const { example } = own;
  const media = {
    schema: { anyOf: [own["schema"], schema] },
    examples: { ...examples, ...(example === undefined ? {} : { rows: { value: example } }) },
  };
  return { ...response, content: { "application/json": media } };
}

function errorResponse(status: number, codes: ErrorCode[]) {
  const waits = status === 409 || status === 429 || status === 503;
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code][1]}`).join("\n\n"),
    headers: {
      "Request-Id": ref("headers", "RequestId"),
      ...(waits ? { "Retry-After": ref("headers", "RetryAfter") } : {}),
      ...(status === 401
        ? { "WWW-Authenticate": { schema: { type: "string", const: "Bearer" } } }
        : {}),
    },
    content: {
      "application/json": {
        schema: ref("schemas", `Error${status}`),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: ErrorCode): unknown {
  const details = errorDetails[code]?.example ?? {};
  return { error: { code, message: errorCatalogue[code][1], details } };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "One per intended effect. A retry with the same key within 24 hours gets the first answer, byte for byte.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "7f9c1c2e-5a0e-4d53-9a3b-0d1f6f0a2b11",
};

const headers = {
  RequestId: { description: "Names this request in our log.", schema: { type: "string" } },
  RetryAfter: { description: "Seconds to wait.", schema: { type: "integer" } },
  RateLimit: {
    description: "What is left of each limit.",
    schema: { type: "string" },
    example: '"requests";r=599;t=60',
  },
  RateLimitPolicy: {
    description: "The limits that apply.",
    schema: { type: "string" },
    example: '"requests";q=600;w=60',
  },
  IdempotentReplay: {
    description: "Present when the answer is a stored one.",
    schema: { type: "string", const: "true" },
  },
};

/** The refusals that an operation can answer beside its own, and the headers of its successes. */
export function answersTo(operation: { mutates: boolean; has_params: boolean; errors: string[] }) {
  const statuses = new Set([400, 401, 403, 406, 422, 429, 500, 503]);
  if (operation.has_params) statuses.add(404);
  if (operation.mutates) for (const status of [409, 413, 415]) statuses.add(status);
  for (const code of operation.errors) statuses.add(errorCatalogue[code as ErrorCode][0]);
  const refusals = Object.fromEntries(
    [...statuses].sort().map((status) => [String(status), ref("responses", `Error${status}`)]),
  );
  return {
    refusals,
    success: (mutates: boolean) => ({
      headers: {
        "Request-Id": ref("headers", "RequestId"),
        RateLimit: ref("headers", "RateLimit"),
        "RateLimit-Policy": ref("headers", "RateLimitPolicy"),
        ...(mutates ? { "Idempotent-Replay": ref("headers", "IdempotentReplay") } : {}),
      },
    }),
  };
}
