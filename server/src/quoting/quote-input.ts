import type { ConnectionStatus } from "../domain/accounts/connection-status.ts";
import type { CallContext, CarrierConnection, ShipmentForCarrier } from "../carriers/carrier.ts";
import type { ExchangeTable } from "../domain/values/exchange-table.ts";
import type { AddOnCode } from "../domain/pricing/rate.ts";
import type { RuleEffects } from "../domain/rules/rule-effects.ts";

/** A connection, with whether its carrier accepts it. */
export interface UsableConnection extends CarrierConnection {
  status: ConnectionStatus;
}

/** What is to be quoted, for which account, and the timeout. */
export interface QuoteInput {
  context: Omit<CallContext, "connection">;
  /** The contract that each carrier is asked under. */
  connections: { find(carrier: string): UsableConnection | null };
  shipment: ShipmentForCarrier;
  to_po_box: boolean;
  /** Add-ons that the rates must offer, the shipment's signature confirmation among them. */
  add_ons: readonly AddOnCode[];
  /** The value that protection covers instead of the packages' declared values, in the account's currency. */
  insured_value: number | null;
  estimated: boolean;
  /** The account's: its balance pays for the label. */
  currency: string;
  exchange: {
    /** Read only where amounts of another currency turn up. */
    fresh(): Promise<ExchangeTable>;
    /** Added to the rates by which carriers' prices are converted. */
    margin_percent: number;
  };
  disabled_services: readonly string[];
  /** Restrictions by the account's rules on services and carriers. */
  rule_terms: RuleEffects | null;
  /** Rates this one service again and reports no other: for the re-rating inside a purchase. */
  only_service: string | null;
  timeout_seconds: number;
  valid_minutes: number;
}
