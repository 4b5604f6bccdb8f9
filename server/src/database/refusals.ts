import { sql } from "kysely";
import pg from "pg";

/**
 * Conditions that a statement checks by itself, because it is sent together with the one after it, or with
 * its COMMIT, and its result is not read in between. A violated one fails with `refuse()` of the migrations,
 * and its transaction with it. Each has a code, by which the caller of the transaction distinguishes them.
 */
export type RefusalCode =
  /** An attempt may not begin: the database is not reconciled, or another process holds its key. */
  | "attempt_not_begun"
  /** The connection with a carrier that an effect is to be caused on was deleted. */
  | "connection_deleted"
  /** The attempt was taken over by another process, or has ended. */
  | "lease_lost"
  /** The Idempotency-Key of an attempt's outcome has no open claim that is linked to it. */
  | "key_not_linked"
  | "hold_not_covered"
  | "nothing_posted"
  /** The shipment is not as expected: purchased, voided, changed or deleted concurrently. */
  | "shipment_changed"
  /** Another live label of the carrier has the tracking code. */
  | "tracking_code_taken"
  /** Another process has the claimed item of a batch, or purchase of a rule, by now. */
  | "item_lost"
  | "rule_purchase_lost"
  /** What a plan was made of has changed since: rules, for instance. */
  | "plan_outdated"
  /** The Idempotency-Key of a request is held by another process by now. */
  | "key_taken_over";

/** For the condition of a statement: `count(*) = 1 OR ${refuse("lease_lost")}`. `detail` is for the log. */
export function refuse(code: RefusalCode, detail = "") {
  return sql<boolean>`refuse(${code}, ${detail})`;
}

/** Whether a transaction failed because one of its statements refused with this code. */
export function isRefused(error: unknown, code: RefusalCode): boolean {
  return error instanceof pg.DatabaseError && error.code === "WB001" && error.message === code;
}
