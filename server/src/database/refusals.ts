import { sql } from "kysely";
import pg from "pg";

/**
 * Conditions that a statement insists on by itself, because it is sent together with the one after it, or with
 * its COMMIT, and nobody looks at its answer in between. What breaks one fails with `refuse()` of the
 * migrations, and its transaction with it. Each has a code, by which whoever ran the transaction tells them
 * apart.
 */
export type RefusalCode =
  /** An attempt may not begin: the database is not reconciled, or its key is another process's. */
  | "attempt_not_begun"
  /** The attempt was taken over by another process, or has ended. */
  | "lease_lost"
  /** The Idempotency-Key of an attempt's outcome has no open claim that is linked to it. */
  | "key_not_linked"
  | "hold_not_covered"
  | "nothing_posted"
  /** The shipment is not what was to be bought: sold, voided, changed or deleted meanwhile. */
  | "shipment_changed"
  /** A claimed item of a batch, or purchase of a rule, is another process's by now. */
  | "item_lost"
  | "rule_purchase_lost";

/** For the condition of a statement: `count(*) = 1 OR ${refuse("lease_lost")}`. `detail` is for the log. */
export function refuse(code: RefusalCode, detail = "") {
  return sql<boolean>`refuse(${code}, ${detail})`;
}

/** Whether a transaction failed because one of its statements refused with this code. */
export function isRefused(error: unknown, code: RefusalCode): boolean {
  return error instanceof pg.DatabaseError && error.code === "WB001" && error.message === code;
}
