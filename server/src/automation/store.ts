import { randomUUID } from "node:crypto";
import { sql, type Selectable } from "kysely";
import { batchedRead } from "../database/batched-read.ts";
import { pipelined } from "../database/driver/sending.ts";
import { refuse } from "../database/refusals.ts";
import { json, type Database, type RulesTable, type Tx } from "../database/tables.ts";
import type { Criteria } from "../domain/criteria/schema.ts";
import { notFound } from "../domain/errors/errors.ts";
import type { ShipmentAction } from "../domain/rules/order-actions.ts";
import { onPage, type Page } from "../http/paging.ts";

/** The SQL of rules. */

export type RuleRow = Selectable<RulesTable>;
export type RuleContent = Omit<RuleRow, "account_id" | "id" | "created_at" | "updated_at">;
type RuleKey = Pick<RuleRow, "account_id" | "id">;

/** A rule as it is shown: with the number of its runs. */
export interface CountedRule extends RuleRow {
  run_count: number;
  last_run_at: Date | null;
}

/** Throws a foreign key violation of `rules_filter` when its filter is being deleted. */
export async function insertRule(tx: Tx, row: RuleRow): Promise<void> {
  await tx
    .insertInto("rules")
    .values({ ...row, ...jsonOf(row) })
    .execute();
}

/** Throws 404, and what `insertRule` throws. */
export async function replaceRule(
  tx: Tx,
  { account_id, id }: RuleKey,
  content: RuleContent & { updated_at: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("rules")
    .set({ ...content, ...jsonOf(content) })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
}

function jsonOf({ criteria, actions }: Pick<RuleContent, "criteria" | "actions">) {
  return { criteria: criteria && json(criteria), actions: json(actions) };
}

/** Throws 404, the same for a missing rule and another account's. Its runs stay. */
export async function deleteRule(tx: Tx, { account_id, id }: RuleKey): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("rules")
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
  await sql`
    DELETE FROM rule_run_counts WHERE account_id = ${account_id} AND rule_id = ${id}`.execute(tx);
}

function selectRules(db: Database | Tx, accountId: string) {
  return db
    .selectFrom("rules")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("rule_run_counts as part")
          .select([
            sql<number>`coalesce(sum(run_count), 0)::bigint`.as("run_count"),
            sql<Date | null>`max(last_run_at)`.as("last_run_at"),
          ])
          .whereRef("part.account_id", "=", "rules.account_id")
          .whereRef("part.rule_id", "=", "rules.id")
          .as("runs"),
      (join) => join.onTrue(),
    )
    .selectAll("rules")
    .select(["runs.run_count", "runs.last_run_at"])
    .where("rules.account_id", "=", accountId);
}

/** Throws 404, the same for a missing rule and another account's. */
export async function getRule(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<CountedRule> {
  const row = await selectRules(db, accountId).where("rules.id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function listRules(
  db: Database,
  accountId: string,
  page: Page,
): Promise<CountedRule[]> {
  return onPage(selectRules(db, accountId), page, "rules.id").execute();
}

/** For the limit of rules per account. */
export async function countRules(db: Database | Tx, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("rules")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Renews the version of the account's rules, so that every process compiles them anew. A transaction that
 * changes rules does this first, so that changes are serialized.
 */
export async function renewVersion(tx: Tx, accountId: string): Promise<void> {
  await sql`
    INSERT INTO rule_sets (account_id, version) VALUES (${accountId}, ${randomUUID()})
    ON CONFLICT (account_id) DO UPDATE SET version = excluded.version`.execute(tx);
}

/** Null for an account that never had a rule. */
export async function findVersion(db: Database | Tx, accountId: string): Promise<string | null> {
  return (await readRuleSet(db, { account_id: accountId }))?.version ?? null;
}

const readRuleSet = batchedRead<{ account_id: string }, { version: string }>(
  (wanted) => sql`
    SELECT place, version FROM jsonb_to_recordset(${wanted}::jsonb) AS wanted (place integer, account_id text)
    CROSS JOIN LATERAL (
      SELECT version FROM rule_sets WHERE rule_sets.account_id = wanted.account_id LIMIT 1) AS found`,
);

/**
 * Along with the next statement: the transaction fails with the code `plan_outdated` if this is not the version of the
 * account's rules.
 */
export async function refuseUnlessVersion(
  tx: Tx,
  accountId: string,
  version: string | null,
): Promise<void> {
  await pipelined(sql`
    SELECT (SELECT version FROM rule_sets WHERE account_id = ${accountId}) IS NOT DISTINCT FROM ${version}::text
      OR ${refuse("plan_outdated")}`).execute(tx);
}

/** The enabled rules, in their order; the criteria are the rule's own, or its filter's. */
export async function listEnabled(
  db: Database | Tx,
  accountId: string,
): Promise<(RuleRow & { filter_criteria: Criteria | null })[]> {
  return db
    .selectFrom("rules")
    .leftJoin("filters", (join) =>
      join
        .onRef("filters.account_id", "=", "rules.account_id")
        .onRef("filters.id", "=", "rules.filter_id"),
    )
    .selectAll("rules")
    .select("filters.criteria as filter_criteria")
    .where("rules.account_id", "=", accountId)
    .where("enabled", "=", true)
    .orderBy("priority")
    .orderBy("rules.id")
    .execute();
}

/**
 * The actions that rules left for the shipments of these orders, by order; orders without any are left out.
 */
export async function shipmentActionsOf(
  db: Database | Tx,
  accountId: string,
  orderIds: readonly string[],
): Promise<Map<string, ShipmentAction[]>> {
  const { rows } = await sql<{ id: string; shipment_actions: ShipmentAction[] }>`
    SELECT id, shipment_actions FROM orders
    WHERE account_id = ${accountId} AND id = ANY(${orderIds}) AND shipment_actions <> '[]'`.execute(
    db,
  );
  return new Map(rows.map(({ id, shipment_actions }) => [id, shipment_actions]));
}
