import { inTransaction } from "../../database/connect.ts";
import {
  json,
  type Database,
  type Environment,
  type StoredDocument,
} from "../../database/tables.ts";

/** The SQL of labels' files. */

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
