import { inTransaction } from "../../database/connect.ts";
import { scopesOf } from "../../domain/accounts/roles.ts";
import {
  addProblem,
  invalid,
  notFound,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { auditPerson, strongMs } from "./begin-session.ts";
import type { AuthContext } from "./context.ts";
import { refuseWeakPassword } from "./passwords.ts";
import { wrong } from "./refusals.ts";
import { ownId } from "./second-factor.ts";
import * as store from "./store.ts";

/** The person's own things. */

export async function showMe(ctx: AuthContext) {
  const { user_id, id, memberships, strong_until } = ctx.user!;
  const { email, name, locale, totp_confirmed_at } = await store.getProfile(ctx.db, user_id);
  return {
    user: { id: user_id, email, name, locale, has_totp: totp_confirmed_at !== null },
    memberships: memberships.map(({ organization_id, organization_name, role, accounts }) => ({
      organization: { id: organization_id, name: organization_name },
      role,
      accounts: accounts.map(({ account, suspended_at }) => ({
        id: account.account_id,
        environment: account.environment,
        is_suspended: suspended_at !== null,
        scopes: [...scopesOf(role, account.environment)],
      })),
    })),
    session_id: id,
    strong_until:
      strong_until && strong_until > ctx.clock.now() ? strong_until.toISOString() : null,
  };
}

/** Throws 422 for a blank name. What is not given stays. */
export async function changeMe(ctx: AuthContext, input: { name?: string; locale?: string }) {
  const problems: Problems = {};
  const name = input.name === undefined ? undefined : cleanText(input.name);
  if (name === null) addProblem(problems, "name", "must not be blank.");
  throwIfAny(problems);
  const profile = { ...(name ? { name } : {}), ...(input.locale ? { locale: input.locale } : {}) };
  await inTransaction(ctx.db, (tx) => store.setProfile(tx, ctx.user!.user_id, profile));
  ctx.callers.forget();
  return showMe(ctx);
}

/** Throws 401 for a wrong present password. The person's other sessions end. */
export async function changePassword(
  ctx: AuthContext,
  kind: store.PersonKind,
  { password, new_password }: { password: string; new_password: string },
): Promise<void> {
  const person = ownId(ctx, kind);
  await checkOwnPassword(ctx, kind, password);
  refuseWeakPassword(new_password, person.email, "new_password");
  const password_hash = await ctx.passwords.hash(new_password);
  const session_id = (kind === "user" ? ctx.user : ctx.operator)!.id;
  await inTransaction(ctx.db, async (tx) => {
    await store.setPassword(tx, kind, { id: person.id, password_hash });
    await store.deleteSessionsOf(tx, { kind, id: person.id }, session_id);
    await auditPerson(tx, ctx, { kind, person, action: `${kind}.password_changed` });
  });
  ctx.callers.forget();
}

/** Makes the session strong again by the password. Throws 401 for a wrong one. */
export async function becomeStrong(
  ctx: AuthContext,
  kind: store.PersonKind,
  password: string,
): Promise<{ strong_until: string }> {
  await checkOwnPassword(ctx, kind, password);
  const until = new Date(ctx.clock.now().getTime() + strongMs);
  const session_id = (kind === "user" ? ctx.user : ctx.operator)!.id;
  await inTransaction(ctx.db, (tx) => store.setStrongUntil(tx, session_id, until));
  ctx.callers.forget();
  return { strong_until: until.toISOString() };
}

async function checkOwnPassword(
  ctx: AuthContext,
  kind: store.PersonKind,
  password: string,
): Promise<void> {
  const { id, email } = ownId(ctx, kind);
  const tried = ctx.throttle.begin(`${kind} ${email}`, ctx.ip);
  const { password_hash } = await store.getPerson(ctx.db, kind, id);
  if (!(await ctx.passwords.check(password_hash, password)))
    throw await wrong(ctx, "The password is wrong.");
  tried.succeeded();
}

/** Ends one of the person's sessions. Throws 404 for any other. */
export async function endSession(ctx: AuthContext, session_id: string): Promise<void> {
  const person = ownId(ctx, "user");
  await inTransaction(ctx.db, async (tx) => {
    if (!(await store.deleteOneSession(tx, { kind: "user", id: person.id }, session_id)))
      throw notFound();
    await auditPerson(tx, ctx, { kind: "user", person, action: "user.session_ended" });
  });
  ctx.callers.forget();
}

/** Ends the session of the cookie, if it is one. */
export async function signOut(ctx: AuthContext): Promise<void> {
  if (!ctx.cookie_hash) return;
  await store.deleteSession(ctx.db, ctx.cookie_hash);
  ctx.callers.forget();
}

const preferencesBytesMax = 65_536;

/** Keeps what a person's pages look like. Throws 422 for more than 64 KiB. */
export async function keepPreferences(ctx: AuthContext, preferences: object): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(preferences)) > preferencesBytesMax)
    throw invalid({ "": ["must be at most 64 KiB."] });
  await store.setPreferences(ctx.db, ctx.user!.user_id, preferences);
}
