import { inTransaction } from "../../database/connect.ts";
import type { Database } from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import { auditPerson } from "./begin-session.ts";
import type { AuthContext } from "./context.ts";
import * as links from "./factor-store.ts";
import { refuseWeakPassword } from "./passwords.ts";
import { emailOf } from "./refusals.ts";
import * as store from "./store.ts";

const validMs = 3_600_000;

/**
 * Mails a link by which a person chooses another password, where mail is sent at all and there is such a
 * person: the answer says neither, and the work happens behind it.
 */
export function askForReset(ctx: AuthContext, input: { email: string }): void {
  const email = emailOf(input.email);
  ctx.throttle.begin(`reset ${email}`);
  if (!ctx.mailer.is_configured) return;
  mailReset(ctx, email).catch((error: unknown) => {
    ctx.log.error({ err: error }, "reset.not_mailed");
  });
}

async function mailReset(ctx: AuthContext, email: string): Promise<void> {
  const person = await store.findPersonByEmail(ctx.db, "user", email);
  if (!person || person.disabled_at) return;
  const token = await makeLink(ctx.db, { kind: "user", id: person.id }, ctx.clock.now());
  ctx.mailer.send({
    to: email,
    subject: "Your new password for Waybill",
    text: `Choose a new password here, within an hour:\n\n${linkTo(ctx.origin, token)}\n\nIf you did not ask for this, do nothing.\n`,
  });
}

/** Makes a link for a new password, valid for an hour and once. Returns what it ends with, which is not stored. */
export async function makeLink(
  db: Database,
  person: { kind: store.PersonKind; id: string },
  now: Date,
): Promise<string> {
  const token = newToken("lnk");
  const expires_at = new Date(now.getTime() + validMs);
  await inTransaction(db, (tx) =>
    links.insertLink(tx, { token_hash: hashToken(token), person, now, expires_at }),
  );
  return token;
}

export function linkTo(origin: string, token: string): string {
  return `${origin}/app/resets/${token}`;
}

/** The person of a link. Throws 404 for one that was used or is too old. */
export async function showReset(ctx: AuthContext, token: string) {
  const found = await links.findLink(ctx.db, hashToken(token), ctx.clock.now());
  if (!found) throw notFound();
  return found;
}

/** Sets the password that a person chose by a link, and ends all their sessions. Throws 404 and 422. */
export async function resetPassword(
  ctx: AuthContext,
  token: string,
  password: string,
): Promise<void> {
  const person = await showReset(ctx, token);
  const { kind, id } = person;
  refuseWeakPassword(password, person.email);
  const password_hash = await ctx.passwords.hash(password);
  await inTransaction(ctx.db, async (tx) => {
    if (!(await links.useLink(tx, hashToken(token), ctx.clock.now()))) throw notFound();
    await store.setPassword(tx, kind, { id, password_hash });
    await store.deleteSessionsOf(tx, { kind, id });
    await auditPerson(tx, ctx, { kind, person, action: `${kind}.password_reset` });
  });
  ctx.callers.forget();
}
