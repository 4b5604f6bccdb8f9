import type { Database, Tx } from "../database/tables.ts";
import { PlanOutdated } from "../http/creation.ts";
import type { FieldName } from "../domain/criteria/fields.ts";
import { matcherOf } from "../domain/criteria/matches.ts";
import { isGroup, type Criteria } from "../domain/criteria/schema.ts";
import type { ReadyRule } from "../domain/rules/run-rules.ts";
import type { Trigger } from "../domain/rules/triggers.ts";
import * as store from "./store.ts";

/** A rule that can be matched against subjects, and the values that it needs of them. */
export interface CompiledRule extends ReadyRule {
  /** The field of each condition. */
  fields: readonly FieldName[];
}

/**
 * An account's rules as compiled by this process, and their version: null for an account that never had any.
 */
interface RuleSet {
  version: string | null;
  rules: readonly CompiledRule[];
}

/** By database, and by account. */
const compiled = new WeakMap<Database, Map<string, RuleSet>>();
/** Of more accounts than these the one that was compiled first is compiled again. */
const accountsMax = 5000;

function compiledOf(db: Database): Map<string, RuleSet> {
  const known = compiled.get(db) ?? new Map<string, RuleSet>();
  compiled.set(db, known);
  return known;
}

/**
 * The account's enabled rules of these triggers, in the order in which they act. Their version is read each
 * time: a rule that was changed in any process acts as changed from then on.
 */
export async function readyRules(
  db: Database,
  accountId: string,
  triggers: readonly Trigger[],
): Promise<RuleSet> {
  return rulesOfVersion(db, accountId, {
    triggers,
    version: await store.findVersion(db, accountId),
  });
}

/** The same where the caller has read their version. */
export async function rulesOfVersion(
  db: Database,
  accountId: string,
  { triggers, version }: { triggers: readonly Trigger[]; version: string | null },
): Promise<RuleSet> {
  const known = compiledOf(db).get(accountId);
  return ofTriggers(
    known?.version === version ? known : await compile(db, accountId, version),
    triggers,
  );
}

/**
 * The same for a plan whose version is compared in the transaction that follows it. For one row these are the
 * rules in this process's cache, without a query; a caller that finds them outdated evicts them.
 */
export async function rulesToPlanBy(
  db: Database,
  accountId: string,
  { trigger, row_count }: { trigger: Trigger; row_count: number },
): Promise<RuleSet> {
  const known = row_count === 1 ? compiledOf(db).get(accountId) : undefined;
  return known ? ofTriggers(known, [trigger]) : readyRules(db, accountId, [trigger]);
}

/**
 * Along with the next statement: the transaction fails with the code `plan_outdated` if the plans of one account that it
 * carries out were made by rules of another version. Throws `PlanOutdated` when they were made by different ones.
 */
export async function refuseUnlessVersions(
  tx: Tx,
  accountId: string,
  versions: readonly (string | null)[],
): Promise<void> {
  const [version = null] = versions;
  if (versions.some((each) => each !== version)) throw new PlanOutdated();
  await store.refuseUnlessVersion(tx, accountId, version);
}

/** In the memory of this process: the next reader reads and compiles them anew. */
export function forgetRules(db: Database, accountId: string): void {
  compiledOf(db).delete(accountId);
}

async function compile(db: Database, accountId: string, version: string | null): Promise<RuleSet> {
  const rows = version === null ? [] : await store.listEnabled(db, accountId);
  const known = { version, rules: rows.map(readyRule) };
  const ofAll = compiledOf(db);
  ofAll.delete(accountId);
  ofAll.set(accountId, known);
  if (ofAll.size > accountsMax) ofAll.delete(ofAll.keys().next().value!);
  return known;
}

function ofTriggers({ version, rules }: RuleSet, triggers: readonly Trigger[]): RuleSet {
  const wanted = rules
    .filter(({ trigger }) => triggers.includes(trigger))
    .sort((a, b) => triggers.indexOf(a.trigger) - triggers.indexOf(b.trigger));
  return { version, rules: wanted };
}

function readyRule(row: Awaited<ReturnType<typeof store.listEnabled>>[number]): CompiledRule {
  const criteria = row.filter_criteria ?? row.criteria;
  return {
    rule_id: row.id,
    rule_name: row.name,
    trigger: row.trigger,
    matches: criteria && matcherOf(criteria),
    fields: criteria ? fieldsOf(criteria) : [],
    actions: row.actions,
    stop_processing: row.stop_processing,
  };
}

function fieldsOf({ conditions }: Criteria): FieldName[] {
  return conditions.flatMap((entry) => (isGroup(entry) ? fieldsOf(entry) : [entry.field]));
}
