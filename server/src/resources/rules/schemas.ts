import { Type, type Static } from "typebox";
import { CriteriaTree, type Criteria } from "../../domain/criteria/schema.ts";
import { ActionSchema, type Action } from "../../domain/rules/actions.ts";
import { actionsMax } from "../../domain/rules/read-actions.ts";
import { triggers } from "../../domain/rules/triggers.ts";
import { Maybe, Moment, Money, Nullable, OneOf } from "../../domain/schema.ts";

/** Automation rules going in and coming out (decision 16). */

const name = Type.String({ minLength: 1, maxLength: 100, examples: ["Protect what is dear"] });
const trigger = OneOf(triggers, { description: "When it looks, and at what." });
const priority = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description:
    "Low first; of equals the older; 100 when absent on creation. Each rule sees what those before it changed.",
});
const filter_id = Maybe(
  Type.String({ minLength: 1, maxLength: 100, description: "In place of `criteria`." }),
);
const stops = { description: "No rule after this one acts on what it matched." };

/** What of a rule a schema judges; the rest is judged by `readCriteria` and `readActions`. */
const frame = {
  name,
  enabled: Type.Optional(Type.Boolean({ description: "True when absent." })),
  priority: Type.Optional(priority),
  trigger,
  filter_id,
  stop_processing: Type.Optional(Type.Boolean({ ...stops, default: false })),
};
export const RuleFrame = Type.Object(frame);

/** The same for PUT, which takes no field that it does not know and wants those that matter (decision 1). */
export const StrictRuleFrame = Type.Object(
  {
    ...frame,
    enabled: Type.Boolean(),
    priority,
    stop_processing: Type.Boolean(),
    criteria: Type.Optional(Type.Unknown()),
    actions: Type.Optional(Type.Unknown()),
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

/** The body of POST. */
export const NewRule = Type.Object({ ...frame, criteria, actions }, { $id: "NewRule" });

/** The body of PUT, which replaces all of it. */
export const RuleReplacement = Type.Object(
  {
    ...frame,
    enabled: Type.Boolean(),
    priority,
    stop_processing: Type.Boolean(stops),
    criteria,
    actions,
  },
  { $id: "RuleReplacement" },
);

const asSaved = { type: "object", additionalProperties: true } as const;
const savedActions = Type.Array(Type.Unsafe<Action>(asSaved));

export const Rule = Type.Object(
  {
    id: Type.String({ examples: ["rul_01k6x3v2m4f8r9t0a1b2c3d4e5"] }),
    name: Type.String(),
    enabled: Type.Boolean(),
    priority: Type.Integer(),
    trigger,
    filter_id: Nullable(Type.String()),
    criteria: Nullable(Type.Unsafe<Criteria>(asSaved)),
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

const RunError = Type.Object({
  code: Type.String(),
  message: Type.String(),
  details: Type.Object({}, { additionalProperties: true }),
});

const RunChange = Type.Object({
  action: Type.Integer({ description: "The action's place in the rule." }),
  type: Type.String({ description: "The action's." }),
  field: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
});

export const RuleRun = Type.Object(
  {
    id: Type.String(),
    rule_id: Type.String(),
    rule_name: Type.String(),
    trigger,
    order_id: Nullable(Type.String()),
    shipment_id: Nullable(Type.String()),
    status: OneOf(["applied", "failed", "rejected"]),
    changes: Type.Array(RunChange),
    error: Nullable(RunError),
    purchase: Nullable(
      Type.Object(
        {
          status: OneOf(["waiting", "bought", "not_bought"]),
          max_total: Money(),
          error: Type.Optional(RunError),
        },
        { description: "What became of the label that it asked for." },
      ),
    ),
    created_at: Moment(),
  },
  { $id: "RuleRun" },
);
export type RuleRun = Static<typeof RuleRun>;

/** The body of `POST /rules/{rule_id}/test`: one of the four. */
export const RuleTest = Type.Object(
  {
    order_id: Maybe(Type.String({ minLength: 1, maxLength: 100 })),
    shipment_id: Maybe(Type.String({ minLength: 1, maxLength: 100 })),
    order: Maybe(Type.Object({}, { description: "As in `POST /orders`." })),
    shipment: Maybe(Type.Object({}, { description: "As in `POST /shipments`." })),
  },
  { $id: "RuleTest", description: "Exactly one, of the kind that the rule's trigger is about." },
);
export type RuleTest = Static<typeof RuleTest>;

export const RuleTested = Type.Object(
  {
    matched: Type.Boolean(),
    conditions: Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "The criteria, each with `matched`, `actual` and `reason`; null for none.",
        },
      ),
    ),
    status: Nullable(
      OneOf(["applied", "failed", "rejected"], {
        description: "How its run would end; null when it does not match.",
      }),
    ),
    actions: Type.Array(
      Type.Object({
        type: Type.String(),
        changes: Type.Array(
          Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() }),
        ),
      }),
      { description: "What each action would change." },
    ),
    error: Nullable(RunError),
  },
  { $id: "RuleTested" },
);
export type RuleTested = Static<typeof RuleTested>;
