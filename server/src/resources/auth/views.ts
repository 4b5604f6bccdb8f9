import type { InvitationRow, MemberRow, MembershipRow } from "./member-store.ts";
import type { SignedIn } from "./sign-in.ts";

/** Rows as `/api/auth` shows them. */

export function toSignedInUser({ person, memberships, next }: SignedIn) {
  return { user: person, memberships: memberships.map(toMembership), next };
}

export function toSignedInOperator({ person, next }: SignedIn) {
  return { operator: person, next };
}

function toMembership({ organization_id, organization_name, role }: MembershipRow) {
  return { organization: { id: organization_id, name: organization_name }, role };
}

export function toMember({ created_at, ...row }: MemberRow) {
  return { ...row, created_at: created_at.toISOString() };
}

export function toInvitation({
  id,
  email,
  role,
  invited_by,
  created_at,
  expires_at,
}: InvitationRow) {
  const [created, expires] = [created_at.toISOString(), expires_at.toISOString()];
  return { id, email, role, invited_by, created_at: created, expires_at: expires };
}

export function toSession(
  row: {
    id: string;
    created_at: Date;
    seen_at: Date;
    expires_at: Date;
    ip: string;
    user_agent: string;
  },
  current: string,
) {
  return {
    id: row.id,
    is_current: row.id === current,
    created_at: row.created_at.toISOString(),
    seen_at: row.seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    ip: row.ip,
    user_agent: row.user_agent,
  };
}
