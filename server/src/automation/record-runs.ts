import type { Tx } from "../database/tables.ts";
import type { Origin } from "../domain/accounts/principal.ts";
import { recordEvents, type Event } from "../events/outbox.ts";
import { newId } from "../domain/values/ids.ts";
import { fromCents } from "../domain/values/money.ts";
import type { Ruled } from "../domain/rules/run-rules.ts";
import { insertRuns, type RunRow } from "./run-store.ts";

/** What rules did to one subject, as rows to store. */

interface Subject {
  account_id: string;
  id: string;
}

interface RunsOf {
  subject: Subject;
  type: RunRow["subject_type"];
  /** Of the request that they act in, or that began the work that they act in. */
  request_id: string | null;
  at: Date;
}

/** The rows of the runs; the one that requested a label says so. */
export function runRows(
  { runs, purchase }: Pick<Ruled<object>, "runs" | "purchase">,
  { subject: { account_id, id: subject_id }, type: subject_type, request_id, at }: RunsOf,
): RunRow[] {
  return runs.map((run) => ({
    account_id,
    id: newId("run", at),
    ...run,
    changes: run.changes.map(({ before, after, ...change }) => ({
      ...change,
      before: beginning(before),
      after: beginning(after),
    })),
    subject_type,
    subject_id,
    request_id,
    purchase:
      purchase?.run === run
        ? { status: "waiting", max_total: fromCents(purchase.max_total_cents) }
        : null,
    created_at: at,
  }));
}

/**
 * Writes runs with an event for each rule that failed. To be called late in a transaction: see `insertRuns`.
 */
export async function recordRuns(tx: Tx, runs: readonly RunRow[], by: Origin): Promise<void> {
  const failed = Map.groupBy(
    runs.filter(({ status }) => status === "failed"),
    ({ rule_id }) => rule_id,
  );
  await recordEvents(
    tx,
    [...failed.values()].map((of) => failureEvent(of, by)),
  );
  await insertRuns(tx, runs);
}

/** The failure of a rule for one or several subjects. */
function failureEvent(runs: readonly RunRow[], by: Origin): Event {
  const { account_id, rule_id, id, subject_type, subject_id, error } = runs[0]!;
  return {
    account_id,
    type: "rule.failed",
    subject_id: rule_id,
    data: {
      rule_id,
      run_id: id,
      shipment_id: subject_type === "shipment" ? subject_id : null,
      order_id: subject_type === "order" ? subject_id : null,
      failure_count: runs.length,
      error: { code: error?.code ?? "internal_error" },
    },
    by,
  };
}

/** Longer lists are cut to this many entries: a stored run is only displayed. */
const entriesMax = 20;

function beginning(value: unknown): unknown {
  return Array.isArray(value) && value.length > entriesMax ? value.slice(0, entriesMax) : value;
}
