import { sql } from "kysely";
import { json, type Database, type Tx } from "../../database/tables.ts";
import { nameOfActor } from "../../domain/accounts/principal.ts";
import { notFound } from "../../domain/errors/errors.ts";

export async function insertOrganization(
  tx: Tx,
  organization: { id: string; name: string; owner_email: string; created_at: Date },
): Promise<void> {
  await tx.insertInto("organizations").values(organization).execute();
}

export async function insertAccount(
  tx: Tx,
  account: {
    account_id: string;
    organization_id: string;
    environment: "live" | "test";
    currency: string;
  },
): Promise<void> {
  await tx
    .insertInto("accounts")
    .values({
      ...account,
      default_from_address: json(null),
      suspended_at: null,
      has_statements: true,
    })
    .execute();
}

export async function listOrganizations(db: Database) {
  return db
    .selectFrom("organizations")
    .select(["id", "name", "owner_email", "created_at"])
    .orderBy("id", "desc")
    .limit(1000)
    .execute();
}

export async function getAccount(db: Database | Tx, accountId: string) {
  const account = await db
    .selectFrom("accounts")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!account) throw notFound();
  return account;
}

export async function lockAccount(tx: Tx, accountId: string) {
  const account = await tx
    .selectFrom("accounts")
    .selectAll()
    .where("account_id", "=", accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!account) throw notFound();
  return account;
}

export async function changeAccount(
  tx: Tx,
  accountId: string,
  change: {
    settings?: object;
    suspended_at?: Date | null;
    currency?: string;
    time_zone?: string;
  },
): Promise<void> {
  const { settings, ...plain } = change;
  if (Object.keys(change).length === 0) return;
  await tx
    .updateTable("accounts")
    .set({
      ...plain,
      ...(settings === undefined ? {} : { settings: json(settings) }),
    })
    .where("account_id", "=", accountId)
    .execute();
}

export async function listAudit(db: Database, accountId: string) {
  const rows = await db
    .selectFrom("audit_log")
    .select(["id", "actor", "action", "subject_id", "details", "created_at"])
    .where("account_id", "=", accountId)
    // Not by id: those of earlier releases begin with `evt_`.
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => ({ ...row, actor: nameOfActor(row.actor) }));
}

/** The attempts without an outcome, by kind and party: an indicator of the parties' health. */
export async function countOpenAttempts(db: Database) {
  const { rows } = await sql<{
    kind: string;
    party: string;
    status: string;
    count: number;
    oldest_sent_at: Date;
  }>`
    SELECT kind, party, status, count(*)::int AS count, min(sent_at) AS oldest_sent_at
    FROM attempts WHERE status = 'review' OR (status IN ('sent', 'unknown') AND look_at IS NOT NULL)
    GROUP BY kind, party, status ORDER BY kind, party, status`.execute(db);
  return rows;
}

export async function listProcesses(db: Database) {
  return db
    .selectFrom("processes")
    .select(["id", "role", "started_at", "heartbeat_at"])
    .orderBy("started_at")
    .execute();
}

export async function insertOperatorToken(
  tx: Tx,
  token: { token_hash: Buffer; name: string },
): Promise<void> {
  await tx.insertInto("operator_tokens").values(token).execute();
}

/** Lets one process at a time decide whether the database is empty and needs a demo. */
export async function lockOrganizations(tx: Tx): Promise<void> {
  await sql`LOCK TABLE organizations IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
}

export async function isEmptyDatabase(db: Database | Tx): Promise<boolean> {
  return (
    (await db.selectFrom("organizations").select("id").limit(1).executeTakeFirst()) === undefined
  );
}

export async function hasOrganizationOf(db: Database, ownerEmail: string): Promise<boolean> {
  const found = await db
    .selectFrom("organizations")
    .select("id")
    .where("owner_email", "=", ownerEmail)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
