import { sql, type RawBuilder } from "kysely";
import { centsPer, hundredthsPer, milligramsPer } from "../../domain/criteria/base-units.ts";

/**
 * SQL texts for the sums over packages and items: `domain/criteria/sums.ts` in PostgreSQL, in doubles, in the
 * same order. Null when there is nothing to add.
 */

/** Of the entries of a list that have a weight. */
export function milligrams(list: string): string {
  const factor = factors("part ->> 'weight_unit'", milligramsPer);
  return `(SELECT floor(sum(${number("part ->> 'weight'")} * ${factor} * ${quantity}) + 0.5) FROM ${each(list)})`;
}

/** In hundredths of a millimetre. */
export function longestSide(list: string): string {
  const sides = ["length", "width", "height"].map((side) => number(`part ->> '${side}'`));
  const factor = factors("part ->> 'size_unit'", hundredthsPer);
  return `(SELECT max(floor(greatest(${sides.join(", ")}) * ${factor} + 0.5)) FROM ${each(list)})`;
}

export function pieces(list: string): string {
  return `coalesce((SELECT sum(${quantity}) FROM ${each(list)}), 0)`;
}

/**
 * The declared values of the packages, else the values of the items, in cents; null where the amounts are of
 * two currencies. An amount without one is in `currency`, an expression.
 */
export function declared(currency: RawBuilder<unknown>): RawBuilder<unknown> {
  const packages = inOneCurrency(cents("part ->> 'declared_value'"), currency);
  const items = inOneCurrency(
    `${cents("part ->> 'value'")} * ${number("part ->> 'quantity'")}`,
    currency,
  );
  return sql`CASE WHEN jsonb_path_exists(packages, '$[*].declared_value ? (@ != null)')
    THEN (SELECT ${packages} FROM ${sql.raw(each("packages"))} WHERE part ->> 'declared_value' IS NOT NULL)
    ELSE (SELECT ${items} FROM ${sql.raw(each("items"))}) END`;
}

function inOneCurrency(amount: string, currency: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`CASE WHEN count(DISTINCT coalesce(part ->> 'currency', ${currency})) < 2 THEN sum(${sql.raw(amount)}) END`;
}

export function number(expression: string): string {
  return `(${expression})::float8`;
}

// A package has no quantity; it counts as one.
const quantity = "coalesce((part ->> 'quantity')::float8, 1)";

function each(list: string): string {
  return `jsonb_array_elements(${list}) AS part`;
}

function cents(expression: string): string {
  return `floor(${number(expression)} * ${centsPer} + 0.5)`;
}

function factors(unit: string, perUnit: Record<string, number>): string {
  const cases = Object.entries(perUnit).map(([name, factor]) => `WHEN '${name}' THEN ${factor}`);
  return `(CASE ${unit} ${cases.join(" ")} END)::float8`;
}
