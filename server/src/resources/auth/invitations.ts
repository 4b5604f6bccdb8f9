import { inTransaction } from "../../database/connect.ts";
import { isOutdated } from "../../domain/accounts/password-hash.ts";
import type { Role } from "../../domain/accounts/roles.ts";
import {
  addProblem,
  ApiError,
  notFound,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { newId } from "../../domain/values/ids.ts";
import type { WithCookie } from "../../http/auth-api.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import { auditPerson, beginSession, needsAfterPassword, principalOf } from "./begin-session.ts";
import type { AuthContext } from "./context.ts";
import * as store from "./member-store.ts";
import { auditOrganization, requireOwner } from "./members.ts";
import { addWeakness, refuseWeakPassword } from "./passwords.ts";
import { emailOf, wrong } from "./refusals.ts";
import type { SignedIn } from "./sign-in.ts";
import * as people from "./store.ts";

const validMs = 7 * 86_400_000;

/**
 * Invites a person, and returns the link, this once: so no SMTP server is needed. Throws 409 `conflict` for a
 * member.
 */
export async function invite(
  ctx: AuthContext,
  input: { organization_id: string; email: string; role: Role },
): Promise<{ invitation: store.InvitationRow; link: string; is_mailed: boolean }> {
  const { organization_id, role } = input;
  const { organization_name } = requireOwner(ctx, organization_id);
  const email = emailOf(input.email);
  const members = await store.listMembers(ctx.db, organization_id);
  if (members.some((each) => each.email === email))
    throw new ApiError("conflict", { message: "The person is a member already." });
  const now = ctx.clock.now();
  const token = newToken("inv");
  const invitation: store.InvitationRow = {
    id: newId("inv", now),
    organization_id,
    email,
    role,
    invited_by: ctx.user!.user_id,
    created_at: now,
    expires_at: new Date(now.getTime() + validMs),
    accepted_at: null,
  };
  await inTransaction(ctx.db, async (tx) => {
    await store.replaceInvitation(tx, { ...invitation, token_hash: hashToken(token) });
    const details = { invitation_id: invitation.id, role };
    await auditOrganization(tx, ctx, { organization_id, action: "member.invited", details });
  });
  const link = `${ctx.origin}/app/invitations/${token}`;
  ctx.mailer.send({
    to: email,
    subject: `Your invitation to ${organization_name}`,
    text: `You are invited to ${organization_name} on Waybill. This link is valid for seven days:\n\n${link}\n`,
  });
  return { invitation, link, is_mailed: ctx.mailer.is_configured };
}

/** Takes an open invitation back. Throws 404 for any other. */
export async function withdrawInvitation(
  ctx: AuthContext,
  { organization_id, id }: { organization_id: string; id: string },
): Promise<void> {
  requireOwner(ctx, organization_id);
  await inTransaction(ctx.db, async (tx) => {
    if (!(await store.deleteInvitation(tx, { organization_id, id }))) throw notFound();
    const details = { invitation_id: id };
    await auditOrganization(tx, ctx, { organization_id, action: "invitation.withdrawn", details });
  });
}

/** What a link invites to. Throws 404 for one that was used, withdrawn or is too old. */
export async function showInvitation(ctx: AuthContext, token: string) {
  const found = await store.findInvitation(ctx.db, hashToken(token), ctx.clock.now());
  if (!found) throw notFound();
  const person = await people.findPersonByEmail(ctx.db, "user", found.email);
  return { ...found, has_password: person?.password_hash != null };
}

/**
 * Accepts an invitation and signs the person in. Who has an account gives its password, another person
 * chooses one. Throws 404 for a link that cannot be used, 401 for a wrong password, 422 for a weak one.
 */
export async function acceptInvitation(
  ctx: AuthContext,
  token: string,
  input: { name?: string | null; password: string },
): Promise<WithCookie<SignedIn>> {
  const found = await showInvitation(ctx, token);
  const { email, organization_id, role } = found;
  const known = await people.findPersonByEmail(ctx.db, "user", email);
  const name = cleanText(input.name ?? "");
  if (!known) refuseNewPerson({ ...input, name, email });
  const password_hash = await checkedPassword(ctx, { email, known, password: input.password });
  const id = known?.id ?? newId("usr", ctx.clock.now());
  const needs = needsAfterPassword(ctx, "user", known ?? { totp_confirmed_at: null });
  const person = { id, email, name: known?.name ?? name! };
  const value = await inTransaction(ctx.db, async (tx) => {
    if (!(await store.acceptInvitation(tx, found.id, ctx.clock.now()))) throw notFound();
    // Another invitation of the same person was accepted at the same moment.
    if (!known && !(await people.insertUser(tx, { ...person, password_hash }))) throw notFound();
    if (known) await people.setPassword(tx, "user", { id, password_hash });
    await store.insertMember(tx, { organization_id, user_id: id, role });
    const by = { ...ctx, principal: principalOf("user", person) };
    const details = { user_id: id, role };
    await auditOrganization(tx, by, { organization_id, action: "member.joined", details });
    await auditPerson(tx, ctx, { kind: "user", person, action: "user.signed_in" });
    return beginSession(tx, ctx, { kind: "user", id, needs });
  });
  ctx.callers.forget();
  const memberships = needs === null ? await store.listMemberships(ctx.db, id) : [];
  return { data: { person, memberships, next: needs }, cookie: { kind: "ses", value } };
}

/** Throws 422 for a name or a password that is not taken. */
function refuseNewPerson({
  name,
  email,
  password,
}: {
  name: string | null;
  email: string;
  password: string;
}): void {
  const problems: Problems = {};
  if (name === null) addProblem(problems, "name", "must not be blank.");
  addWeakness(problems, password, { email });
  throwIfAny(problems);
}

/** The hash to be stored: of the person's own password, or of the one that a new person chose. */
async function checkedPassword(
  ctx: AuthContext,
  { email, known, password }: { email: string; known: people.Person | null; password: string },
): Promise<string> {
  const stored = known?.password_hash ?? null;
  if (!known) return ctx.passwords.hash(password);
  if (stored === null && !known.disabled_at) {
    refuseWeakPassword(password, email);
    return ctx.passwords.hash(password);
  }
  const tried = ctx.throttle.begin(`user ${email}`, ctx.ip);
  const isRight = await ctx.passwords.check(known.disabled_at ? null : stored, password);
  if (!isRight || stored === null) throw await wrong(ctx);
  tried.succeeded();
  return isOutdated(stored) ? ctx.passwords.hash(password) : stored;
}
