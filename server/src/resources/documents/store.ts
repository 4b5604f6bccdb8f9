import { sql } from "kysely";
import type {
  CombinedDocumentsTable,
  Database,
  StoredDocument,
  Tx,
} from "../../database/tables.ts";
import type { ShipmentStatus } from "../../domain/shipments/shipment-status.ts";

/** The SQL of combined documents. */

export interface Source {
  id: string;
  ship_code: string;
  status: ShipmentStatus;
  documents: StoredDocument[];
  label_format: string | null;
  reference: string | null;
  service: string | null;
  postal_code: string | null;
  created_at: Date;
}

/** The account's shipments among these, in no order. */
export async function listSources(
  db: Database,
  accountId: string,
  ids: readonly string[],
): Promise<Source[]> {
  return db
    .selectFrom("shipments")
    .select([
      "id",
      "ship_code",
      "status",
      "documents",
      "label_format",
      "reference",
      "service",
      "created_at",
    ])
    .select(sql<string | null>`to_address ->> 'postal_code'`.as("postal_code"))
    .where("account_id", "=", accountId)
    .where(sql<boolean>`id = ANY (${ids}::text[])`)
    .execute();
}

export async function insertCombined(tx: Tx, row: CombinedDocumentsTable): Promise<void> {
  await tx.insertInto("combined_documents").values(row).execute();
}
