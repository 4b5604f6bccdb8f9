import type { Selectable } from "kysely";
import type { CarrierConnectionsTable, Database, Tx } from "../../database/tables.ts";

/** Reads connections for calls to carriers. What changes them is `resources/carrier-connections/`. */

export type ConnectionRow = Selectable<CarrierConnectionsTable>;

/** Those of one owner, the platform or an account. */
export async function connectionsOf(
  db: Database | Tx,
  owner: string,
): Promise<readonly ConnectionRow[]> {
  return db
    .selectFrom("carrier_connections")
    .selectAll()
    .where("account_id", "=", owner)
    .orderBy("id")
    .execute();
}

/** Marks it as failing, unless it was changed since it was read. Returns whether this call did. */
export async function markFailing(
  tx: Tx,
  { account_id, id, version }: Pick<ConnectionRow, "account_id" | "id" | "version">,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("carrier_connections")
    .set({ status: "failing" })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .where("version", "=", version)
    .where("status", "in", ["untested", "active"])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
