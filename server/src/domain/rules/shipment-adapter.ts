import { readShipment, type EvaluationContext } from "../criteria/reading.ts";
import { toCents } from "../values/money.ts";
import type { Action } from "./actions.ts";
import { cannot } from "./rule-failure.ts";
import type { RuleAdapter } from "./run-rules.ts";
import {
  changeShipment,
  type ChangingType,
  type ServiceFits,
  type ShipmentDraft,
} from "./shipment-actions.ts";

/** Fields that only the merchant reads: no value of them makes a shipment invalid. */
const harmless = new Set(["reference", "tags", "on_hold", "exclusions", "price_cap"]);

interface ShipmentAdapterOptions<D extends ShipmentDraft> {
  context: EvaluationContext;
  service_fits: ServiceFits;
  /** Throws the problems for which the changed shipment cannot be shipped. */
  validate(draft: D): void;
  onBug: RuleAdapter<D>["onBug"];
}

/** How rules act on shipments. */
export function shipmentAdapter<D extends ShipmentDraft>({
  context,
  service_fits,
  validate,
  onBug,
}: ShipmentAdapterOptions<D>): RuleAdapter<D> {
  return {
    read: (draft) => readShipment(draft, context),
    change: (draft, action, { rule_id, rule_name }) =>
      isChange(action)
        ? (changeShipment(draft, action, { rule_id, rule_name, service_fits }) as Partial<D>)
        : {},
    noteSideEffect({ sideEffects }, action, { run, place }) {
      if (action.type === "add_to_batch") {
        if (sideEffects.purchase) cannot("Another rule buys the label; a batch would buy it, too.");
        sideEffects.batch = { name: action.name, run, action: place };
      }
      if (action.type === "buy_label") {
        if (sideEffects.batch)
          cannot("Another rule has put the shipment into a batch, which buys it.");
        sideEffects.purchase = { max_total_cents: toCents(action.max_total), run };
      }
    },
    validate(draft, changes) {
      if (changes.some(({ field }) => !harmless.has(field))) validate(draft);
    },
    onBug,
  };
}

function isChange(action: Action): action is Action & { type: ChangingType } {
  return !["add_to_batch", "buy_label", "reject"].includes(action.type);
}
