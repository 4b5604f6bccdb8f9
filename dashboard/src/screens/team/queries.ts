import { queryOptions } from "@tanstack/react-query";
import { authCall } from "../../auth.ts";
import type { Role } from "../../session.ts";

export interface Member {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  has_totp: boolean;
  created_at: string;
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}

export interface Session {
  id: string;
  is_current: boolean;
  seen_at: string;
  ip: string;
  user_agent: string;
}

export const roles: readonly Role[] = ["owner", "shipper", "developer", "finance", "viewer"];

/** An organization's members, for its owners. */
export function membersQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["organization", organization_id, "members"],
    queryFn: ({ signal }) =>
      authCall<Member[]>("GET", `/organizations/${organization_id}/members`, { signal }),
  });
}

/** Its open invitations, without their links. */
export function invitationsQuery(organization_id: string) {
  return queryOptions({
    queryKey: ["organization", organization_id, "invitations"],
    queryFn: ({ signal }) =>
      authCall<Invitation[]>("GET", `/organizations/${organization_id}/invitations`, { signal }),
  });
}

/** Where the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => authCall<Session[]>("GET", "/sessions", { signal }),
});
