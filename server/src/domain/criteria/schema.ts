import { Type, type Static } from "typebox";
import { Nullable, OneOf } from "../values/schema.ts";
import { FieldName } from "./fields.ts";
import { Operator } from "./operators.ts";

/** Criteria as clients send and see them (decision 15). `read-criteria.ts` validates them. */

export const depthMax = 3;
export const conditionsMax = 50;
export const listMax = 500;

const match = OneOf(["all", "any"], {
  $id: "CriteriaMatch",
  description: "Whether all conditions must hold, or one.",
});

const Scalar = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Object(
    { value: Type.Number(), unit: Type.String({ examples: ["kg"] }) },
    { $id: "Measure", description: "A weight or a length." },
  ),
]);

/** For the document: which type a condition takes follows from its field and operator. */
const CriteriaValue = Type.Unsafe<unknown>({
  ...Type.Union([...Scalar.anyOf, Type.Array(Scalar)]),
  $id: "CriteriaValue",
  description:
    "Of the field's type; a list for `in` and `not_in` (at most 500) and for `between` (low and high, both included); none for `exists` and `not_exists`. Weights and lengths are `{value, unit}`, moments a day (UTC) or a moment.",
  examples: ["US"],
});

export const CriteriaCondition = Type.Object(
  {
    field: FieldName,
    operator: Operator,
    value: Type.Optional(Nullable(CriteriaValue)),
  },
  { $id: "CriteriaCondition", examples: [{ field: "tags", operator: "contains", value: "rush" }] },
);

function group<T extends Parameters<typeof Type.Array>[0]>(id: string, entry: T, options = {}) {
  const conditions = Type.Array(entry, { minItems: 1, maxItems: conditionsMax });
  return Type.Object({ match, conditions }, { $id: id, ...options });
}

const InnerGroup = group("CriteriaInnerGroup", CriteriaCondition);
const Group = group(
  "CriteriaGroup",
  Type.Unsafe<unknown>({ oneOf: [CriteriaCondition, InnerGroup] }),
);

/** For the document: three levels, since there are no more. */
export const CriteriaTree = group(
  "Criteria",
  Type.Unsafe<unknown>({ oneOf: [CriteriaCondition, Group] }),
  { description: "At most three levels and fifty conditions in all." },
);

const ExplainedCondition = Type.Object(
  {
    field: FieldName,
    operator: Operator,
    value: Nullable(CriteriaValue),
    matched: Type.Boolean(),
    actual: Type.Unknown({
      description:
        "What the subject has: a value, a list for fields of items and tags, null when it is missing.",
    }),
    reason: Type.String({ description: "A sentence for people." }),
  },
  { $id: "ExplainedCondition" },
);

function explained<T extends Parameters<typeof Type.Array>[0]>(id: string, entry: T) {
  const fields = { match, matched: Type.Boolean(), conditions: Type.Array(entry) };
  return Type.Object(fields, { $id: id });
}

const ExplainedInnerGroup = explained("ExplainedInnerGroup", ExplainedCondition);
const ExplainedGroup = explained(
  "ExplainedGroup",
  Type.Unsafe<unknown>({ oneOf: [ExplainedCondition, ExplainedInnerGroup] }),
);

/** For the document: evaluated criteria, in the shape of the criteria. */
export const ExplainedTree = explained(
  "ExplainedCriteria",
  Type.Unsafe<unknown>({ oneOf: [ExplainedCondition, ExplainedGroup] }),
);

export type Condition = Static<typeof CriteriaCondition>;

/** A validated tree. */
export interface Criteria {
  match: "all" | "any";
  conditions: (Condition | Criteria)[];
}

export function isGroup(entry: Condition | Criteria): entry is Criteria {
  return "conditions" in entry;
}
