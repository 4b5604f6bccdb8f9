import { hash, randomInt } from "node:crypto";
import type { Membership } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Environment, Tx } from "../../database/tables.ts";
import { actorOf } from "../../domain/accounts/principal.ts";
import { scopesOf } from "../../domain/accounts/roles.ts";
import { allows, requireScope, type Scope } from "../../domain/accounts/scopes.ts";
import { requireStrong } from "../../domain/accounts/strong.ts";
import { invalid, notFound } from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { recordAudit } from "../../events/audit-log.ts";
import { hashToken, newToken } from "../../http/tokens.ts";
import {
  mintToken,
  refuseBeyondCeiling,
  refuseTooManyTokens,
  tokenChange,
} from "../tokens/service.ts";
import type { AuthContext } from "./context.ts";
import * as store from "./device-store.ts";
import { findMembersAccount } from "./member-store.ts";

/** How a program without a browser gets a token: a person approves it (RFC 8628). */

const validSeconds = 600;
const intervalSeconds = 5;

/** The errors of RFC 8628 and of RFC 6749, which their clients know. */
export const deviceErrors = [
  "invalid_request",
  "unsupported_grant_type",
  "authorization_pending",
  "slow_down",
  "expired_token",
  "access_denied",
  "invalid_grant",
] as const;
type DeviceError = (typeof deviceErrors)[number];

/** Begins a login: the program shows the code, and asks for its token with the other one. */
export async function startDevice(ctx: AuthContext, client: string) {
  const now = ctx.clock.now();
  const device_code = newToken("dev");
  const user_code = newUserCode();
  await inTransaction(ctx.db, (tx) =>
    store.insertDeviceLogin(tx, {
      device_hash: hashToken(device_code),
      user_code_hash: hashOfUserCode(user_code),
      client: cleanText(client) ?? "A program",
      created_at: now,
      expires_at: new Date(now.getTime() + validSeconds * 1000),
    }),
  );
  const verification_uri = `${ctx.origin}/app/device`;
  return {
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in: validSeconds,
    interval: intervalSeconds,
  };
}

/** The program that waits under a code. Throws 404 for none, 429 for too many guesses. */
export async function showDevice(ctx: AuthContext, user_code: string): Promise<store.DeviceLogin> {
  const tried = ctx.throttle.begin(`device ${ctx.user!.user_id}`);
  const found = await store.findWaiting(ctx.db, hashOfUserCode(user_code), ctx.clock.now());
  if (!found) throw notFound();
  tried.succeeded();
  return found;
}

/**
 * Approves a program that waits: it will get a token of these scopes. Throws what making the token would:
 * 403 for a person who may not make tokens, for scopes beyond the account's ceiling, and `strong_required` in
 * a live account; 404 for a code under which nothing waits.
 */
export async function approveDevice(
  ctx: AuthContext,
  membership: Membership,
  input: { user_code: string; scopes: string[]; environment: Environment; name: string },
): Promise<void> {
  const { user_code, scopes, environment } = input;
  const its = membership.accounts.find(({ account }) => account.environment === environment);
  if (!its) throw notFound();
  const token = { id: ctx.user!.user_id, scopes: scopesOf(membership.role, environment) };
  requireScope(token, ["tokens:manage"]);
  if (environment === "live") requireStrong(ctx.user!, ctx.clock.now());
  refuseBeyondCeiling({ account: its.account, token }, scopes);
  const name = cleanText(input.name);
  if (name === null) throw invalid({ name: ["must not be blank."] });
  const { device_hash } = await showDevice(ctx, user_code);
  const { organization_id } = membership;
  await inTransaction(ctx.db, async (tx) => {
    const approval = { user_id: token.id, organization_id, environment, scopes, name };
    if (!(await store.approve(tx, device_hash, approval))) throw notFound();
  });
}

type DeviceAnswer =
  | { error: DeviceError }
  | { access_token: string; token_type: "Bearer"; scope: string; environment: Environment };

/** The one grant that there is; a request may leave it out. */
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** The token of an approved program, once; else the standard's error. */
export async function takeDeviceToken(
  ctx: AuthContext,
  { device_code, grant_type = deviceGrant }: { device_code?: string; grant_type?: string },
): Promise<DeviceAnswer> {
  if (grant_type !== deviceGrant) return { error: "unsupported_grant_type" };
  if (!device_code) return { error: "invalid_request" };
  const device_hash = hashToken(device_code);
  const now = ctx.clock.now();
  return inTransaction(ctx.db, async (tx): Promise<DeviceAnswer> => {
    const login = await store.lockDeviceLogin(tx, device_hash);
    if (!login) return { error: "invalid_grant" };
    if (login.expires_at <= now) return { error: "expired_token" };
    const isEarly =
      login.polled_at && now.getTime() - login.polled_at.getTime() < (intervalSeconds - 1) * 1000;
    await store.notePoll(tx, device_hash, now);
    if (login.user_id === null) return { error: isEarly ? "slow_down" : "authorization_pending" };
    await store.deleteDeviceLogin(tx, device_hash);
    return mintApproved(tx, ctx, login as ApprovedLogin);
  });
}

type ApprovedLogin = store.DeviceLogin & store.Approval;

/** The person may have left, or been given another role, since. */
async function mintApproved(tx: Tx, ctx: AuthContext, login: ApprovedLogin): Promise<DeviceAnswer> {
  const { user_id, environment, scopes, name } = login;
  const found = await findMembersAccount(tx, login);
  const role = found && scopesOf(found.role, environment);
  if (!found || found.is_suspended || !allows(role!, ["tokens:manage"]))
    return { error: "access_denied" };
  const { account } = found;
  const ceiling = account.settings.token_ceiling;
  const isWithin =
    ceiling === null || scopes.every((scope) => allows([...role!, ...ceiling], [scope as Scope]));
  if (!isWithin) return { error: "access_denied" };
  await refuseTooManyTokens(tx, { ...ctx, account });
  const by = { actor: actorOf({ kind: "user", id: user_id }), request_id: ctx.request_id };
  const { token, row } = await mintToken(tx, {
    account_id: account.account_id,
    environment,
    name,
    scopes,
    created_by: user_id,
    by,
    expires_at: null,
    now: ctx.clock.now(),
  });
  await recordAudit(tx, { ...tokenChange(row, { environment, type: "token.created" }), by });
  return { access_token: token, token_type: "Bearer", scope: scopes.join(" "), environment };
}

/** Without vowels, so that no word comes of it. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

function newUserCode(): string {
  const text = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

function hashOfUserCode(code: string): Buffer {
  return hash("sha256", code.toUpperCase().replaceAll(/[^A-Z]/g, ""), "buffer");
}

/** Whether the standard refuses with this body. */
export function isDeviceError(answer: DeviceAnswer): answer is { error: DeviceError } {
  return "error" in answer;
}
