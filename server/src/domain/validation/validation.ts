import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { addProblem, type Problems } from "../errors/errors.ts";
import { dayOrMoment, documentKeys, logKey, maxDecimals } from "../values/schema.ts";
import { isStorable } from "../text/text.ts";
import { messageFor } from "./validation-messages.ts";

/**
 * Validates a value by its schema. The one place where Ajv is used on what clients send: bodies,
 * query strings and the rows of bulk calls are all refused with the same messages.
 */

// Deeper values would exhaust the stack of code that walks them later.
const depthMax = 32;
// A body of a mebibyte can hold half a million wrong values; no client reads more problems than this.
const problemsMax = 500;
/** Of Ajv's, several of which may be one problem: that there are tens of thousands is not looked at. */
const errorsMax = 10 * problemsMax;

/**
 * All problems of `value`: dotted path → messages that continue the field's name; the value itself
 * has the path "". Empty when it fits. Nothing is coerced, nothing defaulted, and unknown fields are
 * ignored unless the schema forbids them (decision 1). Texts that PostgreSQL cannot store (NUL, half
 * a surrogate pair) and numbers beyond a double are refused too.
 */
export function problemsOf(schema: object, value: unknown): Problems {
  // Without a prototype, so that a field named `constructor` is a field like any other.
  const problems = Object.create(null) as Problems;
  if (!isStorableThroughout(value, [], problems)) return problems;
  const validate = compiled(schema);
  if (validate(value)) return problems;
  let count = Object.keys(problems).length;
  for (const error of withoutNoise((validate.errors ?? []).slice(0, errorsMax))) {
    if (count >= problemsMax) break;
    const path = pathOf(error);
    if (!(path in problems)) count++;
    if (isBeyondDouble(error.data)) problems[path] = [messageBeyondDouble(error)];
    else addProblem(problems, path, messageFor(error));
  }
  return problems;
}

/** One sentence for one fault: where a number is asked for, that it is too large, else what is asked for. */
function messageBeyondDouble(error: ErrorObject): string {
  const types = [error.params["type"] as string | string[]].flat();
  const isNumber = types.includes("number") || types.includes("integer");
  return error.keyword === "type" && isNumber ? beyondDouble : messageFor(error);
}

/** Whether the value fits, for rules that compare a part of what was sent with another. */
export function isValid(schema: object, value: unknown): boolean {
  return Object.keys(problemsOf(schema, value)).length === 0;
}

/** Compiles now what `problemsOf` would compile at the first call. */
export function prepareSchema(schema: object): void {
  compiled(schema);
}

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  // Keeps 1e400, which JSON reads as Infinity, from passing as a number.
  strictNumbers: true,
  // Smaller code, and proof that a schema is one, would be half of the time that compiling takes.
  code: { optimize: false },
  validateSchema: false,
  // What `withSharedParts` took out stays out.
  inlineRefs: false,
});
addFormats.default(ajv);
// The standard formats accept a 60th second and the year 0, which no Date or column can hold.
ajv.addKeyword({
  keyword: maxDecimals,
  type: "number",
  schemaType: "number",
  errors: false,
  validate: hasAtMostDecimals,
});
ajv.addFormat("date", isDay);
ajv.addFormat("date-time", isMoment);
ajv.addFormat(dayOrMoment, (text: string) => isDay(text) || isMoment(text));

/** Tolerates the residue of binary sums, such as 0.1 + 0.2, which is far below any stated precision. */
function hasAtMostDecimals(places: number, value: number): boolean {
  const shifted = value * 10 ** places;
  return !(Math.abs(Math.round(shifted) - shifted) > 1e-6);
}

function isMoment(text: string): boolean {
  const match =
    /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:0\d|1[0-4]):[0-5]\d)$/.exec(
      text,
    );
  return match !== null && isDay(match[1]!) && hasUtcYear(text);
}

