import {
  centsPer,
  hundredthsPer,
  milligramsPer,
  millisecondsPerHour,
  rounded,
} from "./base-units.ts";
import type { SizeUnit, WeightUnit } from "../goods/parcel.ts";
import { fieldOf, type FieldName, type FieldType } from "./fields.ts";
import { folded } from "./folded.ts";
import { denied, type Operator } from "./operators.ts";
import { isGroup, type Condition, type Criteria } from "./schema.ts";

/**
 * The normal form of a condition, for both readers: one of few tests of a field's values, which holds
 * when it holds for any of them, perhaps negated. Numbers, amounts, weights, moments and ages are all
 * whole numbers here, in base units, and all their operators are ranges.
 */

/** The form in which a field's values are compared: texts folded, quantities in base units. */
export type Scalar = string | number | boolean;

/** Whole numbers from the first on, before the second. */
export interface Range {
  from: number;
  before: number;
}

export type Test =
  | { kind: "present" }
  | { kind: "equals"; values: readonly string[] }
  | { kind: "is"; value: boolean }
  | { kind: "contains" | "starts_with" | "ends_with"; text: string }
  | { kind: "within"; ranges: readonly Range[] };

export interface Check {
  condition: Condition;
  field: FieldName;
  test: Test;
  /** The condition holds when the test holds for none of the values. */
  is_denied: boolean;
}

export interface CheckGroup {
  match: "all" | "any";
  checks: readonly (Check | CheckGroup)[];
}

/** The checks of validated criteria. Make them once, and evaluate them on many subjects. */
export function checksOf(criteria: Criteria): CheckGroup {
  const checks = criteria.conditions.map((entry) =>
    isGroup(entry) ? checksOf(entry) : checkOf(entry),
  );
  return { match: criteria.match, checks };
}

export function isCheckGroup(check: Check | CheckGroup): check is CheckGroup {
  return "checks" in check;
}

function checkOf(condition: Condition): Check {
  const { field, operator, value } = condition;
  const denial = denied[operator];
  const test = testOf(fieldOf(field).type, denial ?? operator, value);
  return { condition, field, test, is_denied: denial !== undefined };
}

function testOf(type: FieldType, operator: Operator, value: unknown): Test {
  if (operator === "exists") return { kind: "present" };
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  if (type === "boolean") return { kind: "is", value: value as boolean };
  if (isQuantity(type))
    return { kind: "within", ranges: rangesOf(operator, values.map(rangeReaders[type])) };
  const texts = values.map((each) => comparable(type, each as string));
  // Words are compared whole: for tags, `contains` means to have.
  if (operator === "eq" || operator === "in" || (operator === "contains" && type === "words"))
    return { kind: "equals", values: texts };
  return { kind: operator as "contains" | "starts_with" | "ends_with", text: texts[0]! };
}

/** A text as its field is compared: both the subject's and the condition's pass through this. */
export function comparable(type: FieldType, text: string): string {
  return comparables[type]?.(text) ?? text;
}

const comparables: Partial<Record<FieldType, (text: string) => string>> = {
  text: folded,
  words: folded,
  postal_code: (text) => folded(text).replaceAll(" ", ""),
  hs_code: (text) => text.replace(/[. ]/g, ""),
  country: (text) => text.toUpperCase(),
};

type QuantityType = keyof typeof rangeReaders;

function isQuantity(type: FieldType): type is QuantityType {
  return type in rangeReaders;
}

/** The whole numbers that a value stands for: one, or those of a whole day. */
const rangeReaders = {
  count: (value) => one(value as number),
  money: (value) => one(rounded((value as number) * centsPer)),
  weight: (given) => {
    const { value, unit } = given as { value: number; unit: WeightUnit };
    return one(rounded(value * milligramsPer[unit]));
  },
  length: (given) => {
    const { value, unit } = given as { value: number; unit: SizeUnit };
    return one(rounded(value * hundredthsPer[unit]));
  },
  moment: (value) => {
    const from = new Date(value as string).getTime();
    return { from, before: from + ((value as string).length === 10 ? 86_400_000 : 1) };
  },
  age: (value) => one(rounded((value as number) * millisecondsPerHour)),
} satisfies Partial<Record<FieldType, (value: unknown) => Range>>;

function one(value: number): Range {
  return { from: value, before: value + 1 };
}

function rangesOf(operator: Operator, values: readonly Range[]): readonly Range[] {
  const range = orderings[operator]?.(values[0]!, values[1]!);
  return range ? [range] : values;
}

const orderings: Partial<Record<Operator, (first: Range, second: Range) => Range>> = {
  gt: ({ before }) => ({ from: before, before: Infinity }),
  gte: ({ from }) => ({ from, before: Infinity }),
  lt: ({ from }) => ({ from: -Infinity, before: from }),
  lte: ({ before }) => ({ from: -Infinity, before }),
  between: ({ from }, { before }) => ({ from, before }),
};

/** Whether the low end of `between` is above the high one. */
export function isBackwards(type: FieldType, low: unknown, high: unknown): boolean {
  return isQuantity(type) && rangeReaders[type](low).from > rangeReaders[type](high).from;
}
