import { sql } from "kysely";
import type { AccountContext } from "../../context.ts";
import { rulesForPurchase } from "../../automation/rule-before-purchase.ts";
import { batchedRead } from "../../database/batched-read.ts";
import { columnsOf } from "../../database/columns.ts";
import { notFound } from "../../domain/errors/errors.ts";
import type { CapturedRate } from "../../domain/pricing/captured-rate.ts";
import type { ReadyRule } from "../../domain/rules/run-rules.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";
import type { StoredQuote } from "../quotes/store.ts";

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
  const found = await readFacts(ctx.db, { account_id, id: shipmentId, now: ctx.clock.now() });
  if (!found) throw notFound();
  const { rules_version, quote_revision, quote_rates, ...row } = found;
  return {
    row,
    rules: await rulesForPurchase(ctx, "shipment", rules_version),
    quote: quote_revision === null ? null : { revision: quote_revision, rates: quote_rates! },
  };
}

interface Facts {
  rules_version: string | null;
  quote_revision: number | null;
  quote_rates: CapturedRate[] | null;
}

/** Exported for the tests of its plan. */
export const readFacts = batchedRead<
  { account_id: string; id: string; now: Date },
  ShipmentRow & Facts
>(
  (wanted) => sql`
    SELECT place, ${columnsOf("shipments", "shipment")}, rules.version AS rules_version,
      quote.revision AS quote_revision, quote.rates AS quote_rates
    FROM jsonb_to_recordset(${wanted}::jsonb) AS wanted (
      place integer, account_id text, id text, now timestamptz)
    CROSS JOIN LATERAL (
      SELECT * FROM shipments
      WHERE shipments.account_id = wanted.account_id AND shipments.id = wanted.id LIMIT 1) AS shipment
    LEFT JOIN LATERAL (
      SELECT version FROM rule_sets WHERE rule_sets.account_id = wanted.account_id LIMIT 1) AS rules ON true
    LEFT JOIN LATERAL (
      SELECT revision, rates FROM shipment_quotes AS quote
      WHERE quote.account_id = wanted.account_id AND quote.shipment_id = wanted.id
        AND quote.expires_at > wanted.now LIMIT 1) AS quote ON true`,
);
