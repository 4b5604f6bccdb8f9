import { sql, type Selectable } from "kysely";
import {
  type Database,
  type Environment,
  type TokensTable,
  type Tx,
} from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type TokenRow = Omit<Selectable<TokensTable>, "token_hash">;

const columns = [
  "account_id",
  "id",
  "name",
  "scopes",
  "last_four",
  "created_by",
  "created_at",
  "expires_at",
  "last_used_at",
  "revoked_at",
] as const;

export async function insertToken(tx: Tx, token: TokenRow & { token_hash: Buffer }): Promise<void> {
  await tx.insertInto("tokens").values(token).execute();
}

export async function findToken(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<TokenRow | null> {
  const row = await db
    .selectFrom("tokens")
    .select(columns)
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Throws 404, the same for a missing token and another account's. */
export async function getToken(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<TokenRow> {
  const row = await findToken(db, accountId, id);
  if (!row) throw notFound();
  return row;
}

/** The same, locked against revocation and rotation until the transaction ends. */
export async function lockToken(tx: Tx, accountId: string, id: string): Promise<TokenRow> {
  const row = await tx
    .selectFrom("tokens")
    .select(columns)
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function setRevokedAt(tx: Tx, { account_id, id }: TokenRow, at: Date): Promise<void> {
  await tx
    .updateTable("tokens")
    .set({ revoked_at: at })
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

export async function listTokens(db: Database, accountId: string, page: Page): Promise<TokenRow[]> {
  const tokens = db.selectFrom("tokens").select(columns).where("account_id", "=", accountId);
  return onPage(tokens, page, "id").execute();
}

export async function countTokens(db: Database, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("tokens")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * How many of the account's tokens are in force apart from the one that is replaced, `most` at most; locked
 * against minting until the transaction ends. The condition has the form of the index `tokens_by_end`.
 */
export async function lockTokensInForce(
  tx: Tx,
  accountId: string,
  { now, most, replaced }: { now: Date; most: number; replaced: string | null },
): Promise<number> {
  await sql`SELECT FROM accounts WHERE account_id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM tokens WHERE account_id = ${accountId}
        AND coalesce(least(revoked_at, expires_at), 'infinity') > ${now}
        AND id IS DISTINCT FROM ${replaced}
      LIMIT ${most}) AS in_force`.execute(tx);
  return rows[0]!.count;
}

export async function findEnvironment(tx: Tx, accountId: string): Promise<Environment | null> {
  const account = await tx
    .selectFrom("accounts")
    .select("environment")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return account?.environment ?? null;
}
