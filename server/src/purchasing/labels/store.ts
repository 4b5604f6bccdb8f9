import { sql } from "kysely";
import { batchedRead } from "../../database/batched-read.ts";
import { columnsOf } from "../../database/columns.ts";
import { inTransaction } from "../../database/connect.ts";
import {
  json,
  type Database,
  type Environment,
  type StoredDocument,
} from "../../database/tables.ts";
import type { CapturedRate } from "../../domain/pricing/captured-rate.ts";
import type { ShipmentRow } from "../../shipping/shipments/store.ts";

/** The SQL of labels and their files. */

/** Whether the account's calls to carriers are test or production calls. */
export async function environmentOf(db: Database, accountId: string): Promise<Environment> {
  const { environment } = await db
    .selectFrom("accounts")
    .select("environment")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return environment;
}

/** Updates the list of files. What another process has listed since the row was read stays. */
export async function recordDocuments(
  db: Database,
  {
    account_id,
    id,
    documents: former,
  }: { account_id: string; id: string; documents: StoredDocument[] },
  documents: StoredDocument[],
): Promise<void> {
  await inTransaction(db, (tx) =>
    tx
      .updateTable("shipments")
      .set({ documents: json(documents) })
      .where("account_id", "=", account_id)
      .where("id", "=", id)
      .where("documents", "=", json(former) as never)
      .execute(),
  );
}

/** What belongs to a shipment that is to be bought. */
interface Facts {
  rules_version: string | null;
  quote_revision: number | null;
  quote_rates: CapturedRate[] | null;
}

/**
 * A shipment with its newest quote, unless that has expired, and the version of its account's rules. Concurrent calls share
 * a round trip.
 */
export const findToBuy = batchedRead<
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
