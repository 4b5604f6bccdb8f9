import type { AccountContext } from "../../context.ts";
import type { Terms } from "../../domain/criteria/reading.ts";
import { throwIfAny, type Problems } from "../../domain/errors.ts";
import { orderKit } from "../../domain/rules/order-kit.ts";
import type { RuleRef } from "../../domain/rules/rule-terms.ts";
import type { RuleKit } from "../../domain/rules/run-rules.ts";
import { shipmentKit } from "../../domain/rules/shipment-kit.ts";
import type { OrderRow } from "../orders/service.ts";
import type { ShipmentRow } from "../shipments/service.ts";

/** How rules act for this account now. */

/** Everything that is wrong with a shipment as it is now: what shipments know, and rules ask. */
export type ProblemsOf = (ctx: AccountContext, row: ShipmentRow) => Problems;

export function shipmentKitOf(ctx: AccountContext, problemsOf: ProblemsOf): RuleKit<ShipmentRow> {
  return shipmentKit<ShipmentRow>({
    terms: termsOf(ctx),
    service_fits: (service, type) =>
      ctx.carriers.findService(service)?.carrier.descriptor.mode === type,
    judge: (row) => throwIfAny(problemsOf(ctx, row)),
    onBug: onBug(ctx),
  });
}

export function orderKitOf(ctx: AccountContext): RuleKit<OrderRow> {
  return orderKit<OrderRow>(termsOf(ctx), onBug(ctx));
}

function termsOf({ account, clock }: AccountContext): Terms {
  const { currency, default_from_address } = account;
  return {
    now: clock.now(),
    currency,
    home_country: default_from_address?.country_code ?? null,
  };
}

function onBug({ log }: AccountContext) {
  return (err: unknown, { rule_id }: RuleRef) => log.error({ rule_id, err }, "rule.failed");
}
