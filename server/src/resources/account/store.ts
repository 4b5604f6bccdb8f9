import { sql } from "kysely";
import { json, type Database, type Tx } from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";

/** The SQL of the caller's own account. Suspension and the operator's settings are `admin/store.ts`. */

export async function getAccount(db: Database | Tx, accountId: string) {
  const row = await selectAccount(db, accountId).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockAccount(tx: Tx, accountId: string) {
  const row = await selectAccount(tx, accountId).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

function selectAccount(db: Database | Tx, accountId: string) {
  return db
    .selectFrom("accounts")
    .select([
      "account_id",
      "organization_id",
      "environment",
      "currency",
      "time_zone",
      "default_from_address",
      "settings",
    ])
    .where("account_id", "=", accountId);
}

/** Whether PostgreSQL knows a time zone by this name; abbreviations, offsets and POSIX's rules are no names. */
export async function hasTimeZone(db: Database | Tx, name: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_timezone_names WHERE name = ${name}`.execute(db);
  return rows.length > 0;
}

export async function getOrganization(db: Database | Tx, id: string) {
  const row = await db
    .selectFrom("organizations")
    .select(["id", "name"])
    .where("id", "=", id)
    .executeTakeFirst();
  // Only tests have accounts without an organization.
  return row ?? { id, name: "" };
}

export async function renameOrganization(tx: Tx, id: string, name: string): Promise<void> {
  await tx.updateTable("organizations").set({ name }).where("id", "=", id).execute();
}

export async function changeAccount(
  tx: Tx,
  accountId: string,
  { settings, time_zone }: { settings: object; time_zone: string },
): Promise<void> {
  await tx
    .updateTable("accounts")
    .set({ settings: json(settings), time_zone })
    .where("account_id", "=", accountId)
    .execute();
}
