import { sql } from "kysely";
import { pipelined } from "../../database/driver/sending.ts";
import {
  claimByParty,
  type DueAtParties,
  type Places,
} from "../../database/leases/claim-by-party.ts";
import { rowsOf } from "../../database/rows.ts";
import type { Database, Environment, Tx } from "../../database/tables.ts";
import type { Effect } from "../../outbound/operation.ts";
import type { SoldLabel } from "./label-files.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";

/** The SQL of labels whose carriers have their files later. */

/** Has workers fetch the files of those of the labels that are pending, along with the statement after it. */
export async function awaitFiles(
  tx: Tx,
  effects: readonly Effect<LabelPurchaseInput, SoldLabel>[],
  at: Date,
): Promise<void> {
  const pending = effects.filter(({ result }) => result.files === "pending");
  if (pending.length === 0) return;
  const rows = pending.map(({ attempt: { input } }) => ({
    shipment_id: input.shipment_id,
    carrier: input.carrier,
    environment: input.environment,
    since: at,
  }));
  const columns = "shipment_id text, carrier text, environment text, since timestamptz";
  await pipelined(sql`
    INSERT INTO pending_files (account_id, shipment_id, carrier, environment, since, check_at)
    SELECT account_id, shipment_id, carrier, environment, since, now() + interval '1 second'
    FROM ${rowsOf(pending[0]!.attempt.account_id, rows, columns)} AS each`).execute(tx);
}

/** Files that are to be fetched. */
export interface PendingFiles {
  account_id: string;
  shipment_id: string;
  carrier: string;
  environment: Environment;
  since: Date;
  is_reviewed: boolean;
}

const pendingFiles: DueAtParties = {
  table: "pending_files",
  key: ["shipment_id"],
  party: "carrier",
  at: "check_at",
  is_listed: "check_at IS NOT NULL",
  is_backlog: "check_at IS NOT NULL",
};

/**
 * Takes those that are due, of each carrier as many as it has slots, and postpones each by a tenth of its age,
 * between two seconds and ten minutes, so that no two workers fetch the same one at once.
 */
export async function takePendingFiles(db: Database, places: Places): Promise<PendingFiles[]> {
  return claimByParty<PendingFiles>(db, pendingFiles, {
    places,
    is_due: sql`check_at <= now()`,
    take: (due) => sql`
      WITH ${due}
      UPDATE pending_files
      SET check_at = now() + least(greatest((now() - since) / 10, interval '2 seconds'), interval '10 minutes')
      FROM due WHERE pending_files.account_id = due.account_id AND pending_files.shipment_id = due.shipment_id
      RETURNING pending_files.account_id, pending_files.shipment_id, carrier, environment, since, is_reviewed`,
  });
}

/** Seconds until the next fetch; null where none is pending. */
export async function secondsToFetch(
  db: Database,
  account_id: string,
  shipment_id: string,
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM check_at - now())::float AS seconds FROM pending_files
    WHERE account_id = ${account_id} AND shipment_id = ${shipment_id}`.execute(db);
  return rows[0]?.seconds ?? null;
}

/** They are here, or are not needed any more. False where another process ended it. */
export async function endPendingFiles(
  tx: Tx,
  { account_id, shipment_id }: { account_id: string; shipment_id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("pending_files")
    .where("account_id", "=", account_id)
    .where("shipment_id", "=", shipment_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Notes that an operator is told that they do not come. False where that was noted before. */
export async function noteReviewed(
  tx: Tx,
  { account_id, shipment_id }: { account_id: string; shipment_id: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("pending_files")
    .set({ is_reviewed: true })
    .where("account_id", "=", account_id)
    .where("shipment_id", "=", shipment_id)
    .where("is_reviewed", "=", false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
