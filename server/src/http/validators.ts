import type { FastifyInstance } from "fastify";
import { invalid, noSuchPath, notFound, type Problems } from "../domain/errors/errors.ts";
import { listedIn } from "../domain/values/schema.ts";
import { prepareSchema, problemsOf } from "../domain/validation/validation.ts";
import { answerSerializer } from "./serialize.ts";

/**
 * Validates bodies, query strings and parameters with Waybill's own validator instead of Fastify's. A schema is compiled
 * at its first use: all of them took most of a start. The large ones would hold up the request that is the first to need
 * them, and are compiled before there is one.
 */
export function validateBySchemas(scope: FastifyInstance): void {
  const large = new Set<object>();
  scope.setValidatorCompiler<object>(({ schema, httpPart }) => validatorOf(httpPart, schema));
  scope.setSerializerCompiler<object>(({ schema }) => answerSerializer(schema));
  scope.addHook("onReady", async () => large.forEach(prepareSchema));
  scope.addHook("onRoute", (route) => {
    if (route.config?.validation !== "in_verb") return;
    route.config.validated_by?.forEach((schema) => large.add(schema));
    // The schema stays in the document; the verb validates.
    route.validatorCompiler = (part: { schema: object; httpPart?: string }) =>
      part.httpPart === "body" ? () => true : validatorOf(part.httpPart, part.schema);
  });
}

type Validator = (value: unknown) => true | { value: unknown } | { error: Error };

function validatorOf(httpPart: string | undefined, schema: object): Validator {
  if (httpPart === "body") return (body) => validateBody(schema, body);
  const types = typesOf(schema);
  if (httpPart === "params") return (params) => validateParams(schema, types, params as Texts);
  return (query) => validateQuery(schema, types, query as Texts);
}

function validateBody(schema: object, body: unknown): true | { error: Error } {
  const problems = problemsOf(schema, body);
  if (isEmpty(problems)) return true;
  return { error: invalid(body === null ? { "": ["is required: send a JSON body."] } : problems) };
}

/** A path parameter that cannot be any id is 404. */
function validateParams(
  schema: object,
  types: Types,
  params: Texts,
): { value: unknown } | { error: Error } {
  // A slash at the end, with no id behind it.
  if (Object.values(params).includes("")) return { error: noSuchPath() };
  const value = fromTexts(types, params);
  return isEmpty(problemsOf(schema, value)) ? { value } : { error: notFound() };
}

function validateQuery(
  schema: object,
  types: Types,
  query: Texts,
): { value: unknown } | { error: Error } {
  const value = fromTexts(types, query);
  const problems = problemsOf(schema, value);
  for (const { name, expected } of types) {
    if (Array.isArray(query[name]) && !expected.includes("array"))
      problems[name] = ["must be given once."];
    // Read as absent it would filter nothing, and the unfiltered list would look like what was requested.
    if (query[name] === "") problems[name] = ["must not be empty; leave it out."];
  }
  return isEmpty(problems) ? { value } : { error: invalid(problems) };
}

type Texts = Record<string, string | string[]>;
/**
 * A parameter: which types it may have, and which options it is one of or, as a comma-separated list,
 * some of.
 */
interface Parameter {
  name: string;
  expected: string[];
  words: readonly string[];
  isList: boolean;
}
type Types = Parameter[];

/** Numbers and booleans from their usual notation only; any other text stays text, and fails validation. */
function fromTexts(types: Types, texts: Texts): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const parameter of types) {
    const { name } = parameter;
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    if (text !== undefined)
      values[name] = typeof text === "string" ? fromText(text, parameter) : text;
  }
  return values;
}

function fromText(text: string, { expected, words, isList }: Parameter): unknown {
  if (expected.includes("integer") && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (expected.includes("number") && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  if (expected.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if (expected.includes("array")) return [text];
  if (isList)
    return text
      .split(",")
      .map((each) => wordFor(each.trim(), words))
      .join(",");
  return wordFor(text, words);
}

/** In a query an option counts in any case: `DRAFT` is `draft`, `approved` is `Approved`. */
function wordFor(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  return words.find((word) => word.toLowerCase() === lower) ?? text;
}

function typesOf(schema: object): Types {
  const { properties = {} } = schema as {
    properties?: Record<string, { type?: string | string[]; enum?: unknown[]; pattern?: string }>;
  };
  return Object.entries(properties).map(([name, { type, enum: choices = [], pattern = "" }]) => {
    const listed = listedIn(pattern);
    const words = listed ?? choices.filter((each) => typeof each === "string");
    return { name, expected: [type ?? []].flat(), words, isList: listed !== null };
  });
}

function isEmpty(problems: Problems): boolean {
  return Object.keys(problems).length === 0;
}
