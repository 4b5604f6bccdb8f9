import fc from "fast-check";
import { expect, test } from "vitest";
import { aShipmentSubject, someCriteria, context } from "./criteria-world.ts";
import { explain, type ExplainedCondition, type ExplainedGroup } from "./explain.ts";
import { matcherOf } from "./matches.ts";
import { readShipment } from "./reading.ts";
import type { Condition } from "./schema.ts";
import type { ShipmentSubject } from "./subjects.ts";

const shipment: ShipmentSubject = {
  type: "courier",
  status: "draft",
  from_address: { country_code: "CA" },
  to_address: {
    country_code: "US",
    province_code: "MA",
    postal_code: "02116",
    city: "Boston",
    is_residential: true,
  },
  packages: [
    {
      weight: 16,
      weight_unit: "oz",
      length: 10,
      width: 8,
      height: 4,
      size_unit: "in",
      declared_value: 19.99,
      currency: null,
    },
  ],
  handling_units: [],
  items: [],
  insured_value_cents: null,
  service: null,
  carrier: null,
  tags: ["Rush", "gift"],
  created_at: new Date(context.now.getTime() - 90 * 60_000),
};

const explained = (condition: Condition) => {
  const reading = readShipment(shipment, context);
  const { conditions } = explain({ match: "all", conditions: [condition] }, reading);
  return conditions[0] as ExplainedCondition;
};

test.each<[Condition, boolean, unknown, string]>([
  [
    { field: "to_address.country_code", operator: "eq", value: "CA" },
    false,
    "US",
    'to_address.country_code is "US"; eq "CA" does not hold.',
  ],
  [
    { field: "total_weight", operator: "gte", value: { value: 1, unit: "lbs" } },
    true,
    { value: 1, unit: "lbs" },
    "total_weight is 1 lbs; gte 1 lbs holds.",
  ],
  [
    {
      field: "max_dimension",
      operator: "between",
      value: [
        { value: 1, unit: "cm" },
        { value: 9, unit: "in" },
      ],
    },
    false,
    { value: 25.4, unit: "cm" },
    "max_dimension is 25.4 cm; between 1 cm, 9 in does not hold.",
  ],
  [
    { field: "declared_value", operator: "lt", value: 20 },
    true,
    19.99,
    "declared_value is 19.99; lt 20 holds.",
  ],
  [
    { field: "tags", operator: "contains", value: "RUSH" },
    true,
    ["Rush", "gift"],
    'tags is "Rush", "gift"; contains "RUSH" holds.',
  ],
  [
    { field: "items.sku", operator: "exists" },
    false,
    [],
    "items.sku is missing; exists does not hold.",
  ],
  [
    { field: "carrier", operator: "neq", value: "ups" },
    true,
    null,
    'carrier is missing; neq "ups" holds.',
  ],
  [
    { field: "age_hours", operator: "gt", value: 1.5 },
    false,
    1.5,
    "age_hours is 1.5; gt 1.5 does not hold.",
  ],
  [
    { field: "created_at", operator: "eq", value: "2026-03-10" },
    true,
    "2026-03-10T10:30:00.000Z",
    'created_at is "2026-03-10T10:30:00.000Z"; eq "2026-03-10" holds.',
  ],
  [
    { field: "is_international", operator: "eq", value: true },
    true,
    true,
    "is_international is true; eq true holds.",
  ],
])("%j is explained", (condition, matched, actual, reason) => {
  expect(explained(condition)).toEqual({ value: null, ...condition, matched, actual, reason });
});

test("an explanation agrees with the criteria, group by group", () => {
  const outcomes = new Set<boolean>();
  fc.assert(
    fc.property(someCriteria("shipments"), aShipmentSubject, (criteria, subject) => {
      const reading = readShipment(subject, context);
      const tree = explain(criteria, reading);
      outcomes.add(tree.matched);
      expect(tree.matched).toBe(matcherOf(criteria)(reading));
      expectSums(tree);
    }),
  );
  expect(outcomes.size).toBe(2);
});

function expectSums({ match, matched, conditions }: ExplainedGroup): void {
  const each = conditions.map((condition) => condition.matched);
  expect(matched).toBe(match === "all" ? !each.includes(false) : each.includes(true));
  for (const condition of conditions) if ("conditions" in condition) expectSums(condition);
}
