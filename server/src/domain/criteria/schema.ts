import { Type, type Static } from "typebox";
import { OneOf } from "../schema.ts";
import { fieldNames } from "./fields.ts";
import { operators } from "./operators.ts";

/** Criteria as clients send and see them (decision 15). `read-criteria.ts` judges them. */

export const depthMax = 3;
export const conditionsMax = 50;
export const listMax = 500;

const match = OneOf(["all", "any"], { description: "Whether all conditions must hold, or one." });

export const CriteriaCondition = Type.Object(
  {
    field: OneOf(fieldNames),
    operator: OneOf(operators),
    value: Type.Optional(
      Type.Unknown({
        description:
          "Of the field's type; a list for `in` and `not_in` (at most 500) and for `between` (low and high, both included); none for `exists` and `not_exists`. Weights and lengths are `{value, unit}`, moments a day (UTC) or a moment.",
        examples: ["US"],
      }),
    ),
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
  Type.Unsafe<unknown>({ anyOf: [CriteriaCondition, InnerGroup] }),
);

/** For the document: three levels, since there are no more. */
export const CriteriaTree = group(
  "Criteria",
  Type.Unsafe<unknown>({ anyOf: [CriteriaCondition, Group] }),
  { description: "At most three levels and fifty conditions in all." },
);

export type Condition = Static<typeof CriteriaCondition>;

/** A tree that was judged. */
export interface Criteria {
  match: "all" | "any";
  conditions: (Condition | Criteria)[];
}

export function isGroup(entry: Condition | Criteria): entry is Criteria {
  return "conditions" in entry;
}
