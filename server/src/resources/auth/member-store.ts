import { sql } from "kysely";
import { accountOf } from "../../database/account-of.ts";
import type { Account } from "../../context.ts";
import type {
  AccountsTable,
  Database,
  Environment,
  InvitationsTable,
  Tx,
} from "../../database/tables.ts";
import type { Role } from "../../domain/accounts/roles.ts";
import type { Selectable } from "kysely";

/** The SQL of organizations' members and invitations. */

export interface MembershipRow {
  organization_id: string;
  organization_name: string;
  role: Role;
}

export async function listMemberships(db: Database, user_id: string): Promise<MembershipRow[]> {
  const { rows } = await sql<MembershipRow>`
    SELECT memberships.organization_id, organizations.name AS organization_name, role
    FROM memberships JOIN organizations ON organizations.id = organization_id
    WHERE user_id = ${user_id} ORDER BY organization_id`.execute(db);
  return rows;
}

export interface MemberRow {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  created_at: Date;
  has_totp: boolean;
}

const memberColumns = sql.raw(
  "memberships.user_id, users.email, users.name, memberships.role, memberships.created_at, users.totp_confirmed_at IS NOT NULL AS has_totp",
);

/** The first thousand, in the order of their ids. */
export async function listMembers(db: Database, organization_id: string): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    SELECT ${memberColumns} FROM memberships JOIN users ON users.id = memberships.user_id
    WHERE memberships.organization_id = ${organization_id} ORDER BY memberships.user_id LIMIT 1000`.execute(
    db,
  );
  return rows;
}

/** The organization's owners, locked: two owners cannot leave at the same moment. */
export async function lockOwners(tx: Tx, organization_id: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    SELECT user_id FROM memberships WHERE organization_id = ${organization_id} AND role = 'owner'
    ORDER BY user_id FOR UPDATE`.execute(tx);
  return rows.map(({ user_id }) => user_id);
}

/** Null where the person is no member. */
export async function setRole(
  tx: Tx,
  { organization_id, user_id, role }: { organization_id: string; user_id: string; role: Role },
): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    UPDATE memberships SET role = ${role} FROM users
    WHERE memberships.organization_id = ${organization_id} AND user_id = ${user_id} AND users.id = user_id
    RETURNING ${memberColumns}`.execute(tx);
  return rows[0] ?? null;
}

/** Also takes back the invitations that the member sent. False where the person is no member. */
export async function deleteMember(
  tx: Tx,
  { organization_id, user_id }: { organization_id: string; user_id: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM memberships WHERE organization_id = ${organization_id} AND user_id = ${user_id}`.execute(
    tx,
  );
  await sql`
    DELETE FROM invitations WHERE organization_id = ${organization_id} AND invited_by = ${user_id}
      AND accepted_at IS NULL`.execute(tx);
  return numAffectedRows === 1n;
}

/** False where the person is a member already. */
export async function insertMember(
  tx: Tx,
  { organization_id, user_id, role }: { organization_id: string; user_id: string; role: Role },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO memberships (organization_id, user_id, role)
    VALUES (${organization_id}, ${user_id}, ${role}) ON CONFLICT DO NOTHING`.execute(tx);
  return numAffectedRows === 1n;
}

export type InvitationRow = Omit<Selectable<InvitationsTable>, "token_hash">;

const invitationColumns = [
  "id",
  "organization_id",
  "email",
  "role",
  "invited_by",
  "created_at",
  "expires_at",
  "accepted_at",
] as const;

/** In place of one that was sent to the same address before. */
export async function replaceInvitation(
  tx: Tx,
  invitation: InvitationRow & { token_hash: Buffer },
): Promise<void> {
  await sql`
    DELETE FROM invitations WHERE organization_id = ${invitation.organization_id}
      AND email = ${invitation.email} AND accepted_at IS NULL`.execute(tx);
  await tx.insertInto("invitations").values(invitation).execute();
}

/** The newest thousand that are open at `now`: neither accepted nor expired. */
export async function listInvitations(
  db: Database,
  organization_id: string,
  now: Date,
): Promise<InvitationRow[]> {
  return db
    .selectFrom("invitations")
    .select(invitationColumns)
    .where("organization_id", "=", organization_id)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("id", "desc")
    .limit(1000)
    .execute();
}

/** False where there is no such open invitation. */
export async function deleteInvitation(
  tx: Tx,
  { organization_id, id }: { organization_id: string; id: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM invitations WHERE organization_id = ${organization_id} AND id = ${id}
      AND accepted_at IS NULL`.execute(tx);
  return numAffectedRows === 1n;
}

/** An open invitation by the hash of its link; null for any other. */
export async function findInvitation(
  db: Database,
  token_hash: Buffer,
  now: Date,
): Promise<(InvitationRow & { organization_name: string }) | null> {
  const { rows } = await sql<InvitationRow & { organization_name: string }>`
    SELECT invitations.id, organization_id, email, role, invited_by, invitations.created_at, expires_at,
      accepted_at, organizations.name AS organization_name
    FROM invitations JOIN organizations ON organizations.id = organization_id
    WHERE token_hash = ${token_hash} AND accepted_at IS NULL AND expires_at > ${now}`.execute(db);
  return rows[0] ?? null;
}

/** False where another request has accepted it, or it was taken back. */
export async function acceptInvitation(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE invitations SET accepted_at = ${now} WHERE id = ${id} AND accepted_at IS NULL`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** The ids of an organization's accounts, production first. */
export async function listAccountIds(
  db: Database | Tx,
  organization_id: string,
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM accounts WHERE organization_id = ${organization_id}
    ORDER BY environment, account_id`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** The account of a member's organization, and the member's role; null for who is none. */
export async function findMembersAccount(
  tx: Tx,
  member: { organization_id: string; user_id: string; environment: Environment },
): Promise<{ account: Account; role: Role; is_suspended: boolean } | null> {
  type Row = Selectable<AccountsTable> & { role: Role };
  const { rows } = await sql<Row>`
    SELECT account_id, memberships.organization_id, environment, currency, default_from_address, settings,
      suspended_at, role
    FROM memberships JOIN users ON users.id = user_id
    JOIN accounts ON accounts.organization_id = memberships.organization_id
    WHERE memberships.organization_id = ${member.organization_id} AND user_id = ${member.user_id}
      AND environment = ${member.environment} AND users.disabled_at IS NULL`.execute(tx);
  const [row] = rows;
  return row
    ? { account: accountOf(row), role: row.role, is_suspended: row.suspended_at !== null }
    : null;
}
