import type { Selectable } from "kysely";
import type { AccountContext } from "../../context.ts";
import type { AccountsTable, Tx } from "../../database/tables.ts";
import type { begunBy } from "../../domain/accounts/principal.ts";
import type { AttemptOutcome, PurchaseOutcome } from "../labels/purchase-outcome.ts";

/**
 * Labels that are bought in the background: for batches, and for what rules want. Both wait as rows of their own tables,
 * are claimed, bought and ended in the same way, and differ in what is here.
 */
export interface PurchaseQueue<Source extends QueueSource, Job extends QueueJob> {
  /** What the log calls it. */
  name: string;
  places: Places;
  /**
   * Which sources there are, those of suspended accounts excepted, and none while a restored database is not reconciled:
   * then nothing may be bought. `known` are asked about in any case: one that is missing from the answer has stopped.
   */
  list(known: readonly Source[]): Promise<Source[]>;
  idOf(source: Source): string;
  /** Claims up to `limit` jobs of a source, in their order. */
  claim(source: Source, limit: number): Promise<Job[]>;
  /** Frees what this process claimed without hearing so. */
  releaseLost(): Promise<void>;
  /** Who asked for a job, and in which request. */
  begunBy(source: Source, job: Job): ReturnType<typeof begunBy>;
  /** Buys, and says how that ended; null when the job turned out to be another process's. Never throws. */
  buy(ctx: AccountContext, source: Source, job: Job): Promise<PurchaseOutcome | null>;
  /** Ends claims of this process, any number at once; those that it lost are left alone. */
  end(ended: readonly Ended<Job>[]): Promise<void>;
  /** This process has nothing more to do for the source. */
  leave?(source: Source): Promise<void>;
}

/** The platform on an account's behalf, before it is known who asked for the job. */
export type QueueContext = Omit<AccountContext, "principal" | "request_id">;

/** How many labels one process buys at once. */
export interface Places {
  all: number;
  of_account: number;
}

/** A batch, or what an account's rules want bought: whose jobs are claimed in one order. */
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

/** What became of jobs that were begun, and whose process did not hear or say how they ended. */
export interface Leftovers<Pending extends AttemptOutcome> {
  takeOver(): Promise<void>;
  /** Up to `limit` accounts that have such jobs. */
  list(limit: number): Promise<string[]>;
  /** Up to `limit` of an account's, locked for the transaction. */
  lock(tx: Tx, accountId: string, limit: number): Promise<Pending[]>;
  end(tx: Tx, ended: readonly Ended<Pending>[]): Promise<void>;
}
