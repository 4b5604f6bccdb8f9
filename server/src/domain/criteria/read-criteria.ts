import { addProblem, type Problems } from "../errors/errors.ts";
import { fieldNames, fieldOf, hasField, type FieldName, type Target } from "./fields.ts";
import { operators, operatorsOf, type Operator } from "./operators.ts";
import { conditionsMax, depthMax, type Condition, type Criteria } from "./schema.ts";
import { validateValue } from "./values.ts";

interface CriteriaOptions {
  /** The subjects of the criteria. */
  target: Target;
  /** Their path in the body: problems are named below it. */
  path: string;
  /** Whether unknown keys are problems, as in a PUT that replaces all (decision 1). */
  strict: boolean;
}

/**
 * Validates criteria (decision 15) and returns them without unknown keys, or null when anything is
 * wrong; `problems` then names every failing part, such as
 * `criteria.conditions.2.conditions.0.value`. The value must have passed `problemsOf` before, which
 * refuses what is nested too deep to be walked, and texts that cannot be stored.
 */
export function readCriteria(
  problems: Problems,
  value: unknown,
  options: CriteriaOptions,
): Criteria | null {
  const before = Object.keys(problems).length;
  if (countConditions(value) > conditionsMax) {
    const path = `${options.path}.conditions`;
    addProblem(problems, path, `must have at most ${conditionsMax} conditions in all.`);
    return null;
  }
  const criteria = readGroup(problems, value, { ...options, depth: 1 });
  return Object.keys(problems).length === before ? criteria : null;
}

/** Counts leaves, and empty groups as one, no further than needed. */
function countConditions(value: unknown): number {
  const entries = isRecord(value) ? value["conditions"] : null;
  if (!Array.isArray(entries) || entries.length === 0) return 1;
  let count = 0;
  for (const entry of entries) {
    count += countConditions(entry);
    if (count > conditionsMax) break;
  }
  return count;
}

type Place = CriteriaOptions & { depth: number };

function readGroup(problems: Problems, value: unknown, place: Place): Criteria {
  const { path } = place;
  const criteria: Criteria = { match: "all", conditions: [] };
  if (!isRecord(value)) {
    addProblem(problems, path, value === undefined ? "is required." : "must be an object.");
    return criteria;
  }
  refuseUnknown(problems, value, { place, known: ["match", "conditions"] });
  const { match, conditions } = value;
  if (match === undefined) addProblem(problems, `${path}.match`, "is required.");
  else if (match === "all" || match === "any") criteria.match = match;
  else addProblem(problems, `${path}.match`, "must be one of all, any.");
  if (conditions === undefined) addProblem(problems, `${path}.conditions`, "is required.");
  else if (!Array.isArray(conditions))
    addProblem(problems, `${path}.conditions`, "must be a list.");
  else if (conditions.length === 0)
    addProblem(problems, `${path}.conditions`, "must not be empty.");
  else
    criteria.conditions = conditions.map((entry: unknown, index) =>
      readEntry(problems, entry, { ...place, path: `${path}.conditions.${index}` }),
    );
  return criteria;
}

const nothing: Criteria = { match: "all", conditions: [] };

function readEntry(problems: Problems, value: unknown, place: Place): Condition | Criteria {
  const { path, depth } = place;
  if (!isRecord(value)) {
    addProblem(problems, path, "must be an object.");
    return nothing;
  }
  const isGroup = Object.hasOwn(value, "conditions") || Object.hasOwn(value, "match");
  if (!isGroup) return readCondition(problems, value, place);
  if (Object.hasOwn(value, "field") || Object.hasOwn(value, "operator")) {
    addProblem(problems, path, "must be a condition or a group of conditions, not both.");
    return nothing;
  }
  if (depth < depthMax) return readGroup(problems, value, { ...place, depth: depth + 1 });
  addProblem(problems, path, `must not be nested deeper than ${depthMax} levels.`);
  return nothing;
}

function readCondition(
  problems: Problems,
  given: Record<string, unknown>,
  place: Place,
): Condition | Criteria {
  const { path, target } = place;
  refuseUnknown(problems, given, { place, known: ["field", "operator", "value"] });
  const field = readField(problems, `${path}.field`, { given: given["field"], target });
  const operator = readOperator(problems, `${path}.operator`, { given: given["operator"], field });
  if (!field || !operator) return nothing;
  const { value } = given;
  validateValue(problems, `${path}.value`, { target, field, operator, value });
  return value == null ? { field, operator } : { field, operator, value };
}

function readField(
  problems: Problems,
  path: string,
  { given, target }: { given: unknown; target: Target },
): FieldName | null {
  const field = fieldNames.find((name) => name === given);
  if (field && hasField(target, field)) return field;
  const there = fieldNames.filter((name) => hasField(target, name)).join(", ");
  if (given === undefined) addProblem(problems, path, "is required.");
  else if (field)
    addProblem(problems, path, `${field} is a field of ${fieldOf(field).of.join(" and ")} only.`);
  else addProblem(problems, path, `must be one of ${there}.`);
  return null;
}

function readOperator(
  problems: Problems,
  path: string,
  { given, field }: { given: unknown; field: FieldName | null },
): Operator | null {
  const operator = operators.find((name) => name === given);
  if (given === undefined) addProblem(problems, path, "is required.");
  else if (!operator) addProblem(problems, path, `must be one of ${operators.join(", ")}.`);
  if (!operator || !field) return null;
  const usable = operatorsOf[fieldOf(field).type];
  if (usable.includes(operator)) return operator;
  addProblem(problems, path, `does not go with ${field}, which takes ${usable.join(", ")}.`);
  return null;
}

function refuseUnknown(
  problems: Problems,
  given: Record<string, unknown>,
  { place, known }: { place: Place; known: readonly string[] },
): void {
  if (!place.strict) return;
  // A list that is far too long is not worth reporting in full.
  for (const key of Object.keys(given).slice(0, 100))
    if (!known.includes(key))
      addProblem(problems, `${place.path}.${key}`, "is not a field of this call.");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
