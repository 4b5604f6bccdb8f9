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

/** What the rows promise, one row beside the other. */
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

/** All that the books promise. */
export const ledgerRules: readonly Rule[] = [...schemaRules, ...rowRules];

/** Books that are all wrong fill no memory: of each rule the first so many are named. */
export const namedPerRule = 1000;

/**
 * Proves the books against themselves: what triggers, checks and the code promise, computed anew from
 * the rows, all of them as they were at one moment, so that a busy platform looks like one at rest.
 * Reads everything, so it is for the command line and the tests, not for a request, and the handle
 * should be one whose statements may take their time.
 */
export async function verifyLedger(
  db: Database,
  rules: readonly Rule[] = ledgerRules,
): Promise<Contradiction[]> {
  return inSnapshot(db, (tx) => contradictionsIn(tx, rules));
}

/** The same as a transaction sees it, which has no limit of time from here on. */
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

/** A contradiction as an operator reads it. */
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
