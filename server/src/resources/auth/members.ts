import type { Membership } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { scopesOf, type Role } from "../../domain/accounts/roles.ts";
import { ApiError, notFound } from "../../domain/errors/errors.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import type { AuthContext } from "./context.ts";
import * as store from "./member-store.ts";

/** Who belongs to an organization, and in which role. Each change is in force within a second everywhere. */

/** Throws 404 for an organization that the visitor is no member of, 403 for a member who is no owner. */
export function requireOwner({ user }: AuthContext, organization_id: string): Membership {
  const membership = user!.memberships.find((each) => each.organization_id === organization_id);
  if (!membership) throw notFound();
  if (membership.role === "owner") return membership;
  throw new ApiError("scope_missing", {
    message: "Only an owner of the organization may do this.",
    details: { required_scopes: [], token_scopes: scopesOf(membership.role, "live") },
  });
}

/** Throws 404 for who is no member, 409 `conflict` where no owner would be left. */
export async function changeRole(
  ctx: AuthContext,
  { organization_id, user_id, role }: { organization_id: string; user_id: string; role: Role },
): Promise<store.MemberRow> {
  requireOwner(ctx, organization_id);
  const member = await inTransaction(ctx.db, async (tx) => {
    if (role !== "owner") await refuseLastOwner(tx, organization_id, user_id);
    const changed = await store.setRole(tx, { organization_id, user_id, role });
    if (!changed) throw notFound();
    const details = { user_id, role };
    await auditOrganization(tx, ctx, { organization_id, action: "member.role_changed", details });
    return changed;
  });
  ctx.callers.forget();
  return member;
}

/** Takes a member out; members other than owners may do so for themselves. Throws as `changeRole` does. */
export async function removeMember(
  ctx: AuthContext,
  { organization_id, user_id }: { organization_id: string; user_id: string },
): Promise<void> {
  const isOwn = user_id === ctx.user!.user_id;
  const isMember = ctx.user!.memberships.some((each) => each.organization_id === organization_id);
  if (!isOwn || !isMember) requireOwner(ctx, organization_id);
  await inTransaction(ctx.db, async (tx) => {
    await refuseLastOwner(tx, organization_id, user_id);
    if (!(await store.deleteMember(tx, { organization_id, user_id }))) throw notFound();
    const details = { user_id };
    await auditOrganization(tx, ctx, { organization_id, action: "member.removed", details });
  });
  ctx.callers.forget();
}

async function refuseLastOwner(tx: Tx, organization_id: string, user_id: string): Promise<void> {
  const owners = await store.lockOwners(tx, organization_id);
  if (owners.length !== 1 || owners[0] !== user_id) return;
  throw new ApiError("conflict", {
    message: "The organization's last owner cannot leave; make another member an owner first.",
  });
}

/** The audit log's entry of a change of an organization: among those of its production account. */
export async function auditOrganization(
  tx: Tx,
  ctx: Pick<AuthContext, "principal" | "request_id">,
  change: { organization_id: string; action: string; details: object },
): Promise<void> {
  const { organization_id: subject_id, action, details } = change;
  const [account_id = operatorsAccountId] = await store.listAccountIds(tx, subject_id);
  await recordAudit(tx, { account_id, by: originOf(ctx), action, subject_id, details });
}
