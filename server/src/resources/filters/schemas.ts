import { Type, type Static } from "typebox";
import { targets } from "../../domain/criteria/fields.ts";
import { CriteriaTree, type Criteria } from "../../domain/criteria/schema.ts";
import { Moment, OneOf } from "../../domain/schema.ts";
import { Order } from "../orders/service.ts";
import { Shipment } from "../shipments/service.ts";

/** Saved filters going in and coming out (decision 15). */

const name = Type.String({ minLength: 1, maxLength: 80, examples: ["Heavy to the States"] });
const target = OneOf(targets, { description: "Whose lists and rules it is for." });

/** The body of POST, and of PUT, which replaces all of it. */
export const NewFilter = Type.Object(
  { name, target, criteria: CriteriaTree },
  { $id: "NewFilter" },
);

/** What of it a schema judges; `readCriteria` judges the tree. */
export const FilterFrame = Type.Object({ name, target });
/** The same for PUT, which takes no field that it does not know (decision 1). */
export const StrictFilterFrame = Type.Object(
  { name, target, criteria: Type.Optional(Type.Unknown()) },
  { additionalProperties: false },
);

/** A tree that was saved is shown as it is. */
const SavedCriteria = Type.Unsafe<Criteria>({
  type: "object",
  additionalProperties: true,
  description: "As in the request.",
});

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
  Type.Integer({ minimum: 1, maximum: 100, description: "Rows of a kind; 25 by default." }),
);

export const FilterPreview = Type.Object(
  { target, criteria: CriteriaTree, per_page },
  { $id: "FilterPreview" },
);
export const PreviewFrame = Type.Object({ target, per_page });

export const Previewed = Type.Object(
  {
    count: Type.Integer({
      description: "How many match; of a kind no more than 10,000 are counted.",
    }),
    count_capped: Type.Boolean({ description: "Whether there are more than those counted." }),
    orders: Type.Array(Order, { description: "The newest that match; none for shipments alone." }),
    shipments: Type.Array(Shipment, {
      description: "The newest that match; none for orders alone.",
    }),
  },
  { $id: "PreviewedFilter" },
);
