import type { RunChange } from "../rules/run-rules.ts";
import type { RulePurchase } from "../rules/rule-effects.ts";
import type { Trigger } from "../rules/triggers.ts";
import type { Entry } from "./entry.ts";
import { origin, type DescribedRow, type DescriptionContext } from "./description.ts";

/** What a rule did to its subject. */

export interface DescribedRun extends DescribedRow {
  rule_id: string;
  rule_name: string;
  trigger: Trigger;
  status: "applied" | "failed" | "rejected";
  changes: RunChange[];
  error: { code: string; message: string } | null;
  purchase: RulePurchase | null;
}

/** Fields whose values are no persons and no addresses. */
const shown = [
  "service",
  "add_ons",
  "incoterm",
  "contents_type",
  "on_hold",
  "exclusions",
  "price_cap",
  "tags",
  "batch_id",
];

/** What a rule did to the subject: which fields it set, or why it was not applied. */
export function describeRun(run: DescribedRun, context: DescriptionContext): Entry {
  const { at, rank, id, rule_id, rule_name, trigger, status, error, changes, purchase } = run;
  const before_purchase =
    trigger === "shipment.before_purchase" || trigger === "batch.before_process";
  return {
    at,
    rank,
    id,
    kind: "rule",
    title: `Rule “${rule_name}” ${whatItDid(run)}`,
    ...origin(run, context, before_purchase),
    details: {
      rule_id,
      rule_name,
      trigger,
      status,
      changes: changes.map(({ type, field, before, after }) =>
        shown.includes(field) ? { action: type, field, before, after } : { action: type, field },
      ),
      error: error && { code: error.code, message: error.message },
      purchase: purchase && { status: purchase.status, max_total: purchase.max_total },
    },
    links: { rule: `/rules/${rule_id}` },
  };
}

function whatItDid({ status, error, changes, purchase }: DescribedRun): string {
  if (status === "rejected") return `refused it: ${error?.message ?? ""}`;
  if (status === "failed") return `could not act: ${error?.message ?? ""}`;
  const said = [...new Set(changes.map(sayChange)), ...sayPurchase(purchase)];
  return said.length > 0 ? said.join(", ") : "matched and changed nothing";
}

function sayChange({ type, field, after }: RunChange): string {
  if (field === "service" && typeof after === "string") return `chose ${after}`;
  if (field === "price_cap" && hasCap(after)) return `for at most ${after.max_total.toFixed(2)}`;
  if (field === "on_hold") return after === true ? "put it on hold" : "lifted the hold";
  if (field === "batch_id" && typeof after === "string") return `put it into batch ${after}`;
  if (field === "exclusions")
    return type === "exclude_carrier" ? "excluded a carrier" : "excluded a service";
  return `changed ${field.replaceAll("_", " ")}`;
}

function hasCap(value: unknown): value is { max_total: number } {
  return typeof value === "object" && value !== null && "max_total" in value;
}

function sayPurchase(purchase: RulePurchase | null): string[] {
  if (!purchase) return [];
  const asked = `asked for the label, for at most ${purchase.max_total.toFixed(2)}`;
  if (purchase.status === "waiting") return [asked];
  if (purchase.status === "bought") return [`${asked}, and it was bought`];
  return [`${asked}, and it was not bought: ${purchase.error.message}`];
}
