import type { ErrorBody } from "../errors/errors.ts";

/** The rules' effects on a shipment, stored with it: quotes and purchases obey them. */
export interface RuleEffects {
  /** The services and carriers that the shipment must not be sent with: shown as `filtered_by_rule`. */
  exclusions: RuleExclusion[];
  /** The most that the service which a rule chose may cost; it ends when another service is chosen. */
  price_cap: PriceCap | null;
  /** The rules that acted before a purchase: they act once, however often a purchase is tried. */
  acted: string[];
}

interface RuleExclusion extends RuleRef {
  kind: "carrier" | "service";
  /** The carrier's or the service's. */
  code: string;
}

export interface PriceCap extends RuleRef {
  /** As the shipment names it: a code, or a strategy. */
  service: string;
  max_total_cents: number;
}

/** The name is stored as it was, since the rule may be deleted later. */
export interface RuleRef {
  rule_id: string;
  rule_name: string;
}

/** The state of a label purchase that a rule requested. */
export type RulePurchase =
  | { status: "waiting"; max_total: number }
  | { status: "bought"; max_total: number }
  | { status: "not_bought"; max_total: number; error: ErrorBody };

export const noEffects: RuleEffects = { exclusions: [], price_cap: null, acted: [] };

/** The rule that excludes the service; undefined when none does. */
export function exclusionOf(
  terms: RuleEffects | null,
  { carrier, service }: { carrier: string; service: string },
): RuleExclusion | undefined {
  return terms?.exclusions.find(
    ({ kind, code }) => code === (kind === "carrier" ? carrier : service),
  );
}
