import type { SessionNeeds, Tx } from "../../database/tables.ts";
import type { Principal } from "../../domain/accounts/principal.ts";
import { actorOf } from "../../domain/accounts/principal.ts";
import { isLoopback } from "../../domain/reach/listen-host.ts";
import { newId } from "../../domain/values/ids.ts";
import { operatorsAccountId, recordAudit } from "../../events/audit-log.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import type { AuthContext } from "./context.ts";
import * as store from "./store.ts";

/** How long a password that was given counts as just given. */
export const strongMs = 15 * 60_000;

const dayMs = 86_400_000;
const longestMs = { user: 90 * dayMs, operator: dayMs / 2 };
/** A sign-in is to be finished in this time. */
const unfinishedMs = 10 * 60_000;

/**
 * A new session after a password was given: always a new cookie, so that one which was planted in the browser
 * before opens nothing. The session that the browser had ends. Returns the cookie's value.
 */
export async function beginSession(
  tx: Tx,
  ctx: AuthContext,
  { kind, id, needs }: { kind: store.PersonKind; id: string; needs: SessionNeeds | null },
): Promise<string> {
  const now = ctx.clock.now();
  if (ctx.cookie_hash) await store.deleteSession(tx, ctx.cookie_hash);
  const token = newToken(store.cookieOf[kind]);
  const lifeMs = needs === null ? longestMs[kind] : unfinishedMs;
  await store.insertSession(tx, {
    token_hash: hashToken(token),
    id: newId("ses", now),
    person: { kind, id },
    needs,
    at: now,
    expires_at: new Date(now.getTime() + lifeMs),
    strong_until: needs === "totp" ? null : new Date(now.getTime() + strongMs),
    ip: ctx.ip,
    user_agent: ctx.user_agent,
  });
  return token;
}

/** What a person's sign-in still lacks once the password was right. */
export function needsAfterPassword(
  { config }: Pick<AuthContext, "config">,
  kind: store.PersonKind,
  { totp_confirmed_at }: Pick<store.Person, "totp_confirmed_at">,
): SessionNeeds | null {
  if (totp_confirmed_at) return "totp";
  return kind === "operator" && !isOnlyLocal(config) ? "totp_setup" : null;
}

/** Whether Waybill is reached from this machine alone: behind a proxy its own address says nothing. */
function isOnlyLocal({ host, public_url }: AuthContext["config"]): boolean {
  const isPublicLocal = public_url === "" || isLoopback(new URL(public_url).hostname);
  return isLoopback(host) && isPublicLocal;
}

/** The principal that a person is. */
export function principalOf(
  kind: store.PersonKind,
  { id, email }: { id: string; email: string },
): Principal {
  return kind === "user" ? { kind, id } : { kind, name: email };
}

/** The audit log's entry of what a person did about their own sign-in: of the platform, not of an account. */
export async function auditPerson(
  tx: Tx,
  ctx: Pick<AuthContext, "request_id">,
  {
    kind,
    person,
    action,
  }: { kind: store.PersonKind; person: { id: string; email: string }; action: string },
): Promise<void> {
  const by = { actor: actorOf(principalOf(kind, person)), request_id: ctx.request_id };
  const subject_id = person.id;
  await recordAudit(tx, { account_id: operatorsAccountId, by, action, subject_id, details: {} });
}
