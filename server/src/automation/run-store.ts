import { sql, type Selectable } from "kysely";
import { countUpTo } from "../database/count-up-to.ts";
import { insertOf } from "../database/insert-of.ts";
import type { Database, RuleRunsTable, Tx } from "../database/tables.ts";
import { firstIdAt } from "../domain/values/ids.ts";
import { onPage, type Page } from "../http/paging.ts";

/** The SQL of rule runs. */

export type RunRow = Selectable<RuleRunsTable>;

/** The count of a rule's runs is split into so many parts: that many transactions may count at once. */
const parts = 16;
/** The most rows of one statement: five hundred shipments and two hundred rules make a hundred thousand. */
const together = 1000;

/**
 * Writes runs, and counts them. To be called late in a transaction, after every lock that it takes: other
 * transactions that count in the same part wait until it ends. Rules are counted in the order of their ids,
 * to avoid deadlocks.
 */
export async function insertRuns(tx: Tx, rows: readonly RunRow[]): Promise<void> {
  if (rows.length === 0) return;
  for (let first = 0; first < rows.length; first += together) {
    await insertOf("rule_runs", rows.slice(first, first + together)).execute(tx);
  }
  const part = Math.floor(Math.random() * parts);
  await sql`
    INSERT INTO rule_run_counts (account_id, rule_id, part, run_count, last_run_at)
    SELECT account_id, rule_id, ${part}, run_count, last_run_at
    FROM jsonb_populate_recordset(NULL::rule_run_counts, ${JSON.stringify(countsOf(rows))}::jsonb)
    ORDER BY account_id, rule_id
    ON CONFLICT (account_id, rule_id, part) DO UPDATE
    SET run_count = rule_run_counts.run_count + excluded.run_count,
      last_run_at = greatest(rule_run_counts.last_run_at, excluded.last_run_at)`.execute(tx);
}

const prunedAtOnce = 1000;

/**
 * Deletes the account's oldest runs from before that moment, a limited number; returns whether there may be more. The
 * ids of runs have their time, so the primary key serves it. How often a rule ran is counted elsewhere, and stays.
 */
export async function pruneRuns(db: Database, accountId: string, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM rule_runs WHERE account_id = ${accountId} AND id IN (
      SELECT id FROM rule_runs WHERE account_id = ${accountId} AND id < ${firstIdAt("run", before)}
      ORDER BY id LIMIT ${prunedAtOnce})`.execute(db);
  return Number(numAffectedRows ?? 0) === prunedAtOnce;
}

/** How often each rule ran; all runs of one call have the same time. */
function countsOf(rows: readonly RunRow[]) {
  const counts = new Map<string, number>();
  for (const { rule_id } of rows) counts.set(rule_id, (counts.get(rule_id) ?? 0) + 1);
  const { account_id, created_at: last_run_at } = rows[0]!;
  return [...counts].map(([rule_id, run_count]) => ({
    account_id,
    rule_id,
    run_count,
    last_run_at,
  }));
}

interface RunFilters {
  rule_id?: string | undefined;
  /** The order's or shipment's. */
  subject_id?: string | undefined;
}

function selectRuns(db: Database, accountId: string, { rule_id, subject_id }: RunFilters) {
  let select = db.selectFrom("rule_runs").where("account_id", "=", accountId);
  if (rule_id !== undefined) select = select.where("rule_id", "=", rule_id);
  if (subject_id !== undefined) select = select.where("subject_id", "=", subject_id);
  return select;
}

export async function listRuns(
  db: Database,
  { account_id, filters, page }: { account_id: string; filters: RunFilters; page: Page },
): Promise<RunRow[]> {
  return onPage(selectRuns(db, account_id, filters).selectAll(), page, "id").execute();
}

/** At most `most`. */
export async function countRuns(
  db: Database,
  accountId: string,
  { filters, most }: { filters: RunFilters; most: number },
): Promise<number> {
  return countUpTo(db, selectRuns(db, accountId, filters), most);
}
