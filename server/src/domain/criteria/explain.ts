import type { SizeUnit, WeightUnit } from "../goods/parcel.ts";
import { centsPer, hundredthsPer, milligramsPer, millisecondsPerHour } from "./base-units.ts";
import { fieldOf, type FieldName, type FieldType } from "./fields.ts";
import { checkMatcher } from "./matches.ts";
import type { Operator } from "./operators.ts";
import type { Reading } from "./reading.ts";
import type { Criteria } from "./schema.ts";
import { checksOf, isCheckGroup, type Check, type CheckGroup, type Scalar } from "./tests.ts";

/** Why criteria held or not, condition by condition; the tree has the shape of the criteria. */
export interface ExplainedGroup {
  match: "all" | "any";
  matched: boolean;
  conditions: (ExplainedCondition | ExplainedGroup)[];
}

export interface ExplainedCondition {
  field: FieldName;
  operator: Operator;
  value: unknown;
  matched: boolean;
  /** The subject's value, a list for fields of items and tags, null when it is missing. */
  actual: unknown;
  /** A message for people. */
  reason: string;
}

/** Evaluates every condition on the subject, also where the outcome is already clear. */
export function explain(criteria: Criteria, reading: Reading): ExplainedGroup {
  return explainGroup(checksOf(criteria), reading);
}

function explainGroup({ match, checks }: CheckGroup, reading: Reading): ExplainedGroup {
  const conditions = checks.map((check) =>
    isCheckGroup(check) ? explainGroup(check, reading) : explainCheck(check, reading),
  );
  const held = conditions.filter(({ matched }) => matched).length;
  return { match, matched: match === "all" ? held === checks.length : held > 0, conditions };
}

function explainCheck(check: Check, reading: Reading): ExplainedCondition {
  const { field, operator, value = null } = check.condition;
  const matched = checkMatcher(check)(reading);
  const actual = actualOf(check, reading);
  const has = isMissing(actual) ? `${field} is missing` : `${field} is ${said(actual)}`;
  const wanted = value === null ? operator : `${operator} ${said(value)}`;
  const reason = `${has}; ${wanted} ${matched ? "holds" : "does not hold"}.`;
  return { field, operator, value, matched, actual, reason };
}

/** At most so many values of one field are shown. */
const shownMax = 20;

function actualOf({ field, condition }: Check, reading: Reading): unknown {
  const { type, many } = fieldOf(field);
  const values = reading.written(field).map((value) => shown(type, value, unitOf(condition.value)));
  return many ? values.slice(0, shownMax) : (values[0] ?? null);
}

/** The unit of the condition, so that both sides can be compared by eye. */
function unitOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return (first as { unit?: string } | null | undefined)?.unit ?? null;
}

function shown(type: FieldType, value: Scalar, unit: string | null): unknown {
  return typeof value === "number" ? (quantities[type]?.(value, unit) ?? value) : value;
}

const quantities: Partial<Record<FieldType, (value: number, unit: string | null) => unknown>> = {
  money: (value) => value / centsPer,
  weight: (value, unit) =>
    measured(value / milligramsPer[(unit ?? "kg") as WeightUnit], unit ?? "kg"),
  length: (value, unit) =>
    measured(value / hundredthsPer[(unit ?? "cm") as SizeUnit], unit ?? "cm"),
  moment: (value) => new Date(value).toISOString(),
  age: (value) => Math.round((value / millisecondsPerHour) * 100) / 100,
};

/** To five decimals, below which a milligram in pounds would be noise. */
function measured(value: number, unit: string): { value: number; unit: string } {
  return { value: Math.round(value * 1e5) / 1e5, unit };
}

function isMissing(actual: unknown): boolean {
  return actual === null || (Array.isArray(actual) && actual.length === 0);
}

function said(value: unknown): string {
  if (Array.isArray(value)) {
    const some = value.slice(0, shownMax).map(said).join(", ");
    return value.length > shownMax ? `${some} and ${value.length - shownMax} more` : some;
  }
  if (typeof value === "object" && value !== null) {
    const { value: amount, unit } = value as { value: number; unit: string };
    return `${amount} ${unit}`;
  }
  return JSON.stringify(value);
}
