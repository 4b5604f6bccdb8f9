import type { AccountContext } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { runRules } from "../../domain/rules/run-rules.ts";
import type { Judged } from "../../http/creation.ts";
import type { OrderRow } from "../orders/service.ts";
import { orderKitOf } from "./kits.ts";
import { readyRules } from "./ready-rules.ts";
import { runRows } from "./record-runs.ts";
import { insertRuns, type RunRow } from "./run-store.ts";

/** What the account's rules make of orders that are about to be created. */
export interface RuledOrders {
  /** Each order, in order, as it is to be kept, or the refusal of a rule. */
  judged: Judged<OrderRow>[];
  /** Writes the runs of those that were kept, and of those that a rule refused. */
  record(tx: Tx, isKept: (row: OrderRow) => boolean): Promise<void>;
}

/** Holds the rules of `order.created` against new orders. Writes nothing itself. */
export async function ruleOrders(
  ctx: AccountContext,
  tx: Tx,
  rows: readonly OrderRow[],
): Promise<RuledOrders> {
  const rules = await readyRules(tx, ctx.account.account_id, ["order.created"]);
  if (rules.length === 0) return { judged: rows.map(asItIs), record: async () => undefined };
  const kit = orderKitOf(ctx);
  const at = ctx.clock.now();
  const runs: { row: OrderRow; is_refused: boolean; made: RunRow[] }[] = [];
  const judged = rows.map((row): Judged<OrderRow> => {
    const ruled = runRules(rules, row, kit);
    const { draft, rejection } = ruled;
    const made = runRows(ruled, { subject: row, type: "order", at });
    runs.push({ row: draft, is_refused: rejection !== null, made });
    return rejection ? { row: null, error: rejection } : { row: draft, error: null };
  });
  return {
    judged,
    record: (tx, isKept) =>
      insertRuns(
        tx,
        runs.flatMap(({ row, is_refused, made }) => (is_refused || isKept(row) ? made : [])),
      ),
  };
}

function asItIs<Row>(row: Row): Judged<Row> {
  return { row, error: null };
}
