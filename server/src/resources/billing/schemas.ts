import { Type, type Static } from "typebox";
import { Moment, Money, Annotated } from "../../domain/values/schema.ts";
import { StatementStatus } from "../../domain/billing/statement-states.ts";

/** Monthly statements (spec 4.11, decision 17). */

const Day = (description: string) => Type.String({ format: "date", description });

const StatementTotals = Type.Object(
  {
    top_ups: Money(),
    labels: Money({ description: "Negative: what labels took from the balance, tax included." }),
    ltl: Money(),
    refunds: Money(),
    adjustments: Money(),
    fees: Money(),
    taxes: Money({ description: "The taxes that are in the other totals." }),
  },
  {
    $id: "StatementTotals",
    description:
      "What each kind of transaction changed the balance by. Without `taxes`, which is in them, they add up to the closing less the opening balance.",
  },
);

export const Statement = Type.Object(
  {
    id: Type.String(),
    number: Type.String({ description: "The month.", examples: ["2026-10"] }),
    period_start: Day("The month's first day in the account's time zone."),
    period_end: Day("Its last day."),
    currency: Type.String({ examples: ["CAD"] }),
    opening_balance: Money(),
    closing_balance: Money({ description: "So far, while the statement is `open`." }),
    totals: StatementTotals,
    transaction_count: Type.Integer(),
    status: Annotated(StatementStatus, {
      description:
        "`open` while the month goes on, `generating` while its files are made, then `ready`: from then on it never changes.",
    }),
    pdf_ready: Type.Boolean(),
    created_at: Moment({
      description: "When the statement was made; while it is `open`, when its month was opened.",
    }),
  },
  { $id: "Statement" },
);
export type Statement = Static<typeof Statement>;

export const DownloadLink = Type.Object(
  {
    url: Type.String({ description: "GET or HEAD it without a token." }),
    expires_at: Moment({ description: "From then on the link is 403 `url_expired`." }),
  },
  { $id: "DownloadLink" },
);
