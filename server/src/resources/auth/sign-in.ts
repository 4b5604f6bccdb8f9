import { inTransaction } from "../../database/connect.ts";
import type { SessionNeeds } from "../../database/tables.ts";
import { isOutdated } from "../../domain/accounts/password-hash.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { WithCookie } from "../../http/auth-api.ts";
import { auditPerson, beginSession, needsAfterPassword } from "./begin-session.ts";
import type { AuthContext } from "./context.ts";
import { listMemberships, type MembershipRow } from "./member-store.ts";
import { emailOf, wrong } from "./refusals.ts";
import { useSecondFactor } from "./second-factor.ts";
import * as store from "./store.ts";

export interface SignedIn {
  person: { id: string; email: string; name: string };
  /** Of a user whose sign-in is finished. */
  memberships: MembershipRow[];
  next: SessionNeeds | null;
}

/**
 * Signs a person in by e-mail and password. Throws 401 for a wrong one, with the same bytes and after the same
 * work whether or not there is such a person, and 429 for too many tries.
 */
export async function signIn(
  ctx: AuthContext,
  kind: store.PersonKind,
  input: { email: string; password: string },
): Promise<WithCookie<SignedIn>> {
  const email = emailOf(input.email);
  const tried = ctx.throttle.begin(`${kind} ${email}`, ctx.ip);
  const person = await store.findPersonByEmail(ctx.db, kind, email);
  const stored = person && !person.disabled_at ? person.password_hash : null;
  const isRight = await ctx.passwords.check(stored, input.password);
  if (!isRight || !person || stored === null) throw await wrong(ctx);
  tried.succeeded();
  const anew = isOutdated(stored) ? await ctx.passwords.hash(input.password) : null;
  const needs = needsAfterPassword(ctx, kind, person);
  return finish(ctx, kind, { person, needs, anew });
}

/** Finishes a sign-in with a code of the second factor, or a recovery code. Throws 401 and 429. */
export async function finishSignIn(
  ctx: AuthContext,
  kind: store.PersonKind,
  code: string,
): Promise<WithCookie<SignedIn>> {
  const session = kind === "user" ? ctx.user : ctx.operator;
  const id = kind === "user" ? ctx.user?.user_id : ctx.operator?.operator_id;
  if (session?.needs !== "totp" || id === undefined) throw new ApiError("unauthenticated");
  const tried = ctx.throttle.begin(`totp ${id}`);
  const person = await store.getPerson(ctx.db, kind, id);
  if (!(await useSecondFactor(ctx, kind, { person, code }))) throw await wrong(ctx);
  tried.succeeded();
  return finish(ctx, kind, { person, needs: null, anew: null });
}

async function finish(
  ctx: AuthContext,
  kind: store.PersonKind,
  {
    person,
    needs,
    anew,
  }: { person: store.Person; needs: SessionNeeds | null; anew: string | null },
): Promise<WithCookie<SignedIn>> {
  const { id, email, name } = person;
  const value = await inTransaction(ctx.db, async (tx) => {
    if (anew !== null) await store.setPassword(tx, kind, { id, password_hash: anew });
    if (needs === null) await auditPerson(tx, ctx, { kind, person, action: `${kind}.signed_in` });
    return beginSession(tx, ctx, { kind, id, needs });
  });
  ctx.callers.forget();
  const isFinished = kind === "user" && needs === null;
  const memberships = isFinished ? await listMemberships(ctx.db, id) : [];
  return {
    data: { person: { id, email, name }, memberships, next: needs },
    cookie: { kind: store.cookieOf[kind], value },
  };
}
