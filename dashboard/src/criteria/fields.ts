import type { Criteria, CriteriaCondition, FilterTarget } from "@waybill/sdk";

export type FieldName = CriteriaCondition["field"];
export type Operator = CriteriaCondition["operator"];
export type Value = CriteriaCondition["value"];
export type Kind =
  "text" | "country" | "flag" | "count" | "money" | "weight" | "length" | "moment" | "age";

const equality: Operator[] = ["eq", "neq", "in", "not_in", "exists", "not_exists"];
const parts: Operator[] = ["contains", "not_contains", "starts_with", "ends_with"];
const ordering: Operator[] = ["gt", "gte", "lt", "lte", "between"];
const text = { kind: "text", operators: [...equality, ...parts] } as const;
const choice = { kind: "text", operators: equality } as const;
const country = { kind: "country", operators: equality } as const;
const flag = {
  kind: "flag",
  operators: ["eq", "neq", "exists", "not_exists"] as Operator[],
} as const;
const quantity = (kind: Kind) => ({ kind, operators: [...ordering, ...equality] });

/** Each field with the form of its value and its comparisons, as `docs/filters.md` has them. */
export const fields: Record<
  FieldName,
  { kind: Kind; operators: readonly Operator[]; of?: "orders" | "shipments" }
> = {
  "to_address.country_code": country,
  "to_address.province_code": text,
  "to_address.postal_code": text,
  "to_address.city": text,
  "to_address.is_residential": flag,
  is_international: flag,
  total_weight: quantity("weight"),
  max_dimension: quantity("length"),
  package_count: quantity("count"),
  declared_value: quantity("money"),
  order_total: { ...quantity("money"), of: "orders" },
  currency: choice,
  type: { ...choice, of: "shipments" },
  status: choice,
  carrier: { ...text, of: "shipments" },
  service: { ...text, of: "shipments" },
  source: { ...choice, of: "orders" },
  requested_service: { ...text, of: "orders" },
  tags: text,
  "items.sku": text,
  "items.title": text,
  "items.hs_code": text,
  "items.country_of_origin": country,
  "items.quantity": quantity("count"),
  item_count: quantity("count"),
  created_at: quantity("moment"),
  placed_at: { ...quantity("moment"), of: "orders" },
  age_hours: { kind: "age", operators: [...ordering, "exists", "not_exists"] },
};

/** The fields that things of the target have. */
export function fieldsOf(target: FilterTarget): FieldName[] {
  const names = Object.keys(fields) as FieldName[];
  return names.filter(
    (name) => target === "both" || !fields[name].of || fields[name].of === target,
  );
}

/** The value that a condition begins with. */
export function firstValue(kind: Kind, operator: Operator): Value {
  if (operator === "exists" || operator === "not_exists") return null;
  const one = {
    text: "",
    country: "CA",
    flag: true,
    count: 1,
    money: 0,
    weight: { value: 1, unit: "kg" },
    length: { value: 1, unit: "cm" },
    moment: "",
    age: 24,
  }[kind];
  if (operator === "between") return [one, one] as Value;
  return operator === "in" || operator === "not_in" ? [] : one;
}

/** A tree with one condition. */
export const newCriteria: Criteria = {
  match: "all",
  conditions: [{ field: "to_address.country_code", operator: "eq", value: "CA" }],
};
