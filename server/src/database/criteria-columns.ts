import { sql, type RawBuilder } from "kysely";
import { centsPer, hundredthsPer, milligramsPer } from "../domain/criteria/base-units.ts";
import type { FieldName, SubjectKind } from "../domain/criteria/fields.ts";
import type { Terms } from "../domain/criteria/reading.ts";
import type { IdPrefix } from "../domain/ids.ts";

/**
 * The SQL side of the fields of criteria: how each is read from a row, in the order and with the
 * arithmetic of `domain/criteria/reading.ts`, so that both come to the same. What an index is on is
 * written here as it is in the index.
 */

export type Column =
  /** One value, or null when it is missing. */
  | { kind: "one"; value: RawBuilder<unknown> }
  /** A value for each row of `from`. */
  | { kind: "many"; from: RawBuilder<unknown>; value: RawBuilder<unknown> }
  /** Words: `keys` are those of the account that has them, as an index holds them. */
  | { kind: "words"; words: RawBuilder<unknown>; keys: RawBuilder<unknown> }
  /** `ids` for a moment of creation, which the row's id tells as well: their prefix. */
  | { kind: "moment"; moment: RawBuilder<unknown>; ids?: IdPrefix }
  /** The time that has passed since the moment. */
  | { kind: "age"; moment: RawBuilder<unknown>; ids?: IdPrefix };

type Columns = Partial<Record<FieldName, (terms: Terms) => Column>>;

/** How a field of that kind of row is read; null for one that it does not have. */
export function columnOf(kind: SubjectKind, field: FieldName, terms: Terms): Column | null {
  return columns[kind][field]?.(terms) ?? null;
}

const one = (expression: string) => () => ({ kind: "one", value: sql.raw(expression) }) as const;
const ofItems = (expression: string) => () =>
  ({
    kind: "many",
    from: sql.raw("jsonb_array_elements(items) AS item"),
    value: sql.raw(expression),
  }) as const;

const weightFactor = factors("part ->> 'weight_unit'", milligramsPer);
const sizeFactor = factors("part ->> 'size_unit'", hundredthsPer);
const parts =
  "jsonb_array_elements(CASE WHEN handling_units = '[]' THEN packages ELSE handling_units END) AS part";
const sides = ["length", "width", "height"].map((side) => number(`part ->> '${side}'`)).join(", ");

const destination: Columns = {
  "to_address.country_code": one("(to_address ->> 'country_code')"),
  "to_address.province_code": one("folded(to_address ->> 'province_code')"),
  "to_address.postal_code": one("replace(folded(to_address ->> 'postal_code'), ' ', '')"),
  "to_address.city": one("folded(to_address ->> 'city')"),
  "to_address.is_residential": one("(to_address ->> 'is_residential')::boolean"),
};

const contents: Columns = {
  "items.sku": ofItems("folded(item ->> 'sku')"),
  "items.title": ofItems("folded(item ->> 'title')"),
  "items.hs_code": ofItems("translate(item ->> 'hs_code', '. ', '')"),
  "items.country_of_origin": ofItems("(item ->> 'country_of_origin')"),
  "items.quantity": ofItems(number("item ->> 'quantity'")),
  item_count: one(
    `coalesce((SELECT sum(${number("item ->> 'quantity'")}) FROM jsonb_array_elements(items) AS item), 0)`,
  ),
  tags: () => ({
    kind: "words",
    words: sql.raw("tags"),
    keys: sql.raw("tag_keys(account_id, tags)"),
  }),
};

const shipments: Columns = {
  ...destination,
  ...contents,
  is_international: one("(from_address ->> 'country_code' <> to_address ->> 'country_code')"),
  type: one("type"),
  total_weight: one(
    `(SELECT floor(sum(${number("part ->> 'weight'")} * ${weightFactor} * ${quantity()}) + 0.5) FROM ${parts})`,
  ),
  max_dimension: one(`(SELECT max(floor(greatest(${sides}) * ${sizeFactor} + 0.5)) FROM ${parts})`),
  package_count: one(`coalesce((SELECT sum(${quantity()}) FROM ${parts}), 0)`),
  declared_value: one(
    `coalesce(insured_value_cents::float8,
      (SELECT sum(${cents("package ->> 'declared_value'")}) FROM jsonb_array_elements(packages) AS package),
      (SELECT sum(${cents("item ->> 'value'")} * ${number("item ->> 'quantity'")}) FROM jsonb_array_elements(items) AS item))`,
  ),
  currency: ({ currency }) => ({
    kind: "one",
    value: sql`coalesce(jsonb_path_query_first(packages, '$[*].currency ? (@ != null)') #>> '{}', items -> 0 ->> 'currency', ${currency}::text)`,
  }),
  status: one("status"),
  carrier: one("folded(carrier)"),
  service: one("folded(service)"),
  created_at: () => ({ kind: "moment", moment: sql.raw("created_at"), ids: "shp" }),
  age_hours: () => ({ kind: "age", moment: sql.raw("created_at"), ids: "shp" }),
};

const columns: Record<SubjectKind, Columns> = { shipments, orders: {} };

function number(expression: string): string {
  return `(${expression})::float8`;
}

function quantity(): string {
  return `coalesce(${number("part ->> 'quantity'")}, 1)`;
}

function cents(expression: string): string {
  return `floor(${number(expression)} * ${centsPer} + 0.5)`;
}

function factors(unit: string, perUnit: Record<string, number>): string {
  const cases = Object.entries(perUnit).map(([name, factor]) => `WHEN '${name}' THEN ${factor}`);
  return `(CASE ${unit} ${cases.join(" ")} END)::float8`;
}

/** For the test that compares the two sides. */
export function columnNames(kind: SubjectKind): FieldName[] {
  return Object.keys(columns[kind]) as FieldName[];
}
