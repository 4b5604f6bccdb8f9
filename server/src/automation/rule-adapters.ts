import type { AccountContext } from "../context.ts";
import type { EvaluationContext } from "../domain/criteria/reading.ts";
import { throwIfAny, type Problems } from "../domain/errors/errors.ts";
import { areMissingCodes } from "../domain/shipments/shipment-rules.ts";
import { orderAdapter } from "../domain/rules/order-adapter.ts";
import type { RuleRef } from "../domain/rules/rule-effects.ts";
import type { RuleAdapter } from "../domain/rules/run-rules.ts";
import { shipmentAdapter } from "../domain/rules/shipment-adapter.ts";
import type { OrderRow } from "../shipping/orders/store.ts";
import type { ShipmentRow } from "../shipping/shipments/store.ts";
import { problemsOfStored } from "../shipping/shipments/stored-entry.ts";

/** How rules act for this account now. */

/** On shipments that are stored, and so complete. */
export function shipmentAdapterOf(ctx: AccountContext): RuleAdapter<ShipmentRow> {
  return adapterOf(ctx, { allows_missing_codes: false });
}

/**
 * On shipments that are about to be created: codes of customs lines that the client left out may be missing until all
 * rules have acted. Where it left out none that were needed, a rule that makes them so fails, as for any other problem.
 */
export function newShipmentAdapters(
  ctx: AccountContext,
): (row: ShipmentRow) => RuleAdapter<ShipmentRow> {
  const complete = shipmentAdapterOf(ctx);
  const incomplete = adapterOf(ctx, { allows_missing_codes: true });
  return (row) => (lacksCodes(row) ? incomplete : complete);
}

/** Whether it crosses a border with customs lines that lack a code. */
export function lacksCodes({ from_address, to_address, items }: ShipmentRow): boolean {
  if (from_address.country_code === to_address.country_code) return false;
  return items.some(({ hs_code, country_of_origin }) => !hs_code || !country_of_origin);
}

function adapterOf(
  ctx: AccountContext,
  { allows_missing_codes }: { allows_missing_codes: boolean },
): RuleAdapter<ShipmentRow> {
  const problemsOf = allows_missing_codes ? problemsButMissingCodes : problemsOfStored;
  return shipmentAdapter<ShipmentRow>({
    context: contextOf(ctx),
    service_fits: (service, type) =>
      ctx.carriers.findService(service)?.carrier.descriptor.mode === type,
    validate: (row) => throwIfAny(problemsOf(ctx, row)),
    onBug: onBug(ctx),
  });
}

function problemsButMissingCodes(ctx: AccountContext, row: ShipmentRow): Problems {
  const problems = problemsOfStored(ctx, row);
  return areMissingCodes(problems) ? {} : problems;
}

export function orderAdapterOf(ctx: AccountContext): RuleAdapter<OrderRow> {
  return orderAdapter<OrderRow>(contextOf(ctx), onBug(ctx));
}

function contextOf({ account, clock }: AccountContext): EvaluationContext {
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
