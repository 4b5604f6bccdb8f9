import type { FieldName } from "./fields.ts";
import type { Reading } from "./reading.ts";
import type { Criteria } from "./schema.ts";
import {
  checksOf,
  isCheckGroup,
  type Check,
  type CheckGroup,
  type Range,
  type Scalar,
  type Test,
} from "./tests.ts";

/** The in-memory reader of criteria, for rules. The SQL reader is `database/criteria/criteria.ts`. */

export type Matcher = (reading: Reading) => boolean;

/** Compiles validated criteria to a function: once, for any number of subjects. */
export function matcherOf(criteria: Criteria): Matcher {
  return groupMatcher(checksOf(criteria));
}

function groupMatcher({ match, checks }: CheckGroup): Matcher {
  const matchers = checks.map((check) =>
    isCheckGroup(check) ? groupMatcher(check) : checkMatcher(check),
  );
  return match === "all"
    ? (reading) => matchers.every((matches) => matches(reading))
    : (reading) => matchers.some((matches) => matches(reading));
}

/** The matcher of one condition. */
export function checkMatcher({ field, test, is_denied }: Check): Matcher {
  const holds = testMatcher(field, test);
  return is_denied ? (reading) => !holds(reading) : holds;
}

/** Holds when any of the field's values passes; a missing field has none. */
function testMatcher(field: FieldName, test: Test): Matcher {
  if (test.kind === "present") return (reading) => reading.values(field).length > 0;
  const passes = passerOf(test);
  return (reading) => {
    const values = reading.values(field);
    for (let index = 0; index < values.length; index++) if (passes(values[index]!)) return true;
    return false;
  };
}

function passerOf(test: Exclude<Test, { kind: "present" }>): (value: Scalar) => boolean {
  switch (test.kind) {
    case "equals": {
      const values = new Set<Scalar>(test.values);
      return (value) => values.has(value);
    }
    case "is":
      return (value) => value === test.value;
    case "contains":
      return (value) => (value as string).includes(test.text);
    case "starts_with":
      return (value) => (value as string).startsWith(test.text);
    case "ends_with":
      return (value) => (value as string).endsWith(test.text);
    case "within":
      return withinAny(test.ranges);
  }
}

function withinAny(ranges: readonly Range[]): (value: Scalar) => boolean {
  const [only] = ranges;
  if (ranges.length === 1 && only)
    return (value) => (value as number) >= only.from && (value as number) < only.before;
  return (value) =>
    ranges.some(({ from, before }) => (value as number) >= from && (value as number) < before);
}