/** An offset can move the first or last day into a year that has no four digits. */
function hasUtcYear(moment: string): boolean {
  const year = new Date(moment).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Whether a text is a day that every Date and column can hold: `YYYY-MM-DD`, of the year 1 or later. */
export function isDay(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const validators = new WeakMap<object, ValidateFunction>();

function compiled(schema: object): ValidateFunction {
  let validate = validators.get(schema);
  if (!validate)
    validators.set(
      schema,
      (validate = ajv.compile(withSharedParts(withoutDocumentKeys(schema)) as object)),
    );
  return validate;
}

// Smaller ones cost less in place than the call of their function.
const sharedLengthMin = 600;
/** The name of each shared part, by its JSON. */
const sharedNames = new Map<string, string>();

/**
 * The schema with a reference in place of each object that others have, too, such as an address: it is compiled once for
 * all of them, where most of a start was spent on compiling the same ones again. A branch of a union stays in place,
 * because its errors are found by their path (`withNearestBranch`). The entries of a list stay, too: at each call of a
 * shared part Ajv copies all errors so far, so that a long list of wrong entries would take time by its square.
 */
function withSharedParts(schema: unknown, isShared = false): unknown {
  if (typeof schema !== "object" || schema === null || "$defs" in schema) return schema;
  const { properties } = schema as { properties?: object };
  const parts: Record<string, unknown> = { ...schema };
  if (properties) {
    const each = Object.entries(properties).map(([name, of]) => [name, withSharedParts(of, true)]);
    parts["properties"] = Object.fromEntries(each);
  }
  if (!isShared || !properties) return parts;
  const json = JSON.stringify(parts);
  return json.length < sharedLengthMin ? parts : { $ref: sharedName(json, parts) };
}

function sharedName(json: string, part: object): string {
  let name = sharedNames.get(json);
  if (name === undefined) {
    name = `shared-${sharedNames.size}`;
    sharedNames.set(json, name);
    ajv.addSchema(part, name);
  }
  return name;
}

/**
 * A copy without the keys that only the document and the request log read. The `$id`s name schemas there: two fields of one
 * schema would otherwise clash. Under `$defs` they stay, because recursive schemas refer to them.
 */
export function withoutDocumentKeys(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDocumentKeys);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$defs") copy[key] = value;
    else if (!onlyDocumented.has(key) && (key !== "$id" || typeof value !== "string"))
      copy[key] = withoutDocumentKeys(value);
  }
  return copy;
}

const onlyDocumented = new Set<string>([...Object.values(documentKeys), logKey]);

/** Adds a problem for everything that cannot be stored; false when further validation is pointless. */
function isStorableThroughout(value: unknown, path: string[], problems: Problems): boolean {
  if (typeof value === "string") {
    if (!isStorable(value))
      addProblem(
        problems,
        path.join("."),
        "must not contain control characters or broken Unicode.",
      );
  } else if (typeof value === "number") {
    if (isBeyondDouble(value)) addProblem(problems, path.join("."), beyondDouble);
  } else if (typeof value === "object" && value !== null) {
    return isStorableInside(value, path, problems);
  }
  return true;
}

const beyondDouble = "must be a number within the range of a double.";

/** JSON reads 1e400 as Infinity. */
function isBeyondDouble(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

function isStorableInside(value: object, path: string[], problems: Problems): boolean {
  if (path.length >= depthMax) {
    addProblem(
      problems,
      path.slice(0, 1).join("."),
      `must not be nested deeper than ${depthMax} levels.`,
    );
    return false;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) {
      addProblem(
        problems,
        path.join("."),
        "must not have keys with control characters or broken Unicode.",
      );
    } else {
      path.push(key);
      const further = isStorableThroughout(inner, path, problems);
      path.pop();
      if (!further) return false;
    }
  }
  return true;
}

function pathOf(error: ErrorObject): string {
  const path = error.instancePath.split("/").slice(1).map(unescaped);
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params as Record<
    string,
    string
  >;
  const inner = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return [...path, ...(inner === undefined ? [] : [inner])].join(".");
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Drops what repeats or only announces another error, and all but the nearest branch of a union. */
function withoutNoise(errors: ErrorObject[]): ErrorObject[] {
  let kept = errors.filter(({ keyword }) => keyword !== "if" && keyword !== "propertyNames");
  for (const union of kept.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf")) {
    kept = withNearestBranch(kept, union);
  }
  const enumerated = new Set(kept.filter(({ keyword }) => keyword === "enum").map(pathOf));
  return kept.filter((error) => error.keyword !== "type" || !enumerated.has(pathOf(error)));
}

/**
 * The client meant one branch of the union: the one whose type and distinguishing constants fit, and
 * of several the one with the fewest errors. If no branch has the right type, the union's own error is
 * kept.
 */
function withNearestBranch(errors: ErrorObject[], union: ErrorObject): ErrorObject[] {
  const prefix = `${union.schemaPath}/`;
  const inside = errors.filter(
    (error) =>
      error.schemaPath.startsWith(prefix) && error.instancePath.startsWith(union.instancePath),
  );
  const branches = Map.groupBy(
    inside,
    (error) => error.schemaPath.slice(prefix.length).split("/")[0],
  );
  const fitting = [...branches.values()].filter(
    (branch) => !branch.some((error) => isOtherKind(error, union)),
  );
  const nearest = fitting.sort((a, b) => distanceOf(a, union) - distanceOf(b, union))[0];
  const dropped = new Set<ErrorObject>(inside);
  for (const error of nearest ?? []) dropped.delete(error);
  if (nearest) dropped.add(union);
  return errors.filter((error) => !dropped.has(error));
}

function isOtherKind(error: ErrorObject, union: ErrorObject): boolean {
  return error.keyword === "type" && error.instancePath === union.instancePath;
}

function distanceOf(branch: ErrorObject[], union: ErrorObject): number {
  const depth = union.instancePath.split("/").length + 1;
  const wrongKind = branch.some(
    ({ keyword, instancePath }) =>
      (keyword === "const" || keyword === "enum") && instancePath.split("/").length === depth,
  );
  return branch.length + (wrongKind ? 1000 : 0);
}
