import type { Address } from "../addresses/address.ts";
import { normaliseAddress } from "../addresses/address-rules.ts";
import type { OrderSubject } from "../criteria/subjects.ts";
import type { OrderItem } from "../orders/fulfilment.ts";
import type { OrderStatus } from "../orders/order-status.ts";
import type { Action, ActionOf, ActionType } from "./actions.ts";
import type { RuleRef } from "./rule-effects.ts";
import { itemsWith, withoutTag, withTag } from "./shipment-actions.ts";

/** The fields of an order that actions read and change. */
export interface OrderDraft extends OrderSubject {
  status: OrderStatus;
  from_address: Address | null;
  items: OrderItem[];
  tags: string[];
  requested_service: string | null;
  shipment_actions: ShipmentAction[];
}

export type OrderChange = Partial<OrderDraft>;

/** What a rule about an order sets for the shipments that will be made from it. */
export interface ShipmentAction extends RuleRef {
  action: Action;
}

/** Properties of shipments only: such actions wait on the order until there is one. */
const ofShipments: readonly ActionType[] = [
  "exclude_carrier",
  "exclude_service",
  "set_package",
  "add_weight",
  "add_add_on",
  "set_reference",
  "add_to_batch",
  "buy_label",
];

/** The new values of the order's fields by the action. */
export function changeOrder(
  draft: OrderDraft,
  action: Exclude<Action, { type: "reject" }>,
  rule: RuleRef,
): OrderChange {
  const change = ofTheOrder(draft, action);
  if (!isForShipments(action)) return change;
  const { rule_id, rule_name } = rule;
  const waiting = [...draft.shipment_actions, { rule_id, rule_name, action }];
  return { ...change, shipment_actions: waiting };
}

/** Also of fields that the order has too: the cap of a service, and two customs texts. */
function isForShipments(action: Action): boolean {
  if (action.type === "set_service") return true;
  if (action.type === "set_customs") return action.incoterm != null || action.contents_type != null;
  return ofShipments.includes(action.type);
}

function ofTheOrder(draft: OrderDraft, action: Action): OrderChange {
  const change = changes[action.type] as Change<ActionType> | undefined;
  return change?.(draft, action) ?? {};
}

type Change<T extends ActionType> = (draft: OrderDraft, action: ActionOf<T>) => OrderChange;

const changes: { [T in ActionType]?: Change<T> } = {
  set_service: (_draft, { service, strategy }) => ({ requested_service: (service ?? strategy)! }),
  set_from_address: (_draft, { address }) => ({ from_address: normaliseAddress(address) }),
  set_customs: ({ items }, action) => itemsWith(items, action),
  add_tag: ({ tags }, { tag }) => ({ tags: withTag(tags, tag) }),
  remove_tag: ({ tags }, { tag }) => ({ tags: withoutTag(tags, tag) }),
  hold: () => ({ status: "on_hold" }),
};
