import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { SubjectKind } from "../../domain/criteria/fields.ts";
import type { EvaluationContext } from "../../domain/criteria/reading.ts";
import type { Criteria } from "../../domain/criteria/schema.ts";
import {
  checksOf,
  isCheckGroup,
  type Check,
  type CheckGroup,
  type Range,
  type Test,
} from "../../domain/criteria/tests.ts";
import { firstIdAt, type IdPrefix } from "../../domain/values/ids.ts";
import { columnOf, type Column } from "./criteria-columns.ts";
import { hasWord } from "./tag-keys.ts";

/**
 * The SQL reader of criteria: what `domain/criteria/matches.ts` decides of one subject in memory, as a
 * condition on the rows of `shipments` or `orders`. Every value is a parameter, never part of the text.
 *
 * A condition on a missing field is null in SQL. That is equivalent to false, since a tree has only AND and
 * OR above its conditions, and negations use IS NOT TRUE; so no wrapper hides an expression from its index.
 */
export function matchesCriteria(
  criteria: Criteria,
  kind: SubjectKind,
  context: RowContext,
): RawBuilder<SqlBool> {
  return groupSql(checksOf(criteria), kind, context);
}

export interface RowContext extends EvaluationContext {
  account_id: string;
}

type Condition = RawBuilder<SqlBool>;

function groupSql(
  { match, checks }: CheckGroup,
  kind: SubjectKind,
  context: RowContext,
): Condition {
  const conditions = checks.map((check) =>
    isCheckGroup(check) ? groupSql(check, kind, context) : checkSql(check, kind, context),
  );
  return joined(conditions, match === "all" ? "AND" : "OR");
}

function checkSql(check: Check, kind: SubjectKind, context: RowContext): Condition {
  const column = columnOf(kind, check.field, context);
  const holds = column ? columnSql(column, check.test, context) : sql<SqlBool>`false`;
  return check.is_denied ? sql<SqlBool>`(${holds}) IS NOT TRUE` : holds;
}

function columnSql(column: Column, test: Test, context: RowContext): Condition {
  switch (column.kind) {
    case "one":
      return testSql(column.value, test);
    case "many":
      return sql<SqlBool>`EXISTS (SELECT FROM ${column.from} WHERE ${testSql(column.value, test)})`;
    case "tags":
      return tagsSql(test, context);
    case "moment":
      return momentSql(column, test, (range) => range);
    case "age":
      return momentSql(column, test, (age) => momentsOf(age, context.now.getTime()));
  }
}

function testSql(value: RawBuilder<unknown>, test: Test): Condition {
  switch (test.kind) {
    case "present":
      return sql<SqlBool>`${value} IS NOT NULL`;
    case "is":
      return sql<SqlBool>`${value} = ${test.value}`;
    case "equals":
      return test.values.length === 1
        ? sql<SqlBool>`${value} = ${test.values[0]}`
        : sql<SqlBool>`${value} = ANY (${test.values}::text[])`;
    // None of these interprets wildcards or locales.
    case "contains":
      return sql<SqlBool>`strpos(${value}, ${test.text}) > 0`;
    case "starts_with":
      return sql<SqlBool>`starts_with(${value}, ${test.text})`;
    case "ends_with":
      return sql<SqlBool>`right(${value}, ${[...test.text].length}) = ${test.text}`;
    case "within":
      return quantitySql(value, test.ranges);
  }
}

function tagsSql(test: Test, { account_id }: RowContext): Condition {
  if (test.kind === "present") return sql<SqlBool>`tags <> '{}'`;
  if (test.kind === "equals") return hasWord(account_id, test.values);
  return sql<SqlBool>`EXISTS (SELECT FROM unnest(tags) AS tag WHERE ${testSql(sql`folded(tag)`, test)})`;
}

function quantitySql(value: RawBuilder<unknown>, ranges: readonly Range[]): Condition {
  // Several ranges come from a list of values, one number each.
  if (ranges.length > 1)
    return sql<SqlBool>`${value} = ANY (${ranges.map(({ from }) => from)}::float8[])`;
  return rangeSql(value, ranges[0]!, (bound) => bound);
}

function momentSql(
  { moment, ids }: Column & { kind: "moment" | "age" },
  test: Test,
  toMoments: (range: Range) => Range,
): Condition {
  if (test.kind !== "within") return testSql(moment, test);
  const ranges = test.ranges.map(toMoments);
  const exactly =
    ranges.length === 1
      ? rangeSql(moment, ranges[0]!, (bound) => new Date(bound))
      : withinAnyOf(moment, ranges);
  return ids ? joined([exactly, idsOf(ranges, ids)], "AND") : exactly;
}

/** A list's times are sent in two parameters: a statement has no room for one each. */
function withinAnyOf(moment: RawBuilder<unknown>, ranges: readonly Range[]): Condition {
  const since = ranges.map(({ from }) => new Date(from));
  const before = ranges.map((range) => new Date(range.before));
  return sql<SqlBool>`EXISTS (
    SELECT FROM unnest(${since}::timestamptz[], ${before}::timestamptz[]) AS span (since, before)
    WHERE ${moment} >= since AND ${moment} < before)`;
}

// The largest difference between a row's created_at and the time in its id.
const slackMs = 3_600_000;

/**
 * The range of ids that rows of these times can have. Lists are in the order of ids, so that the index scan
 * starts at the right position, where `created_at` alone would be checked row by row.
 */
function idsOf(ranges: readonly Range[], prefix: IdPrefix): Condition {
  const from = Math.min(...ranges.map((range) => range.from));
  const before = Math.max(...ranges.map((range) => range.before));
  const loose = { from: from - slackMs, before: before + slackMs };
  return rangeSql(sql.raw("id"), loose, (bound) => firstIdAt(prefix, new Date(bound)));
}

/** Rows made at this moment or later have one of these ids. */
export function idsFrom(prefix: IdPrefix, from: Date): Condition {
  return sql<SqlBool>`id >= ${firstIdAt(prefix, new Date(from.getTime() - slackMs))}`;
}

/** Rows made at this moment or earlier have one of these ids. */
export function idsUpTo(prefix: IdPrefix, to: Date): Condition {
  return sql<SqlBool>`id < ${firstIdAt(prefix, new Date(to.getTime() + slackMs))}`;
}

/** The times from which so many milliseconds have passed. */
function momentsOf({ from, before }: Range, now: number): Range {
  return { from: now - before + 1, before: now - from + 1 };
}

function rangeSql(
  value: RawBuilder<unknown>,
  { from, before }: Range,
  toParameter: (bound: number) => unknown,
): Condition {
  const least = sql<SqlBool>`${value} >= ${toParameter(from)}`;
  const less = sql<SqlBool>`${value} < ${toParameter(before)}`;
  if (before === Infinity) return least;
  if (from === -Infinity) return less;
  if (before === from + 1 && typeof toParameter(from) === "number")
    return sql<SqlBool>`${value} = ${from}`;
  return sql<SqlBool>`(${least} AND ${less})`;
}

function joined(conditions: Condition[], operator: "AND" | "OR"): Condition {
  return sql<SqlBool>`(${sql.join(conditions, sql.raw(` ${operator} `))})`;
}
