import type { AccountContext } from "../../context.ts";
import { rulesForPurchase } from "../../automation/rule-before-purchase.ts";
import { notFound } from "../../domain/errors/errors.ts";
import type { ReadyRule } from "../../domain/rules/run-rules.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";
import type { StoredQuote } from "../quotes/store.ts";
import { findToBuy } from "./store.ts";

/** What the purchase of one shipment begins with. */
export interface ShipmentToBuy {
  row: ShipmentRow;
  /** The account's rules for a purchase. */
  rules: readonly ReadyRule[];
  /** The shipment's newest quote, unless it has expired. */
  quote: StoredQuote | null;
}

/**
 * Reads it in one round trip, which concurrent purchases share. Throws 404 `not_found` for a missing shipment and another
 * account's.
 */
export async function readToBuy(ctx: AccountContext, shipmentId: string): Promise<ShipmentToBuy> {
  const { account_id } = ctx.account;
  const found = await findToBuy(ctx.db, { account_id, id: shipmentId, now: ctx.clock.now() });
  if (!found) throw notFound();
  const { rules_version, quote_revision, quote_rates, ...row } = found;
  return {
    row,
    rules: await rulesForPurchase(ctx, "shipment", rules_version),
    quote: quote_revision === null ? null : { revision: quote_revision, rates: quote_rates! },
  };
}
