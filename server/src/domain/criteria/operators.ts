import type { FieldType } from "./fields.ts";
import { OneOf } from "../values/schema.ts";

/** The operators, and which go with which type of field (decision 15). */

export const operators = [
  "eq",
  "neq",
  "in",
  "not_in",
  "gt",
  "gte",
  "lt",
  "lte",
  "between",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "exists",
  "not_exists",
] as const;
export type Operator = (typeof operators)[number];
export const Operator = OneOf(operators, { $id: "CriteriaOperator" });

const presence = ["exists", "not_exists"] as const;
const equality = ["eq", "neq", "in", "not_in", ...presence] as const;
const ordering = ["gt", "gte", "lt", "lte", "between"] as const;
const parts = ["contains", "not_contains", "starts_with", "ends_with"] as const;

const texts = [...equality, ...parts];
const quantities = [...equality, ...ordering];

export const operatorsOf: Record<FieldType, readonly Operator[]> = {
  text: texts,
  postal_code: texts,
  hs_code: texts,
  words: texts,
  country: equality,
  currency: equality,
  choice: equality,
  boolean: ["eq", "neq", ...presence],
  count: quantities,
  money: quantities,
  weight: quantities,
  length: quantities,
  moment: quantities,
  // No age is ever exact.
  age: [...ordering, ...presence],
};

/**
 * The operator that a negative one negates. It holds exactly when the other does not: for a missing
 * field too, and for items when the other holds for none of them.
 */
export const denied: Partial<Record<Operator, Operator>> = {
  neq: "eq",
  not_in: "in",
  not_contains: "contains",
  not_exists: "exists",
};
