import type { Config } from "../config.ts";
import type { Database } from "../database/tables.ts";
import { verifyFiles } from "../ledger/verify-files.ts";
import { ledgerRules, lineOf, namedPerRule, verifyLedger } from "../ledger/verify.ts";
import { openFiles } from "../wiring/open-files.ts";
import { checkFile } from "../providers/files/check-file.ts";

export interface VerifyOptions {
  json?: boolean;
  /** Reads every file, too. */
  files?: boolean;
}

/**
 * `waybill verify-ledger` as an operator types it: one line for each contradiction, then their number. Exits
 * 1 when there is any. With `json` every line is an object, and the last one has the count.
 */
export async function printLedgerProof(db: Database, config: Config, options: VerifyOptions) {
  const { json = false } = options;
  const contradictions = await verifyLedger(db);
  if (options.files) {
    // Read by key: no link is signed, so no secret is needed.
    const files = openFiles(config, { secret: "", public_url: () => "" });
    contradictions.push(...(await verifyFiles(db, (file) => checkFile(files, file))));
  }
  const rules = ledgerRules.length + (options.files ? 1 : 0);
  const { length: count } = contradictions;
  if (count > 0) process.exitCode = 1;
  for (const each of contradictions) console.log(json ? JSON.stringify(each) : lineOf(each));
  if (json) return console.log(JSON.stringify({ rules, contradictions: count }));
  if (count === 0) return console.log(`The books hold: all ${rules} rules do.`);
  const most = `Of each rule at most ${namedPerRule} are named.`;
  console.log(`The books do not hold: ${count} contradictions. ${most}`);
}
