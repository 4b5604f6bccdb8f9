import { Type, type Static } from "typebox";
import { Target } from "../../domain/criteria/fields.ts";
import { CriteriaTree, type Criteria } from "../../domain/criteria/schema.ts";
import { Annotated, Moment, Opaque, ReadOnly } from "../../domain/values/schema.ts";

/** The request and response schemas of saved filters (decision 15). */

const name = Type.String({ minLength: 1, maxLength: 80, examples: ["Heavy to the States"] });
const target = Annotated(Target, { description: "Whose lists and rules it is for." });

/** The body of POST, and of PUT, which replaces all of it. */
export const NewFilter = Type.Object(
  { name, target, criteria: CriteriaTree },
  { $id: "NewFilter" },
);

/** The part that a schema validates; `readCriteria` validates the tree. */
export const FilterFrame = Type.Object({ name, target });
/**
 * The same for PUT, which accepts no field that a filter does not have (decision 1). Read-only fields are
 * accepted and ignored, so that a filter can be sent back as it was read.
 */
export const StrictFilterFrame = Type.Object(
  {
    name,
    target,
    criteria: Type.Optional(Type.Unknown()),
    ...ReadOnly("id", "used_by_rules", "created_at", "updated_at"),
  },
  { additionalProperties: false },
);

/** A saved tree is shown as it is. */
const SavedCriteria = Opaque(Type.Unsafe<Criteria>(CriteriaTree));

export const Filter = Type.Object(
  {
    id: Type.String({ examples: ["flt_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    name: Type.String(),
    target,
    criteria: SavedCriteria,
    used_by_rules: Type.Integer({ description: "How many rules use it; 0 may be deleted." }),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "Filter" },
);
export type Filter = Static<typeof Filter>;

const per_page = Type.Optional(
  Type.Integer({
    $id: "PreviewRows",
    minimum: 1,
    maximum: 100,
    default: 25,
    description: "Rows of a kind.",
  }),
);

export const FilterPreview = Type.Object(
  { target, criteria: CriteriaTree, per_page },
  { $id: "FilterPreview" },
);
export const PreviewFrame = Type.Object({ target, per_page });
