import type { Database } from "./database/tables.ts";
import { ledgerRules, lineOf, namedPerRule, verifyLedger } from "./ledger/verify.ts";

/**
 * `waybill verify-ledger` as an operator types it: one line for each contradiction, then how many there
 * are. Exits 1 when there is any. With `json` every line is an object, and the last one has the count.
 */
export async function proveBooks(db: Database, { json = false }: { json?: boolean }) {
  const contradictions = await verifyLedger(db);
  const { length: count } = contradictions;
  if (count > 0) process.exitCode = 1;
  for (const each of contradictions) console.log(json ? JSON.stringify(each) : lineOf(each));
  if (json)
    return console.log(JSON.stringify({ rules: ledgerRules.length, contradictions: count }));
  if (count === 0) return console.log(`The books hold: all ${ledgerRules.length} rules do.`);
  const most = `Of each rule at most ${namedPerRule} are named.`;
  console.log(`The books do not hold: ${count} contradictions. ${most}`);
}
