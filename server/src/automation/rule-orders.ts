import type { AccountContext } from "../context.ts";
import type { Tx } from "../database/tables.ts";
import { originOf } from "../domain/accounts/principal.ts";
import { runRules, type Ruled } from "../domain/rules/run-rules.ts";
import { mapYielding } from "../domain/scheduling/time-slices.ts";
import type { Validated } from "../http/creation-summary.ts";
import type { OrderRow } from "../shipping/orders/store.ts";
import { refuseTooManyComparisons, runsCounter } from "./work-limits.ts";
import { orderAdapterOf } from "./rule-adapters.ts";
import { rulesToPlanBy } from "./ready-rules.ts";
import { recordRuns, runRows } from "./record-runs.ts";
import type { RunRow } from "./run-store.ts";
import * as store from "./store.ts";

/** The effects of rules on orders, by id, and the version of the rules that they were computed with. */
export interface OrderPlan {
  version: string | null;
  ruled: ReadonlyMap<string, Ruled<OrderRow>>;
}

/**
 * Computes the effects of the rules of `order.created` on new orders, before the transaction that creates
 * them. Throws 422 `too_many_rows` for more than one call may ask of rules.
 */
export async function planOrders(
  ctx: AccountContext,
  rows: readonly OrderRow[],
): Promise<OrderPlan> {
  const { version, rules } = await rulesToPlanBy(ctx.db, ctx.account.account_id, {
    trigger: "order.created",
    row_count: rows.length,
  });
  if (rules.length === 0) return { version, ruled: new Map() };
  const adapter = orderAdapterOf(ctx);
  await refuseTooManyComparisons(rules, rows, adapter.read);
  const count = runsCounter(rows.length);
  const ruled = await mapYielding(rows, async (row, place) => {
    const outcome = await runRules(rules, row, adapter);
    count(outcome.runs.length, place);
    return [row.id, outcome] as const;
  });
  return { version, ruled: new Map(ruled) };
}

/** The effects of the account's rules on orders that are about to be created. */
interface RuledOrders {
  /** Each order, in order, as it is to be stored, or the refusal of a rule. */
  validated: Validated<OrderRow>[];
  /** Writes the runs of those that were stored, and of those that a rule refused. */
  record(tx: Tx, isKept: (row: OrderRow) => boolean): Promise<void>;
}

/**
 * Orders as planned. Writes nothing itself. The transaction fails with the code `plan_outdated` when the rules have
 * changed since.
 */
export async function ruleOrders(
  ctx: AccountContext,
  tx: Tx,
  { rows, plan }: { rows: readonly OrderRow[]; plan: OrderPlan },
): Promise<RuledOrders> {
  await store.refuseUnlessVersion(tx, ctx.account.account_id, plan.version);
  if (plan.ruled.size === 0) return { validated: rows.map(asItIs), record: async () => undefined };
  const { request_id } = ctx;
  const at = ctx.clock.now();
  const runs: { row: OrderRow; is_refused: boolean; made: RunRow[] }[] = [];
  const validated = rows.map((row): Validated<OrderRow> => {
    const ruled = plan.ruled.get(row.id)!;
    const { draft, rejection } = ruled;
    const made = runRows(ruled, { subject: row, type: "order", request_id, at });
    runs.push({ row: draft, is_refused: rejection !== null, made });
    return rejection ? { row: null, error: rejection } : { row: draft, error: null };
  });
  return {
    validated,
    record: (tx, isKept) =>
      recordRuns(
        tx,
        runs.flatMap(({ row, is_refused, made }) => (is_refused || isKept(row) ? made : [])),
        originOf(ctx),
      ),
  };
}

function asItIs<Row>(row: Row): Validated<Row> {
  return { row, error: null };
}
