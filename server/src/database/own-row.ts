import type { Selectable } from "kysely";
import { notFound } from "../domain/errors/errors.ts";
import type { Database, Tables, Tx } from "./tables.ts";

/** The tables whose rows an account names by an id. */
type OwnTable = {
  [Table in keyof Tables]: "account_id" | "id" extends keyof Tables[Table] ? Table : never;
}[keyof Tables];

interface Key {
  account_id: string;
  id: string;
}

/** The account's row with that id. Throws 404, the same for a missing row and another account's. */
export async function ownRow<Table extends OwnTable>(
  db: Database | Tx,
  table: Table,
  key: Key,
): Promise<Selectable<Tables[Table]>> {
  return found<Table>(await selectRow(db, table, key).executeTakeFirst());
}

/** The same, locked until the transaction ends. */
export async function lockedRow<Table extends OwnTable>(
  tx: Tx,
  table: Table,
  key: Key,
): Promise<Selectable<Tables[Table]>> {
  return found<Table>(await selectRow(tx, table, key).forUpdate().executeTakeFirst());
}

/** The types of a builder need one table's name: those of any other have the same two columns. */
function selectRow(db: Database | Tx, table: OwnTable, { account_id, id }: Key) {
  return db
    .selectFrom(table as "batches")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("id", "=", id);
}

function found<Table extends OwnTable>(row: unknown): Selectable<Tables[Table]> {
  if (!row) throw notFound();
  return row as Selectable<Tables[Table]>;
}
