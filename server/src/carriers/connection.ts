import type { ConnectionBudgets } from "../domain/accounts/connection-budgets.ts";

/**
 * A contract with a carrier under which its calls are made: the account numbers and secrets of the platform,
 * or of one account that has a contract of its own (decision 27).
 */
export interface CarrierConnection {
  id: string;
  environment: "live" | "test";
  /** Whose contract it is: whom the carrier bills. */
  origin: "platform" | "account";
  /** Rises when values or secrets change: what is cached for a connection has its id and version as its key. */
  version: number;
  /** Account numbers and contract ids, which may be shown. */
  values: Readonly<Record<string, string>>;
  /** What its contract allows; the carrier's own limits where it is absent or null. */
  budgets?: ConnectionBudgets | null;
  /** Opened secrets: never logged, and never in an error. */
  secrets: Readonly<Record<string, string>>;
}
