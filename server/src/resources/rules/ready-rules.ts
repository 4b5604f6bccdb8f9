import type { Database, Tx } from "../../database/tables.ts";
import { matcherOf } from "../../domain/criteria/matches.ts";
import type { ReadyRule } from "../../domain/rules/run-rules.ts";
import type { Trigger } from "../../domain/rules/triggers.ts";
import * as store from "./store.ts";

/** An account's rules as this process has compiled them, and of which version they are. */
interface Compiled {
  version: string;
  rules: readonly ReadyRule[];
}

const compiled = new Map<string, Compiled>();
/** Of more accounts than these the one that was compiled first is compiled again. */
const accountsMax = 5000;

/**
 * The account's enabled rules of these triggers, in the order in which they act. Their version is read each
 * time, in the transaction that they are for: a rule that was changed anywhere acts as changed from then on.
 */
export async function readyRules(
  db: Database | Tx,
  accountId: string,
  triggers: readonly Trigger[],
): Promise<readonly ReadyRule[]> {
  const version = await store.findVersion(db, accountId);
  if (version === null) return [];
  let known = compiled.get(accountId);
  if (known?.version !== version) {
    const rows = await store.listEnabled(db, accountId);
    known = { version, rules: rows.map(readyRule) };
    compiled.delete(accountId);
    compiled.set(accountId, known);
    if (compiled.size > accountsMax) compiled.delete(compiled.keys().next().value!);
  }
  return known.rules
    .filter(({ trigger }) => triggers.includes(trigger))
    .sort((a, b) => triggers.indexOf(a.trigger) - triggers.indexOf(b.trigger));
}

/** A rule that can be held against subjects. */
export function readyRule(row: Awaited<ReturnType<typeof store.listEnabled>>[number]): ReadyRule {
  const criteria = row.filter_criteria ?? row.criteria;
  return {
    rule_id: row.id,
    rule_name: row.name,
    trigger: row.trigger,
    matches: criteria && matcherOf(criteria),
    actions: row.actions,
    stop_processing: row.stop_processing,
  };
}
