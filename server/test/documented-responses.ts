import { readFileSync } from "node:fs";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { Document } from "./operations.ts";
import { standardValidator, type StandardValidator } from "./standard-validator.ts";

/**
 * Compares the responses of tests with the published document: the status is one that it states for the
 * operation, and an error is one that its schema allows, by code and by details, as a standard validator
 * reads it, and without a field that the schema does not name: generated clients would not see it. The clients of `client.ts` and `api.ts` check each response here, so that every test of the
 * suite is one of the document, too.
 */
export interface Answered {
  method: string;
  /** With a base address in it: a URL under none is not in the document. */
  url: string;
  status: number;
  /** The body as JSON; null when there is none. */
  body: unknown;
}

interface Documented {
  pattern: RegExp;
  operations: Document["paths"][string];
}

interface Published {
  document: Document;
  paths: Documented[];
  validator: StandardValidator;
  /** By schema, since each is compiled once: most operations share their errors' schemas. */
  checks: Map<object, ValidateFunction>;
}

let published: Published | undefined;

/** Throws when the document does not allow the operation this response. */
export function assertDocumented(answered: Answered): void {
  const problem = undocumented(answered);
  if (problem !== null) throw new Error(problem);
}

/** What the document lacks, as a message; null when it is complete, or has no such operation. */
export function undocumented({ method, url, status, body }: Answered): string | null {
  const { document, paths, validator, checks } = (published ??= read());
  const path = /^(?:https?:\/\/[^/]+)?(?:\/sandbox)?\/api\/v5(\/[^?]*)/.exec(url)?.[1] ?? "";
  const operations = paths.find(({ pattern }) => pattern.test(path))?.operations;
  const operation = operations?.[method.toLowerCase()];
  if (!operation) return null;
  const name = `${operation.operationId} (${method} ${path})`;
  const stated = operation.responses[String(status)];
  if (!stated)
    return `${name} answered ${status} ${words(body)}, which docs/openapi.json does not state.`;
  if (status < 400) return null;
  const { content } = resolved(document, stated);
  const schema = content?.["application/json"]?.schema;
  if (!schema) return null;
  const check = checks.get(schema) ?? validator.compile(closed(schema));
  checks.set(schema, check);
  if (check(body)) return null;
  return `${name} answered ${status} ${words(body)}, which its schema in docs/openapi.json does not allow: ${JSON.stringify(check.errors)}`;
}

function read(): Published {
  const file = new URL("../../docs/openapi.json", import.meta.url);
  const document = JSON.parse(readFileSync(file, "utf8")) as Document;
  // A literal path takes precedence over one with a parameter: /rules/runs over /rules/{rule_id}.
  const byParameters = Object.entries(document.paths).sort(
    ([one], [other]) => one.split("{").length - other.split("{").length,
  );
  const paths = byParameters.map(([path, operations]) => {
    const source = path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
    return { operations, pattern: new RegExp(`^${source}$`) };
  });
  return { document, paths, validator: standardValidator(closed(document)), checks: new Map() };
}

/**
 * Without the fields that a schema allows and does not name. The document allows them, since clients are to ignore
 * what a later version adds.
 */
function closed<T>(part: T): T {
  if (Array.isArray(part)) return part.map((each: unknown) => closed(each)) as T;
  if (typeof part !== "object" || part === null) return part;
  const { additionalProperties: others, ...inner } = part as Record<string, unknown>;
  const shown = Object.fromEntries(
    Object.entries(inner).map(([key, value]) => [key, closed(value)]),
  );
  const names = typeof inner["properties"] === "object" && inner["type"] === "object";
  if (names && typeof others !== "object") return { ...shown, additionalProperties: false } as T;
  return (others === undefined ? shown : { ...shown, additionalProperties: closed(others) }) as T;
}

type Stated = Document["paths"][string][string]["responses"][string];

function resolved({ components }: Document, stated: Stated): Stated {
  const name = stated.$ref?.split("/").at(-1);
  return name === undefined ? stated : components.responses[name]!;
}

function words(body: unknown): string {
  return (JSON.stringify(body) ?? "without a body").slice(0, 500);
}
