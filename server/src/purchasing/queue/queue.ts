import type { Selectable } from "kysely";
import type { AccountContext } from "../../context.ts";
import type { AccountsTable, Tx } from "../../database/tables.ts";
import type { AttemptOutcome, PurchaseOutcome } from "../labels/purchase-outcome.ts";

/**
 * Labels that are purchased in the background: for batches, and for rules. Both are queued as rows of their
 * own tables, are claimed, purchased and ended in the same way, and differ only in this interface.
 */
export interface PurchaseQueue<Source extends QueueSource, Job extends QueueJob> {
  /** Its name in the log. */
  name: string;
  places: Places;
  /**
   * The sources, except those of suspended accounts; none while a restored database is not reconciled: then
   * nothing may be purchased. `known` are always included in the query: one that is missing from the result
   * has stopped.
   */
  list(known: readonly Source[]): Promise<Source[]>;
  idOf(source: Source): string;
  /** Claims up to `limit` jobs of a source, in their order. */
  claim(source: Source, limit: number): Promise<Job[]>;
  /** Releases claims of this process whose response it never received. */
  releaseLost(): Promise<void>;
  /** The origin of a job: the principal and its request. */
  begunBy(source: Source, job: Job): Pick<AccountContext, "principal" | "request_id">;
  /** Purchases, and returns the outcome; null when another process holds the job. Never throws. */
  buy(ctx: AccountContext, source: Source, job: Job): Promise<PurchaseOutcome | null>;
  /** Ends claims of this process, any number at once; those that it lost are left unchanged. */
  end(ended: readonly Ended<Job>[]): Promise<void>;
  /** This process has nothing more to do for the source. */
  leave?(source: Source): Promise<void>;
}

/** The context of an account, before the origin of the job is known. */
export type QueueContext = Omit<AccountContext, "principal" | "request_id">;

/** How many labels one process purchases concurrently. */
export interface Places {
  all: number;
  of_account: number;
}

/** A batch, or the purchases that an account's rules request: its jobs are claimed in one order. */
export interface QueueSource {
  account_id: string;
  account: Omit<Selectable<AccountsTable>, "time_zone" | "suspended_at" | "created_at">;
  has_waiting: boolean;
}

export interface QueueJob {
  account_id: string;
  shipment_id: string;
  tries: number;
}

/** How a job ended. */
export interface Ended<Job> {
  job: Job;
  end: PurchaseOutcome;
}

/** Jobs that were begun, and whose process did not receive or write their outcome. */
export interface Leftovers<Pending extends AttemptOutcome> {
  takeOver(): Promise<void>;
  /** Up to `limit` accounts that have such jobs. */
  list(limit: number): Promise<string[]>;
  /** Up to `limit` of an account's, locked for the transaction. */
  lock(tx: Tx, accountId: string, limit: number): Promise<Pending[]>;
  end(tx: Tx, ended: readonly Ended<Pending>[]): Promise<void>;
}
