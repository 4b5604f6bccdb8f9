import { firstDayOf, lastDayOf } from "../../domain/time/months.ts";
import { fromCents } from "../../domain/values/money.ts";
import type { Statement } from "./schemas.ts";
import type { StatementRow } from "./store.ts";

/** A row as the API shows it (decision 17). */
export function toStatement(row: StatementRow): Statement {
  return {
    id: row.id,
    number: row.number,
    period_start: firstDayOf(row.number),
    period_end: lastDayOf(row.number),
    currency: row.currency,
    opening_balance: fromCents(row.opening_cents),
    closing_balance: fromCents(row.closing_cents),
    totals: {
      top_ups: fromCents(row.top_ups_cents),
      labels: fromCents(row.labels_cents),
      ltl: fromCents(row.ltl_cents),
      refunds: fromCents(row.refunds_cents),
      adjustments: fromCents(row.adjustments_cents),
      fees: fromCents(row.fees_cents),
      taxes: fromCents(row.taxes_cents),
    },
    transaction_count: row.through_sequence - row.after_sequence,
    status: row.status,
    pdf_ready: row.status === "ready",
    created_at: row.created_at.toISOString(),
  };
}
