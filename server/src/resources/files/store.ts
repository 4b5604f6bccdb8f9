import { sql } from "kysely";
import type { Database } from "../../database/tables.ts";
import type { ListedFile } from "../../providers/files/check-file.ts";

/**
 * The SQL of served files: which row lists the file of a key. Keys begin with account, kind and owner; those of a
 * shipment or manifest have the day before the owner, except for older ones.
 */

export type Listing =
  | { of: "shipment"; account_id: string; shipment_id: string; is_void_with_it: boolean }
  | { of: "batch"; account_id: string; batch_id: string; file: ListedFile }
  | { of: "statement"; file: ListedFile }
  | { of: "documents"; file: ListedFile }
  | { of: "manifest"; account_id: string; manifest_id: string; file: ListedFile };

/** Null where no row lists the key: for example after another file of its batch was made. */
export async function findListing(db: Database, key: string): Promise<Listing | null> {
  const [account_id = "", kind = "", owner = "", name = ""] = key.split("/");
  switch (kind) {
    case "labels":
    case "papers":
    case "invoices":
      // Documents for a driver or a printer are void with their shipment; an invoice is for accounting.
      return {
        of: "shipment",
        account_id,
        shipment_id: owner.startsWith("shp_") ? owner : name.split("-")[0]!,
        is_void_with_it: kind !== "invoices",
      };
    case "batches":
      return findCombined(db, account_id, { id: owner.split("-")[0]!, key });
    case "documents":
      return findDocuments(db, account_id, { id: owner.split(".")[0]!, key });
    case "manifests":
      return findManifestFile(db, account_id, { id: name.split("-")[0]!, key });
    case "statements":
      return findStatementFile(db, account_id, { id: owner, key });
    default:
      return null;
  }
}

async function findCombined(
  db: Database,
  accountId: string,
  { id, key: file_key }: { id: string; key: string },
): Promise<Listing | null> {
  const row = await db
    .selectFrom("batches")
    .select(["combined_bytes", "combined_sha256"])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("combined_file_key", "=", file_key)
    .executeTakeFirst();
  if (!row) return null;
  const { combined_bytes: bytes, combined_sha256: sha256 } = row;
  return { of: "batch", account_id: accountId, batch_id: id, file: { file_key, bytes, sha256 } };
}

async function findManifestFile(
  db: Database,
  account_id: string,
  { id: manifest_id, key }: { id: string; key: string },
): Promise<Listing | null> {
  const parts = await db
    .selectFrom("manifest_parts")
    .select("documents")
    .where("account_id", "=", account_id)
    .where("manifest_id", "=", manifest_id)
    .execute();
  const file = parts.flatMap(({ documents }) => documents).find(({ file_key }) => file_key === key);
  return file ? { of: "manifest", account_id, manifest_id, file } : null;
}

async function findStatementFile(
  db: Database,
  accountId: string,
  { id, key: file_key }: { id: string; key: string },
): Promise<Listing | null> {
  const row = await db
    .selectFrom("statements")
    .select(["pdf_key", "pdf_bytes", "pdf_sha256", "csv_key", "csv_bytes", "csv_sha256"])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row?.pdf_key === file_key) {
    const { pdf_bytes: bytes, pdf_sha256: sha256 } = row;
    return { of: "statement", file: { file_key, bytes, sha256 } };
  }
  if (row?.csv_key !== file_key) return null;
  return { of: "statement", file: { file_key, bytes: row.csv_bytes, sha256: row.csv_sha256 } };
}

/** None where a shipment of it was voided since. */
async function findDocuments(
  db: Database,
  accountId: string,
  { id, key: file_key }: { id: string; key: string },
): Promise<Listing | null> {
  const row = await db
    .selectFrom("combined_documents")
    .select(["bytes", "sha256"])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("file_key", "=", file_key)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM shipments WHERE shipments.account_id = ${accountId}
          AND shipments.id = ANY (combined_documents.shipment_ids)
          AND shipments.status IN ('void_pending', 'voided', 'cancelled'))`,
    )
    .executeTakeFirst();
  return row ? { of: "documents", file: { file_key, ...row } } : null;
}
