import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { sealingPurpose } from "../../database/reseal.ts";
import type { Database, Tx } from "../../database/tables.ts";
import type { Sealer } from "../../domain/accounts/sealer.ts";
import { newId } from "../../domain/values/ids.ts";

/** The secrets that webhooks are signed with, in the form of Standard Webhooks: `whsec_` and base64 of 32 bytes. */

interface WebhookKey {
  account_id: string;
  webhook_id: string;
}

/** Makes and stores a secret; only the return value has it in plain text. */
export async function mintSecret(
  tx: Tx,
  sealer: Sealer,
  { account_id, webhook_id, now }: WebhookKey & { now: Date },
): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const id = newId("whs", now);
  const sealed = sealer.seal(secret, purposeOf({ account_id, webhook_id, id }));
  await tx
    .insertInto("webhook_secrets")
    .values({ account_id, webhook_id, id, sealed, created_at: now, expires_at: null })
    .execute();
  return secret;
}

function purposeOf({ account_id, webhook_id, id }: WebhookKey & { id: string }): string {
  return sealingPurpose("webhook_secrets", account_id, webhook_id, id);
}

/**
 * The secrets in force of an account's webhooks, by webhook, the newest first: each signs. A webhook has none
 * only when `WAYBILL_SECRET` was changed without the previous one: nothing may be sent to it unsigned.
 */
export async function secretsInForce(
  db: Database | Tx,
  sealer: Sealer,
  wanted: { account_id: string; webhook_ids: readonly string[]; now: Date },
): Promise<Map<string, string[]>> {
  const { account_id, webhook_ids, now } = wanted;
  const rows = await db
    .selectFrom("webhook_secrets")
    .select(["webhook_id", "id", "sealed"])
    .where("account_id", "=", account_id)
    .where("webhook_id", "=", sql<string>`ANY(${webhook_ids})`)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    // The newest is the one without an end; ids come from the clocks of several processes.
    .orderBy("expires_at", (end) => end.desc().nullsFirst())
    .orderBy("id", "desc")
    .execute();
  const secrets = new Map<string, string[]>(webhook_ids.map((id) => [id, []]));
  for (const { webhook_id, id, sealed } of rows) {
    const secret = sealer.open(sealed, purposeOf({ account_id, webhook_id, id }));
    if (secret !== null) secrets.get(webhook_id)!.push(secret);
  }
  return secrets;
}

/** Deletes those that are no longer in force; returns how many are. */
export async function deleteExpired(
  tx: Tx,
  { account_id, webhook_id, now }: WebhookKey & { now: Date },
): Promise<number> {
  await tx
    .deleteFrom("webhook_secrets")
    .where("account_id", "=", account_id)
    .where("webhook_id", "=", webhook_id)
    .where("expires_at", "<=", now)
    .execute();
  const { count } = await tx
    .selectFrom("webhook_secrets")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", account_id)
    .where("webhook_id", "=", webhook_id)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes those of all webhooks whose overlap is over. For the hourly job. */
export async function sweepSecrets(db: Database, now: Date): Promise<void> {
  await sql`DELETE FROM webhook_secrets WHERE expires_at <= ${now}`.execute(db);
}

/** Lets every secret end at `at`, those that end earlier excepted. */
export async function expireSecrets(
  tx: Tx,
  { account_id, webhook_id, at }: WebhookKey & { at: Date },
): Promise<void> {
  await sql`
    UPDATE webhook_secrets SET expires_at = least(expires_at, ${at}::timestamptz)
    WHERE account_id = ${account_id} AND webhook_id = ${webhook_id}`.execute(tx);
}

export async function deleteSecrets(tx: Tx, { account_id, webhook_id }: WebhookKey): Promise<void> {
  await tx
    .deleteFrom("webhook_secrets")
    .where("account_id", "=", account_id)
    .where("webhook_id", "=", webhook_id)
    .execute();
}
