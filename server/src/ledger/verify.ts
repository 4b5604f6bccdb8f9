import { sql } from "kysely";
import { inSnapshot } from "../database/connect.ts";
import type { Database, Tx } from "../database/tables.ts";
import { adjustmentRules } from "./verify/adjustments.ts";
import { answerRules } from "./verify/stored-responses.ts";
import { chainRules } from "./verify/chain.ts";
import { entryRules } from "./verify/entries.ts";
import { holdRules } from "./verify/holds.ts";
import { labelRules } from "./verify/labels.ts";
import { pickupRules } from "./verify/pickups.ts";
import { refundRules } from "./verify/refunds.ts";
import type { Contradiction, Rule } from "./verify/rule.ts";
import { schemaRules } from "./verify/schema.ts";
import { shipmentRules } from "./verify/shipments.ts";
import { statementRules } from "./verify/statements.ts";
import { sumRules } from "./verify/sums.ts";
import { topUpRules } from "./verify/top-ups.ts";

export type { Contradiction } from "./verify/rule.ts";

/** Rules that compare rows with each other. */
export const rowRules: readonly Rule[] = [
  ...chainRules,
  ...sumRules,
  ...entryRules,
  ...holdRules,
  ...labelRules,
  ...refundRules,
  ...topUpRules,
  ...pickupRules,
  ...shipmentRules,
  ...adjustmentRules,
  ...statementRules,
  ...answerRules,
];

/** All rules of the ledger. */
export const ledgerRules: readonly Rule[] = [...schemaRules, ...rowRules];

/** A limit for each rule, so that a ledger that is all wrong does not exhaust the memory. */
export const namedPerRule = 1000;

/**
 * Verifies the ledger against itself: what triggers, checks and the code guarantee, computed anew from the
 * rows in one snapshot, so that concurrent writes do not show. Reads everything, so it is for the command
 * line and the tests, not for a request, and the handle should be one without a statement timeout.
 */
export async function verifyLedger(
  db: Database,
  rules: readonly Rule[] = ledgerRules,
): Promise<Contradiction[]> {
  return inSnapshot(db, (tx) => contradictionsIn(tx, rules));
}

/** The same within a transaction, which has no statement timeout from here on. */
export async function contradictionsIn(tx: Tx, rules: readonly Rule[]): Promise<Contradiction[]> {
  await sql`SET LOCAL statement_timeout = 0`.execute(tx);
  const found: Contradiction[] = [];
  for (const { rule, promise, broken_by } of rules) {
    const { rows } = await sql<Omit<Contradiction, "rule" | "promise">>`
      SELECT account_id, subject, expected, found FROM (${broken_by}) AS broken
      ORDER BY account_id, subject LIMIT ${namedPerRule}`.execute(tx);
    found.push(...rows.map((row) => ({ rule, promise, ...row })));
  }
  return found;
}

/** A contradiction as a line for an operator. */
export function lineOf({
  rule,
  promise,
  account_id,
  subject,
  expected,
  found,
}: Contradiction): string {
  return `${rule}: ${account_id} ${subject}: expected ${expected}, found ${found}. ${promise}`;
}
