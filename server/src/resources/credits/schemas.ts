import { Type, type Static } from "typebox";
import { AutoRecharge } from "../../domain/accounts/account-settings.ts";
import {
  Currency,
  Logged,
  Maybe,
  Moment,
  Money,
  Nullable,
  OneOf,
} from "../../domain/values/schema.ts";

/** The request and response schemas of credits (spec 2.9, decision 12). */

export const NewTopUp = Type.Object(
  {
    amount: Money({ minimum: 10, maximum: 10_000 }),
    currency: Maybe(Currency({ description: "The account's own; any other is refused." })),
    payment_method_id: Maybe(
      Type.String({ minLength: 1, maxLength: 100, description: "The default card when absent." }),
    ),
  },
  { $id: "NewTopUp" },
);
export type NewTopUp = Static<typeof NewTopUp>;

export const NewCard = Type.Object(
  {
    card: OneOf(["pm_card_visa", "pm_card_declined", "pm_card_lost_answer"], { $id: "TestCard" }),
    is_default: Maybe(Type.Boolean()),
  },
  { $id: "NewCard" },
);
export type NewCard = Static<typeof NewCard>;

export const PaymentMethod = Type.Object(
  {
    id: Type.String({ examples: ["pm_card_visa"] }),
    brand: Type.String(),
    last4: Type.String(),
    is_default: Type.Boolean(),
    created_at: Moment(),
  },
  { $id: "PaymentMethod" },
);

export const TopUp = Type.Object(
  {
    id: Type.String({ description: "The transaction's id, the same once it succeeds." }),
    type: OneOf(["top_up"]),
    status: OneOf(["succeeded", "pending"], { $id: "TopUpStatus" }),
    amount: Money(),
    currency: Logged(Type.String(), "known"),
    balance_after: Nullable(Money({ description: "Null while pending." })),
    payment_method: Type.Object(
      { id: Type.String(), brand: Type.String(), last4: Type.String() },
      { $id: "ChargedCard" },
    ),
    created_at: Moment({
      description:
        "Its transaction's; while pending there is none yet, and it is when it was asked for.",
    }),
  },
  { $id: "TopUp" },
);

export const AutoRechargeState = Type.Object(
  {
    ...AutoRecharge.properties,
    status: OneOf(["active", "charging", "failing", "paused"], {
      $id: "AutoRechargeStatus",
      description:
        "`failing`: the card was refused, and is charged again at `next_attempt_at`; `paused`: it was refused three times, and is charged once the setting was saved again.",
    }),
    next_attempt_at: Nullable(Moment()),
  },
  { $id: "AutoRechargeState" },
);

export const Balance = Type.Object(
  {
    balance: Money(),
    available: Money({ description: "The balance less what running purchases hold." }),
    held: Money(),
    pending_refunds: Money(),
    currency: Logged(Type.String(), "known"),
    low_balance_threshold: Nullable(Money()),
    auto_recharge: Nullable(AutoRechargeState),
    updated_at: Moment(),
  },
  { $id: "Balance" },
);

export const transactionTypes = ["top_up", "label", "ltl", "refund", "adjustment", "fee"] as const;

export const Transaction = Type.Object(
  {
    id: Type.String(),
    type: OneOf(transactionTypes, {
      $id: "TransactionType",
    }),
    amount: Money({ description: "What it changed the balance by: negative for a label." }),
    subtotal: Money(),
    tax: Money(),
    currency: Logged(Type.String(), "known"),
    balance_after: Money(),
    description: Type.String(),
    shipment_id: Nullable(Type.String()),
    created_at: Moment(),
  },
  { $id: "Transaction" },
);
