import { sql, type SqlBool } from "kysely";
import type { Database } from "../../database/tables.ts";
import { nameOfActor } from "../../domain/accounts/principal.ts";
import { onPage, type Page } from "../../http/paging.ts";

/** The SQL of the operator's searches, which are of all accounts. */

const inNames = (q: string) =>
  sql<SqlBool>`strpos(folded(organizations.name || ' ' || organizations.owner_email), folded(${q})) > 0`;

/** Up to twenty each of organizations and accounts: by a part of a name or an e-mail, or by an id. */
export async function search(db: Database, q: string) {
  const organizations = await db
    .selectFrom("organizations")
    .select(["id", "name", "owner_email"])
    .where((eb) => eb.or([eb("id", "=", q), inNames(q)]))
    .orderBy("id", "desc")
    .limit(20)
    .execute();
  const accounts = await selectAccounts(db, { q }).orderBy("id", "desc").limit(20).execute();
  return { organizations, accounts };
}

export interface WantedAccounts {
  q?: string;
  suspended?: boolean;
}

function selectAccounts(db: Database, { q, suspended }: WantedAccounts) {
  return db
    .selectFrom("accounts")
    .innerJoin("organizations", "organizations.id", "accounts.organization_id")
    .select([
      "accounts.account_id as id",
      "organization_id",
      "organizations.name as organization_name",
      "environment",
      "currency",
      "suspended_at",
      "accounts.created_at",
    ])
    .$if(q !== undefined, (accounts) =>
      accounts.where((eb) => eb.or([eb("accounts.account_id", "=", q!), inNames(q!)])),
    )
    .$if(suspended !== undefined, (accounts) =>
      accounts.where("suspended_at", suspended ? "is not" : "is", null),
    );
}

/** One page, newest first. */
export async function listAccounts(
  db: Database,
  { page, ...wanted }: WantedAccounts & { page: Page },
) {
  return onPage(selectAccounts(db, wanted), page, "accounts.account_id").execute();
}

export async function countAccounts(db: Database, wanted: WantedAccounts): Promise<number> {
  const { total } = await db
    .selectFrom(selectAccounts(db, wanted).as("found"))
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** Changes of all accounts, newest first, older than a moment. */
export async function listWholeAudit(
  db: Database,
  { limit, before, action }: { limit: number; before: Date; action?: string },
) {
  const rows = await db
    .selectFrom("audit_log")
    .select(["account_id", "id", "actor", "action", "subject_id", "details", "created_at"])
    .where("created_at", "<", before)
    .$if(action !== undefined, (log) => log.where("action", "=", action!))
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, actor: nameOfActor(row.actor) }));
}

/** The accounts of organizations, by their organization. */
export async function accountsOf(db: Database, organizationIds: string[]) {
  const rows = await db
    .selectFrom("accounts")
    .select(["account_id as id", "organization_id", "environment", "suspended_at"])
    .where("organization_id", "in", organizationIds)
    .orderBy("account_id")
    .execute();
  return Map.groupBy(rows, ({ organization_id }) => organization_id);
}
