import { Type, type Static } from "typebox";
import { ExplainedTree } from "../../domain/criteria/schema.ts";
import { Annotated, Maybe, Nullable, Opaque } from "../../domain/values/schema.ts";
import { NewOrder } from "../orders/service.ts";
import { AnyNewShipment } from "../../shipping/shipments/schemas.ts";
import { NewRule, RunError, RunStatus } from "./schemas.ts";

/** Testing a rule: apart from the other schemas of rules, which orders and shipments import themselves. */

/** The body of `POST /rules/{rule_id}/test`: one of the four. */
export const RuleTest = Type.Object(
  {
    order_id: Maybe(Type.String({ minLength: 1, maxLength: 100 })),
    shipment_id: Maybe(Type.String({ minLength: 1, maxLength: 100 })),
    order: Maybe(Opaque(NewOrder), { description: "As in `POST /orders`." }),
    shipment: Maybe(Opaque(AnyNewShipment), { description: "As in `POST /shipments`." }),
  },
  { $id: "RuleTest", description: "Exactly one, of the kind that the rule's trigger is about." },
);
export type RuleTest = Static<typeof RuleTest>;

/** The body of `POST /rules/test`: a rule beside one of the four. */
export const NewRuleTest = Type.Object(
  { rule: Opaque(NewRule), ...RuleTest.properties },
  { $id: "NewRuleTest", description: "A rule, and exactly one subject to evaluate it on." },
);

const TestedChange = Type.Object(
  { field: Type.String(), before: Type.Unknown(), after: Type.Unknown() },
  { $id: "TestedChange" },
);

const TestedAction = Type.Object(
  { type: Type.String({ description: "The action's." }), changes: Type.Array(TestedChange) },
  { $id: "TestedAction" },
);

export const RuleTested = Type.Object(
  {
    matched: Type.Boolean(),
    conditions: Nullable(Opaque(Type.Unsafe<object>(ExplainedTree))),
    status: Nullable(
      Annotated(RunStatus, {
        description: "How its run would end; null when it does not match.",
      }),
    ),
    actions: Type.Array(TestedAction, { description: "What each action would change." }),
    error: Nullable(RunError),
  },
  { $id: "RuleTested" },
);
export type RuleTested = Static<typeof RuleTested>;
