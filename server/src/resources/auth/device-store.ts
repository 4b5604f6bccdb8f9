import { sql, type Selectable } from "kysely";
import type { Database, DeviceLoginsTable, Environment, Tx } from "../../database/tables.ts";

/** The SQL of programs that wait for a person's approval. */

export type DeviceLogin = Selectable<DeviceLoginsTable>;

const columns = [
  "device_hash",
  "user_code_hash",
  "client",
  "created_at",
  "expires_at",
  "polled_at",
  "user_id",
  "organization_id",
  "environment",
  "scopes",
  "name",
] as const;

type NewLogin = Pick<
  DeviceLogin,
  "device_hash" | "user_code_hash" | "client" | "created_at" | "expires_at"
>;

export async function insertDeviceLogin(tx: Tx, login: NewLogin): Promise<void> {
  await tx.insertInto("device_logins").values(login).execute();
}

/** One that waits for an approval; null for any other. */
export async function findWaiting(
  db: Database,
  user_code_hash: Buffer,
  now: Date,
): Promise<DeviceLogin | null> {
  const row = await db
    .selectFrom("device_logins")
    .select(columns)
    .where("user_code_hash", "=", user_code_hash)
    .where("user_id", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

export interface Approval {
  user_id: string;
  organization_id: string;
  environment: Environment;
  scopes: string[];
  name: string;
}

/** False where it no longer waits. */
export async function approve(tx: Tx, device_hash: Buffer, approval: Approval): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("device_logins")
    .set(approval)
    .where("device_hash", "=", device_hash)
    .where("user_id", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The login with this code, locked against other requests of its program; null for none. */
export async function lockDeviceLogin(tx: Tx, device_hash: Buffer): Promise<DeviceLogin | null> {
  const row = await tx
    .selectFrom("device_logins")
    .select(columns)
    .where("device_hash", "=", device_hash)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The time of the poll: the next one may come no sooner than the interval. */
export async function notePoll(tx: Tx, device_hash: Buffer, at: Date): Promise<void> {
  await sql`UPDATE device_logins SET polled_at = ${at} WHERE device_hash = ${device_hash}`.execute(
    tx,
  );
}

export async function deleteDeviceLogin(tx: Tx, device_hash: Buffer): Promise<void> {
  await sql`DELETE FROM device_logins WHERE device_hash = ${device_hash}`.execute(tx);
}
