import { sql } from "kysely";
import type { FoundOperator, FoundUser, Membership } from "../context.ts";
import { accountOf } from "../database/account-of.ts";
import type { Database, Environment, SessionNeeds } from "../database/tables.ts";
import type { Role } from "../domain/accounts/roles.ts";
import type { Address } from "../domain/addresses/address.ts";

/** The SQL of sessions as callers. Like tokens, they are found by their hash alone. */

interface SessionRow {
  id: string;
  email: string;
  name: string;
  needs: SessionNeeds | null;
  is_disabled: boolean;
  seen_at: Date;
  expires_at: Date;
  strong_until: Date | null;
}

interface UserRow extends SessionRow {
  user_id: string;
  organization_id: string | null;
  organization_name: string;
  role: Role;
  account_id: string | null;
  environment: Environment;
  currency: string;
  default_from_address: Address | null;
  settings: Record<string, unknown>;
  suspended_at: Date | null;
}

/** A row for each account of each of the person's organizations. */
export async function findUserSession(db: Database, hash: Buffer): Promise<FoundUser | null> {
  const { rows } = await sql<UserRow>`
    SELECT sessions.id, sessions.user_id, users.email, users.name, sessions.needs,
      users.disabled_at IS NOT NULL AS is_disabled, sessions.seen_at, sessions.expires_at,
      sessions.strong_until, memberships.organization_id, organizations.name AS organization_name,
      memberships.role, accounts.account_id, accounts.environment, accounts.currency,
      accounts.default_from_address, accounts.settings, accounts.suspended_at
    FROM sessions JOIN users ON users.id = sessions.user_id
    LEFT JOIN memberships ON memberships.user_id = users.id
    LEFT JOIN organizations ON organizations.id = memberships.organization_id
    LEFT JOIN accounts ON accounts.organization_id = memberships.organization_id
    WHERE sessions.token_hash = ${hash}
    ORDER BY memberships.organization_id, accounts.account_id`.execute(db);
  const [first] = rows;
  if (!first) return null;
  return { ...sessionOf(first), user_id: first.user_id, memberships: membershipsOf(rows) };
}

function membershipsOf(rows: readonly UserRow[]): Membership[] {
  const byOrganization = Map.groupBy(rows, ({ organization_id }) => organization_id);
  byOrganization.delete(null);
  return [...byOrganization].map(([organization_id, its]) => ({
    organization_id: organization_id!,
    organization_name: its[0]!.organization_name,
    role: its[0]!.role,
    accounts: its.flatMap(({ account_id, suspended_at, ...row }) =>
      account_id === null
        ? []
        : [
            {
              account: accountOf({ ...row, account_id, organization_id: organization_id! }),
              suspended_at,
            },
          ],
    ),
  }));
}

/** Also one that has ended or whose operator is disabled: the caller decides. Null for none. */
export async function findOperatorSession(
  db: Database,
  hash: Buffer,
): Promise<FoundOperator | null> {
  const { rows } = await sql<SessionRow & { operator_id: string }>`
    SELECT sessions.id, sessions.operator_id, operators.email, operators.name, sessions.needs,
      operators.disabled_at IS NOT NULL AS is_disabled, sessions.seen_at, sessions.expires_at,
      sessions.strong_until
    FROM sessions JOIN operators ON operators.id = sessions.operator_id
    WHERE sessions.token_hash = ${hash}`.execute(db);
  const [row] = rows;
  return row ? { ...sessionOf(row), operator_id: row.operator_id } : null;
}

function sessionOf(row: SessionRow): SessionRow {
  const { id, email, name, needs, is_disabled, seen_at, expires_at, strong_until } = row;
  return { id, email, name, needs, is_disabled, seen_at, expires_at, strong_until };
}

/** Never moves it back. */
export async function noteSessionUse(db: Database, id: string, at: Date): Promise<void> {
  await sql`UPDATE sessions SET seen_at = ${at} WHERE id = ${id} AND seen_at < ${at}`.execute(db);
}

/** Deletes what can no longer be used; the loop of any worker calls it. */
export async function sweepSessions(db: Database, now: Date): Promise<void> {
  await sql`DELETE FROM sessions WHERE expires_at < ${now}`.execute(db);
  await sql`DELETE FROM one_time_links WHERE expires_at < ${now}`.execute(db);
  await sql`DELETE FROM device_logins WHERE expires_at < ${now}`.execute(db);
}
