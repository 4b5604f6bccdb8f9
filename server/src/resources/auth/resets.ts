import { inTransaction } from "../../database/connect.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { notFound } from "../../domain/errors/errors.ts";
import { hashToken } from "../../http/tokens.ts";
import { auditPerson } from "./begin-session.ts";
import type { AuthContext } from "./context.ts";
import * as links from "./factor-store.ts";
import { linkForUser } from "./make-link.ts";
import { refuseWeakPassword } from "./passwords.ts";
import { emailOf } from "./refusals.ts";
import * as store from "./store.ts";

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
  const terms = { origin: ctx.origin, now: ctx.clock.now(), by: originOf(ctx) };
  const link = await inTransaction(ctx.db, (tx) => linkForUser(tx, email, terms));
  if (link === null) return;
  ctx.mailer.send({
    to: email,
    subject: "Your new password for Waybill",
    text: `Choose a new password here, within an hour:\n\n${link}\n\nIf you did not ask for this, do nothing.\n`,
  });
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
