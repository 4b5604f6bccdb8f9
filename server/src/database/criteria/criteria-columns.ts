import { sql, type RawBuilder } from "kysely";
import type { FieldName, SubjectKind } from "../../domain/criteria/fields.ts";
import type { EvaluationContext } from "../../domain/criteria/reading.ts";
import type { IdPrefix } from "../../domain/values/ids.ts";
import { declared, longestSide, milligrams, number, pieces } from "./criteria-sums.ts";

/**
 * The SQL side of the fields of criteria: how each is read from a row, in the order and with the arithmetic
 * of `domain/criteria/reading.ts`, so that both give the same result. Indexed expressions are written here as
 * they are in the index.
 */

export type Column =
  /** One value, or null when it is missing. */
  | { kind: "one"; value: RawBuilder<unknown> }
  /** A value for each row of `from`. */
  | { kind: "many"; from: RawBuilder<unknown>; value: RawBuilder<unknown> }
  /** The tags of the row, for which there is an index. */
  | { kind: "tags" }
  /** `ids` for a time of creation, which the row's id contains as well: their prefix. */
  | { kind: "moment"; moment: RawBuilder<unknown>; ids?: IdPrefix }
  /** The time that has passed since the moment. */
  | { kind: "age"; moment: RawBuilder<unknown>; ids?: IdPrefix };

type Columns = Partial<Record<FieldName, (context: EvaluationContext) => Column>>;

/** How a field of that kind of row is read; null for one that it does not have. */
export function columnOf(
  kind: SubjectKind,
  field: FieldName,
  context: EvaluationContext,
): Column | null {
  return columns[kind][field]?.(context) ?? null;
}

const one = (expression: string) => () => ({ kind: "one", value: sql.raw(expression) }) as const;
const ofItems = (expression: string) => () =>
  ({
    kind: "many",
    from: sql.raw("jsonb_array_elements(items) AS item"),
    value: sql.raw(expression),
  }) as const;

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
  item_count: one(pieces("items")),
  tags: () => ({ kind: "tags" }),
};

const freightOrPackages = "CASE WHEN handling_units = '[]' THEN packages ELSE handling_units END";

const shipments: Columns = {
  ...destination,
  ...contents,
  is_international: one("(from_address ->> 'country_code' <> to_address ->> 'country_code')"),
  type: one("type"),
  total_weight: one(milligrams(freightOrPackages)),
  max_dimension: one(longestSide(freightOrPackages)),
  package_count: one(pieces(freightOrPackages)),
  declared_value: ({ currency }) => ({
    kind: "one",
    value: sql`coalesce(insured_value_cents::float8, ${declared(sql`${currency}::text`)})`,
  }),
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

const orders: Columns = {
  ...destination,
  ...contents,
  is_international: ({ home_country }) => ({
    kind: "one",
    value: sql`(coalesce(from_address ->> 'country_code', ${home_country}::text) <> to_address ->> 'country_code')`,
  }),
  total_weight: one(milligrams("CASE WHEN packages = '[]' THEN items ELSE packages END")),
  max_dimension: one(longestSide("packages")),
  package_count: one(pieces("packages")),
  declared_value: () => ({ kind: "one", value: sql`(${declared(sql.raw("currency"))})` }),
  order_total: one("total_cents::float8"),
  currency: one("currency"),
  source: one("source"),
  requested_service: one("folded(requested_service)"),
  status: one("status"),
  created_at: () => ({ kind: "moment", moment: sql.raw("created_at"), ids: "ord" }),
  placed_at: () => ({ kind: "moment", moment: sql.raw("placed_at") }),
  age_hours: () => ({ kind: "age", moment: sql.raw("placed_at") }),
};

const columns: Record<SubjectKind, Columns> = { shipments, orders };

/** For the test that compares the two sides. */
export function columnNames(kind: SubjectKind): FieldName[] {
  return Object.keys(columns[kind]) as FieldName[];
}
