import { sql, type SqlBool } from "kysely";
import type { Database } from "../../database/tables.ts";
import { nameOfActor } from "../../domain/accounts/principal.ts";
import { fromCents } from "../../domain/values/money.ts";
import { onPage, type Page } from "../../http/paging.ts";

/** The SQL of the operator's searches, which are of all accounts. */

const inNames = (q: string) =>
  sql<SqlBool>`strpos(folded(organizations.name || ' ' || organizations.owner_email), folded(${q})) > 0`;

/**
 * The accounts that something of theirs leads to: a tracking code, a request's id, a member's e-mail, or the id of a
 * shipment or order, which is looked for in one account after the other.
 */
async function accountsWith(db: Database, text: string): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM trackers WHERE tracking_code = ${text}
    UNION SELECT account_id FROM request_log WHERE request_id = ${text}
    UNION SELECT accounts.account_id FROM users JOIN memberships ON memberships.user_id = users.id
      JOIN accounts ON accounts.organization_id = memberships.organization_id WHERE users.email = lower(${text})
    UNION SELECT accounts.account_id FROM accounts JOIN shipments ON shipments.account_id = accounts.account_id
      AND shipments.id = ${text}
    UNION SELECT accounts.account_id FROM accounts JOIN orders ON orders.account_id = accounts.account_id
      AND orders.id = ${text}
    LIMIT 100`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** What accounts are searched by, with those that the text leads to without being in their names. */
export async function wantedAccounts(
  db: Database,
  { q, suspended }: { q?: string | undefined; suspended?: boolean | undefined },
): Promise<WantedAccounts> {
  return {
    ...(q === undefined ? {} : { q, ids: [q, ...(await accountsWith(db, q))] }),
    ...(suspended === undefined ? {} : { suspended }),
  };
}

/**
 * Up to twenty each of organizations and accounts: by a part of a name or an e-mail, by an id, or by what else
 * leads to an account.
 */
export async function search(db: Database, q: string) {
  const organizations = await db
    .selectFrom("organizations")
    .select(["id", "name", "owner_email"])
    .where((eb) => eb.or([eb("id", "=", q), inNames(q)]))
    .orderBy("id", "desc")
    .limit(20)
    .execute();
  const wanted = await wantedAccounts(db, { q });
  const accounts = await selectAccounts(db, wanted).orderBy("id", "desc").limit(20).execute();
  return { organizations, accounts: accounts.map(toFoundAccount) };
}

interface WantedAccounts {
  q?: string;
  /** Found in addition to those whose names have the text. */
  ids?: string[];
  suspended?: boolean;
}

function selectAccounts(db: Database, { q, ids = [], suspended }: WantedAccounts) {
  return db
    .selectFrom("accounts")
    .innerJoin("organizations", "organizations.id", "accounts.organization_id")
    .leftJoin("balances", "balances.account_id", "accounts.account_id")
    .select([
      "accounts.account_id as id",
      "organization_id",
      "organizations.name as organization_name",
      "environment",
      "accounts.currency",
      "suspended_at",
      "accounts.created_at",
      "balances.balance_cents",
    ])
    .$if(q !== undefined, (accounts) =>
      accounts.where((eb) => eb.or([eb("accounts.account_id", "in", ids), inNames(q!)])),
    )
    .$if(suspended !== undefined, (accounts) =>
      accounts.where("suspended_at", suspended ? "is not" : "is", null),
    );
}

/** As it is shown: its balance in the currency's unit. */
export function toFoundAccount<Row extends { balance_cents: number | null }>({
  balance_cents,
  ...row
}: Row) {
  return { ...row, balance: fromCents(balance_cents ?? 0) };
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
  if (organizationIds.length === 0) return new Map<string, never[]>();
  const rows = await db
    .selectFrom("accounts")
    .select(["account_id as id", "organization_id", "environment", "suspended_at"])
    .where("organization_id", "in", organizationIds)
    .orderBy("account_id")
    .execute();
  return Map.groupBy(rows, ({ organization_id }) => organization_id);
}
