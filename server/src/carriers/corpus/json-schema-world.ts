import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { parseDocument } from "yaml";

/** Carriers' OpenAPI documents, against which requests are held. */

export interface OpenApi {
  /** What a body breaks of the schema of a call's request; known errata of the document left out. */
  findings(call: { method: string; path: string }, body: unknown): string[];
}

/**
 * A rule of a document that is wrong: a recording, or a sample of the carrier's own, disproves it. Nothing else is
 * excused.
 */
export interface Erratum {
  /** Where: the path in the body, `*` for the number of an item. A regular expression. */
  at: RegExp;
  /** Of the JSON Schema. */
  keyword: string;
  /** Which recording or sample has it otherwise. */
  because: string;
}

type Schema = Record<string, unknown>;

/** A document in YAML, with its mistakes mended. */
export function openApiAt(path: string, errata: readonly Erratum[] = []): OpenApi {
  const document = readYaml(readFileSync(path, "utf8")) as OpenApiDocument;
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, logger: false });
  addFormats.default(ajv);
  const closed = !/"allOf":/.test(JSON.stringify(document));
  const asSchema = (part: Schema) => (closed ? close(repaired(part)) : open(repaired(part)));
  ajv.addSchema({ $id: "document", components: asSchema(document.components) });
  const compiled = new Map<string, ValidateFunction[]>();

  /** One for each form that the request may have. */
  function formsOf({ method, path: of }: { method: string; path: string }): ValidateFunction[] {
    const key = `${method} ${of}`;
    const present = compiled.get(key);
    if (present) return present;
    const content = document.paths[of]?.[method.toLowerCase()]?.requestBody?.content;
    const schema = content?.["application/json"]?.schema;
    if (!schema) throw new Error(`the document has no request ${key}`);
    const forms = (schema.oneOf as Schema[] | undefined) ?? [schema];
    const validators = forms.map((form) => {
      const text = JSON.stringify(asSchema(form));
      return ajv.compile(
        JSON.parse(text.replaceAll('"#/components/', '"document#/components/')) as Schema,
      );
    });
    compiled.set(key, validators);
    return validators;
  }

  return {
    findings(call, body) {
      // As it is sent.
      const sent: unknown = JSON.parse(JSON.stringify(body));
      const ofForms = formsOf(call).map((validate) =>
        validate(sent)
          ? []
          : (validate.errors ?? []).filter((error) => !isErratum(error, errata)).map(inWords),
      );
      return ofForms.sort((one, other) => one.length - other.length)[0]!;
    },
  };
}

interface OpenApiDocument {
  components: Schema;
  paths: Record<
    string,
    Record<string, { requestBody?: { content?: Record<string, { schema?: Schema }> } }>
  >;
}

function isErratum({ instancePath, keyword }: ErrorObject, errata: readonly Erratum[]): boolean {
  const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return errata.some((each) => each.keyword === keyword && each.at.test(place));
}

function inWords({ instancePath, keyword, message, params }: ErrorObject): string {
  return `${instancePath} ${keyword}: ${message} ${JSON.stringify(params)}`;
}

/** Mistakes that make a line's text run into the next are mended by joining the two. */
function readYaml(source: string): unknown {
  let text = source.replaceAll("\t", "    ").replaceAll("\r", "");
  for (let time = 0; time < 50; time += 1) {
    const document = parseDocument(text, { strict: false, uniqueKeys: false, logLevel: "error" });
    const line = document.errors[0]?.linePos?.[0].line;
    if (line === undefined) return document.toJS({ maxAliasCount: -1 });
    const lines = text.split("\n");
    lines.splice(line - 1, 2, `${lines[line - 1]!.trimEnd()} ${lines[line]!.trim()}`);
    text = lines.join("\n");
  }
  throw new Error("the document cannot be read");
}

/** OpenAPI 3.0 as JSON Schema: what the older dialect writes otherwise. */
function repaired<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => repaired(each)) as T;
  if (typeof value !== "object" || value === null) return value;
  const { ...schema } = value as Schema;
  if (typeof schema.required === "boolean") delete schema.required;
  for (const [limit, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (schema[exclusive] === true) schema[exclusive] = schema[limit];
    else if (schema[exclusive] === false) delete schema[exclusive];
    if (schema.type !== "number" && schema.type !== "integer") delete schema[limit];
  }
  if (schema.nullable === true && typeof schema.type === "string") {
    schema.type = [schema.type, "null"];
  }
  return mapped(schema, repaired) as T;
}

/** An object with properties has no others, so that a misspelt name is found. */
function close<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => close(each)) as T;
  if (typeof value !== "object" || value === null) return value;
  const { ...schema } = value as Schema;
  const isObject = schema.type === "object" && typeof schema.properties === "object";
  if (isObject && !("additionalProperties" in schema)) {
    // Some name a required property without saying what it is.
    const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
    const named = Object.fromEntries(required.map((name) => [name, {}]));
    schema.properties = { ...named, ...(schema.properties as object) };
    schema.additionalProperties = false;
  }
  return mapped(schema, close) as T;
}

/**
 * In a document that composes objects, what one part forbids is another's property: by such documents no message is
 * valid at all.
 */
function open<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => open(each)) as T;
  if (typeof value !== "object" || value === null) return value;
  const { ...schema } = value as Schema;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  return mapped(schema, open) as T;
}

function mapped(schema: Schema, change: (part: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, change(each)]));
}
