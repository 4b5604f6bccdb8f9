import { Type, type Static } from "typebox";
import { CriteriaTree, type Criteria } from "../../domain/criteria/schema.ts";
import { ActionSchema } from "../../domain/rules/actions.ts";
import { actionsMax } from "../../domain/rules/read-actions.ts";
import { Trigger } from "../../domain/rules/triggers.ts";
import {
  Annotated,
  Maybe,
  Moment,
  Money,
  Nullable,
  OneOf,
  Opaque,
  ReadOnly,
} from "../../domain/values/schema.ts";
import { AnyRuleError } from "../../domain/error-answers/error-schemas.ts";

/** The request and response schemas of automation rules (decision 16). */

const name = Type.String({ minLength: 1, maxLength: 100, examples: ["Protect what is dear"] });
const trigger = Annotated(Trigger, { description: "When it looks, and at what." });
const priorityLimits = {
  minimum: 0,
  maximum: 1_000_000,
  description: "Low first; of equals the older. Each rule sees what those before it changed.",
};
const filter_id = Maybe(
  Type.String({ minLength: 1, maxLength: 100, description: "In place of `criteria`." }),
);
const stops = { description: "No rule after this one acts on what it matched." };

/** The part of a rule that a schema validates; the rest is validated by `readCriteria` and `readActions`. */
const frame = {
  name,
  enabled: Type.Optional(Type.Boolean({ $id: "RuleEnabled", default: true })),
  priority: Type.Optional(Type.Integer({ ...priorityLimits, $id: "RulePriority", default: 100 })),
  trigger,
  filter_id,
  stop_processing: Type.Optional(
    Type.Boolean({ ...stops, $id: "RuleStopsProcessing", default: false }),
  ),
};
export const RuleFrame = Type.Object(frame);

/**
 * The same for PUT, which accepts no field that a rule does not have (decision 1). Read-only fields are
 * accepted and ignored, so that a rule can be sent back as it was read.
 */
export const StrictRuleFrame = Type.Object(
  {
    ...frame,
    criteria: Type.Optional(Type.Unknown()),
    actions: Type.Optional(Type.Unknown()),
    ...ReadOnly("id", "last_run_at", "run_count", "created_at", "updated_at"),
  },
  { additionalProperties: false },
);

const criteria = Type.Optional(
  Type.Unsafe<unknown>({
    anyOf: [CriteriaTree, { type: "null" }],
    description: "With neither `filter_id` nor criteria the rule always acts.",
  }),
);
const actions = Type.Array(ActionSchema, { minItems: 1, maxItems: actionsMax });

/** The body of POST, and of PUT, which replaces all of it. */
export const NewRule = Type.Object({ ...frame, criteria, actions }, { $id: "NewRule" });

const savedActions = Type.Array(Opaque(ActionSchema));

export const Rule = Type.Object(
  {
    id: Type.String({ examples: ["rul_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    name: Type.String(),
    enabled: Type.Boolean(),
    priority: Type.Integer(),
    trigger,
    filter_id: Nullable(Type.String()),
    criteria: Nullable(Opaque(Type.Unsafe<Criteria>(CriteriaTree))),
    actions: savedActions,
    stop_processing: Type.Boolean(),
    last_run_at: Nullable(Moment()),
    run_count: Type.Integer({ description: "How often it matched and acted, failed or refused." }),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { $id: "Rule" },
);
export type Rule = Static<typeof Rule>;

export const RunError = AnyRuleError;

export const RunStatus = OneOf(["applied", "failed", "rejected"], { $id: "RuleRunStatus" });

const RunChange = Type.Object(
  {
    action: Type.Integer({ description: "The action's place in the rule." }),
    type: Type.String({ description: "The action's." }),
    field: Type.String(),
    before: Type.Unknown(),
    after: Type.Unknown(),
  },
  { $id: "RuleRunChange" },
);

export const RuleRun = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    rule_name: Type.String(),
    trigger,
    order_id: Nullable(Type.String()),
    shipment_id: Nullable(Type.String()),
    status: RunStatus,
    changes: Type.Array(RunChange),
    error: Nullable(RunError),
    purchase: Nullable(
      Type.Object(
        {
          status: OneOf(["waiting", "bought", "not_bought"], { $id: "RulePurchaseStatus" }),
          max_total: Money(),
          error: Type.Optional(RunError),
        },
        { $id: "RulePurchase", description: "What became of the label that it asked for." },
      ),
    ),
    created_at: Moment(),
  },
  { $id: "RuleRun" },
);
export type RuleRun = Static<typeof RuleRun>;
