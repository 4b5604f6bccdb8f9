import { isDeepStrictEqual } from "node:util";
import { documentKeys, logKey, maxDecimals } from "../domain/values/schema.ts";

/**
 * Turns internal schemas into those of the document: named ones become components and are referred to,
 * annotations of one use stand beside the reference, and internal keywords are removed.
 */

type Json = Record<string, unknown>;

// The plugin would resolve `$id`s in its own way; under another name they pass through unchanged.
const nameKey = "x-component";

/** The schema as it can be given to the plugin that draws the document. */
export function throughPlugin(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(throughPlugin);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(withDecimalsDescribed(schema)).map(([key, value]) =>
      key === "$id" && typeof value === "string" ? [nameKey, value] : [key, throughPlugin(value)],
    ),
  );
}

/** No standard keyword says how many decimals a number may have. */
function withDecimalsDescribed({ [maxDecimals]: places, [logKey]: _log, ...schema }: Json): Json {
  if (typeof places !== "number") return schema;
  const words = `At most ${places} decimals.`;
  const { description } = schema;
  return {
    ...schema,
    description: typeof description === "string" ? `${description} ${words}` : words,
  };
}

/**
 * A part of the document as it is published; its named schemas are moved to `named`. Throws when two that
 * differ have one name.
 */
export function withComponents(value: unknown, named: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => withComponents(each, named));
  if (!isObject(value)) return value;
  const {
    [nameKey]: name,
    [documentKeys.documented]: documented,
    [documentKeys.annotations]: annotations,
    ...rest
  } = value;
  const annotated = (schema: Json): Json =>
    isObject(annotations) ? { ...schema, ...annotations } : schema;
  if (documented !== undefined) {
    const { type, description } = rest;
    const schema = withComponents(documented, named) as Json;
    const said = typeof description === "string" ? { description } : {};
    return annotated({ ...(allowsNull(type) ? orNull(schema) : schema), ...said });
  }
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, withComponents(inner, named)]),
  );
  if (typeof name !== "string") return annotated(withDefaultsInside(copy));
  const schema = withDefaultsInside(withoutNull(copy));
  const known = named[name];
  if (known !== undefined && !isDeepStrictEqual(known, schema))
    throw new Error(`two different schemas have the $id ${name}`);
  named[name] = schema;
  const reference = { $ref: `#/components/schemas/${name}` };
  return annotated(allowsNull(copy["type"]) ? orNull(reference) : reference);
}

/**
 * A field's default, one level further in. Generated clients take a field with a default for one that is
 * always there: true of answers, but here a default is for what a request leaves out.
 */
function withDefaultsInside(schema: Json): Json {
  const { properties, required = [] } = schema;
  if (!isObject(properties)) return schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const isOptional = isObject(field) && !(required as string[]).includes(name);
    return [name, isOptional && "default" in field ? withDefaultInside(field) : field];
  });
  return { ...schema, properties: Object.fromEntries(fields) as Json };
}

function withDefaultInside({ description, default: value, ...field }: Json): Json {
  const said = description === undefined ? {} : { description };
  const { anyOf, type } = field;
  if (allowsNull(type)) return { ...orNull({ ...withoutNull(field), default: value }), ...said };
  if (Array.isArray(anyOf)) {
    const [first, ...others] = anyOf as Json[];
    return { ...field, anyOf: [{ ...first, default: value }, ...others], ...said };
  }
  throw new Error("a default of a field that takes no null belongs into a schema with an $id");
}

function allowsNull(type: unknown): boolean {
  return Array.isArray(type) && type.length > 1 && type.includes("null");
}

function orNull(schema: Json): Json {
  return { anyOf: [schema, { type: "null" }] };
}

/** Undoes `Nullable`. */
function withoutNull(schema: Json): Json {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !allowsNull(type)) return schema;
  const types = type.filter((each) => each !== "null");
  return {
    ...schema,
    type: types.length === 1 ? types[0] : types,
    ...(Array.isArray(values) ? { enum: values.filter((each) => each !== null) } : {}),
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
