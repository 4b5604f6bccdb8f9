import type { ErrorBody } from "../errors/errors.ts";

/** What rules have laid down about a shipment, kept with it: whoever quotes or buys it obeys. */
export interface RuleEffects {
  /** What the shipment is not to be sent with: shown as `filtered_by_rule`. */
  exclusions: RuleExclusion[];
  /** What the service that a rule chose may cost; it ends when somebody chooses another. */
  price_cap: PriceCap | null;
  /** The rules that acted before a purchase: they act once, however often a purchase is tried. */
  acted: string[];
}

export interface RuleExclusion extends RuleRef {
  kind: "carrier" | "service";
  /** The carrier's or the service's. */
  code: string;
}

export interface PriceCap extends RuleRef {
  /** As the shipment names it: a code, or a strategy. */
  service: string;
  max_total_cents: number;
}

/** The name is kept as it was, since the rule may be gone by the time that somebody asks. */
export interface RuleRef {
  rule_id: string;
  rule_name: string;
}

/** What became of a label that a rule asked for. */
export type RulePurchase =
  | { status: "waiting"; max_total: number }
  | { status: "bought"; max_total: number }
  | { status: "not_bought"; max_total: number; error: ErrorBody };

export const noEffects: RuleEffects = { exclusions: [], price_cap: null, acted: [] };

/** The rule that keeps the service out; undefined when none does. */
export function exclusionOf(
  terms: RuleEffects | null,
  { carrier, service }: { carrier: string; service: string },
): RuleExclusion | undefined {
  return terms?.exclusions.find(
    ({ kind, code }) => code === (kind === "carrier" ? carrier : service),
  );
}
