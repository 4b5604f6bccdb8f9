import { sql } from "kysely";
import type { Database, Tx } from "../../database/tables.ts";
import type { PersonKind } from "./store.ts";

/** The SQL of second factors, and of links that let a person choose a password. */

const tableOf = { user: "users", operator: "operators" } as const;

/** A new secret, not in force before it is confirmed. False where one is in force. */
export async function setTotpSecret(
  db: Database,
  kind: PersonKind,
  { id, totp_secret }: { id: string; totp_secret: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(tableOf[kind])} SET totp_secret = ${totp_secret}
    WHERE id = ${id} AND totp_confirmed_at IS NULL`.execute(db);
  return numAffectedRows === 1n;
}

/** False where another request has confirmed it, or replaced the secret. */
export async function confirmTotp(
  tx: Tx,
  kind: PersonKind,
  { id, totp_secret, step, now }: { id: string; totp_secret: string; step: number; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(tableOf[kind])} SET totp_confirmed_at = ${now}, totp_step = ${step}
    WHERE id = ${id} AND totp_secret = ${totp_secret} AND totp_confirmed_at IS NULL`.execute(tx);
  return numAffectedRows === 1n;
}

/** Uses up a step of time: false where its code was used. */
export async function useTotpStep(
  tx: Tx,
  kind: PersonKind,
  { id, step }: { id: string; step: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(tableOf[kind])} SET totp_step = ${step} WHERE id = ${id} AND totp_step < ${step}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** The recovery codes go with the secret. */
export async function clearTotp(tx: Tx, kind: PersonKind, id: string): Promise<void> {
  await sql`
    UPDATE ${sql.table(tableOf[kind])} SET totp_secret = NULL, totp_confirmed_at = NULL WHERE id = ${id}`.execute(
    tx,
  );
  await sql`DELETE FROM recovery_codes WHERE person_id = ${id}`.execute(tx);
}

/** The earlier codes are void from here on. */
export async function replaceRecoveryCodes(
  tx: Tx,
  id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`DELETE FROM recovery_codes WHERE person_id = ${id}`.execute(tx);
  await tx
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ person_id: id, code_hash, used_at: null })))
    .execute();
}

/** False for an unknown code, or a used one. */
export async function useRecoveryCode(
  tx: Tx,
  { id, code_hash, now }: { id: string; code_hash: Buffer; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE recovery_codes SET used_at = ${now}
    WHERE person_id = ${id} AND code_hash = ${code_hash} AND used_at IS NULL`.execute(tx);
  return numAffectedRows === 1n;
}

export async function insertLink(
  tx: Tx,
  link: {
    token_hash: Buffer;
    person: { kind: PersonKind; id: string };
    now: Date;
    expires_at: Date;
  },
): Promise<void> {
  const { token_hash, person, now, expires_at } = link;
  await tx
    .insertInto("one_time_links")
    .values({
      token_hash,
      user_id: person.kind === "user" ? person.id : null,
      operator_id: person.kind === "operator" ? person.id : null,
      created_at: now,
      expires_at,
      used_at: null,
    })
    .execute();
}

/** The person of a link that can be used; null for any other. */
export async function findLink(
  db: Database,
  token_hash: Buffer,
  now: Date,
): Promise<{ kind: PersonKind; id: string; email: string } | null> {
  const { rows } = await sql<{ user_id: string | null; operator_id: string | null; email: string }>`
    SELECT user_id, operator_id, coalesce(users.email, operators.email) AS email FROM one_time_links
    LEFT JOIN users ON users.id = user_id LEFT JOIN operators ON operators.id = operator_id
    WHERE token_hash = ${token_hash} AND used_at IS NULL AND expires_at > ${now}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { user_id, operator_id, email } = row;
  return user_id !== null
    ? { kind: "user", id: user_id, email }
    : { kind: "operator", id: operator_id!, email };
}

/** Uses the link, and with it every other of its person. False where another request has used it. */
export async function useLink(tx: Tx, token_hash: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE one_time_links SET used_at = ${now} WHERE token_hash = ${token_hash} AND used_at IS NULL
      AND expires_at > ${now}`.execute(tx);
  if (numAffectedRows !== 1n) return false;
  await sql`
    UPDATE one_time_links AS other SET used_at = ${now} FROM one_time_links AS used
    WHERE used.token_hash = ${token_hash} AND other.used_at IS NULL
      AND (other.user_id = used.user_id OR other.operator_id = used.operator_id)`.execute(tx);
  return true;
}
