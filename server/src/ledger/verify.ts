import { sql } from "kysely";
import { inSnapshot } from "../database/connect.ts";
import type { Database } from "../database/tables.ts";
import { chainRules } from "./verify/chain.ts";
import { holdRules } from "./verify/holds.ts";
import { labelRules } from "./verify/labels.ts";
import { pickupRules } from "./verify/pickups.ts";
import { refundRules } from "./verify/refunds.ts";
import type { Contradiction, Rule } from "./verify/rule.ts";
import { sumRules } from "./verify/sums.ts";
import { topUpRules } from "./verify/top-ups.ts";

export type { Contradiction } from "./verify/rule.ts";

/** All that the books promise. */
export const ledgerRules: readonly Rule[] = [
  ...chainRules,
  ...sumRules,
  ...holdRules,
  ...labelRules,
  ...refundRules,
  ...topUpRules,
  ...pickupRules,
];

/** Books that are all wrong fill no memory: of each rule the first so many are named. */
export const namedPerRule = 1000;

/**
 * Proves the books against themselves: what triggers, checks and the code promise, computed anew from
 * the rows, all of them as they were at one moment, so that a busy platform looks like one at rest.
 * Reads everything, so it is for the command line and the tests, not for a request, and the handle
 * should be one whose statements may take their time.
 */
export async function verifyLedger(db: Database): Promise<Contradiction[]> {
  return inSnapshot(db, async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx);
    const found: Contradiction[] = [];
    for (const { rule, promise, broken_by } of ledgerRules) {
      const { rows } = await sql<Omit<Contradiction, "rule" | "promise">>`
        SELECT account_id, subject, expected, found FROM (${broken_by}) AS broken
        ORDER BY account_id, subject LIMIT ${namedPerRule}`.execute(tx);
      found.push(...rows.map((row) => ({ rule, promise, ...row })));
    }
    return found;
  });
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
