import { Type, type TSchema } from "typebox";
import { addProblem, type Problems } from "../errors/errors.ts";
import { sizeUnits, weightUnits } from "../goods/parcel.ts";
import { isCountryCode } from "../postal/countries.ts";
import { countryPattern, Currency, dayOrMoment, Money, OneOf } from "../values/schema.ts";
import { cleanText } from "../text/text.ts";
import { problemsOf } from "../validation/validation.ts";
import { choicesOf, fieldOf, type FieldName, type FieldType, type Target } from "./fields.ts";
import type { Operator } from "./operators.ts";
import { listMax } from "./schema.ts";
import { comparable, isBackwards } from "./tests.ts";

/** Validates a condition's value: adds its errors under `path`, down to the entry of a list. */
export function validateValue(
  problems: Problems,
  path: string,
  given: { target: Target; field: FieldName; operator: Operator; value: unknown },
): void {
  const { target, field, operator, value } = given;
  if (operator === "exists" || operator === "not_exists") {
    if (value != null) addProblem(problems, path, `is not taken by ${operator}.`);
    return;
  }
  if (value == null) return addProblem(problems, path, "is required.");
  const schemas = schemasOf(target, field);
  const { type } = fieldOf(field);
  if (operator === "in" || operator === "not_in") {
    if (Array.isArray(value) && value.length > listMax)
      return addProblem(problems, path, `must have at most ${listMax} entries.`);
    validateAgainst(problems, path, { schema: schemas.list, type, value });
  } else if (operator === "between") {
    validateBetween(problems, path, { schema: schemas.pair, type, value });
  } else validateAgainst(problems, path, { schema: schemas.one, type, value });
}

interface GivenValue {
  schema: TSchema;
  type: FieldType;
  value: unknown;
}

function validateBetween(
  problems: Problems,
  path: string,
  { schema, type, value }: GivenValue,
): void {
  if (!Array.isArray(value) || value.length !== 2)
    return addProblem(problems, path, "must be a list of two values, the low one first.");
  if (!validateAgainst(problems, path, { schema, type, value })) return;
  if (isBackwards(type, value[0], value[1]))
    addProblem(problems, path, "must have the low value first.");
}

/** False when there is an error. */
function validateAgainst(
  problems: Problems,
  path: string,
  { schema, type, value }: GivenValue,
): boolean {
  const found = Object.entries(problemsOf(schema, value));
  for (const [inner, sentences] of found)
    for (const sentence of sentences)
      addProblem(problems, inner === "" ? path : `${path}.${inner}`, sentence);
  if (found.length > 0) return false;
  return Array.isArray(value)
    ? value.every((entry, index) =>
        validateText(problems, `${path}.${index}`, { type, value: entry }),
      )
    : validateText(problems, path, { type, value });
}

/** The rules for a text that no schema can express. */
function validateText(
  problems: Problems,
  path: string,
  { type, value }: Omit<GivenValue, "schema">,
): boolean {
  if (typeof value !== "string") return true;
  const sentence = sentences[type]?.(value) ?? null;
  if (sentence) addProblem(problems, path, sentence);
  return sentence === null;
}

const notBlank = (text: string) => (cleanText(text) === null ? "must not be blank." : null);

const sentences: Partial<Record<FieldType, (text: string) => string | null>> = {
  text: notBlank,
  words: notBlank,
  postal_code: notBlank,
  hs_code: (text) =>
    /^\d{1,10}$/.test(comparable("hs_code", text))
      ? null
      : "must be 1 to 10 digits; dots and spaces do not count.",
  country: (text) =>
    isCountryCode(text.toUpperCase()) ? null : "must be an ISO 3166-1 alpha-2 country code.",
};

interface Schemas {
  one: TSchema;
  list: TSchema;
  pair: TSchema;
}

// Compiled once for each field of each target, not for each filter.
const known = new Map<string, Schemas>();

function schemasOf(target: Target, field: FieldName): Schemas {
  const key = `${target} ${field}`;
  let schemas = known.get(key);
  if (!schemas) {
    const one = schemaOf(target, field);
    const list = Type.Array(one, { minItems: 1, maxItems: listMax });
    schemas = { one, list, pair: Type.Array(one) };
    known.set(key, schemas);
  }
  return schemas;
}

function schemaOf(target: Target, field: FieldName): TSchema {
  const { type } = fieldOf(field);
  return type === "choice" ? OneOf(choicesOf(target, field)) : schemaByType[type];
}

const text = Type.String({ minLength: 1, maxLength: 200 });
const amount = { minimum: 0, maximum: 1_000_000_000 };

function measure<const V extends readonly string[]>(units: V): TSchema {
  return Type.Object(
    { value: Type.Number(amount), unit: OneOf(units) },
    { additionalProperties: false },
  );
}

const schemaByType: Record<Exclude<FieldType, "choice">, TSchema> = {
  text,
  postal_code: text,
  hs_code: text,
  words: text,
  country: Type.String({ pattern: countryPattern }),
  currency: Currency(),
  boolean: Type.Boolean(),
  count: Type.Integer(amount),
  money: Money(amount),
  weight: measure(weightUnits),
  length: measure(sizeUnits),
  moment: Type.String({ format: dayOrMoment }),
  // A hundred years and more.
  age: Type.Number({ minimum: 0, maximum: 1_000_000 }),
};
