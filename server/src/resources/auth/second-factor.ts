import { hash, randomBytes } from "node:crypto";
import { inTransaction } from "../../database/connect.ts";
import { sealingPurpose } from "../../database/reseal.ts";
import { newTotpSecret, otpauthUrl, stepOfCode } from "../../domain/accounts/totp.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import type { WithCookie } from "../../http/auth-api.ts";
import { auditPerson, beginSession } from "./begin-session.ts";
import type { AuthContext } from "./context.ts";
import * as factors from "./factor-store.ts";
import { wrong } from "./refusals.ts";
import * as store from "./store.ts";

/** Codes of an authenticator app as the second factor, and recovery codes in their place. */

const tableOf = { user: "users", operator: "operators" } as const;
const codesShown = 10;

/** A new secret to be confirmed. Throws 409 `conflict` where one is in force. */
export async function startTotp(
  ctx: AuthContext,
  kind: store.PersonKind,
): Promise<{ secret: string; otpauth_url: string }> {
  const { id, email } = ownId(ctx, kind);
  const secret = newTotpSecret();
  const totp_secret = ctx.sealer.seal(secret, sealingPurpose(tableOf[kind], id));
  if (!(await factors.setTotpSecret(ctx.db, kind, { id, totp_secret }))) throw inForce();
  return { secret, otpauth_url: otpauthUrl(secret, { email, issuer: "Waybill" }) };
}

/**
 * Puts the secret in force by a code of it, and shows the recovery codes, once. A sign-in that lacked this is
 * finished by it. Throws 401 for a wrong code, 409 `conflict` where one is in force or none was started.
 */
export async function confirmTotp(
  ctx: AuthContext,
  kind: store.PersonKind,
  code: string,
): Promise<WithCookie<{ recovery_codes: string[] }>> {
  const { id } = ownId(ctx, kind);
  const tried = ctx.throttle.begin(`totp ${id}`);
  const person = await store.getPerson(ctx.db, kind, id);
  const { totp_secret, totp_confirmed_at } = person;
  if (totp_secret === null || totp_confirmed_at) throw inForce();
  const now = ctx.clock.now();
  const step = stepOfCode(secretOf(ctx, kind, person), code, { now, usedStep: 0 });
  if (step === null) throw await wrong(ctx, "The code is wrong.");
  tried.succeeded();
  const recovery_codes = Array.from({ length: codesShown }, newRecoveryCode);
  const isUnfinished = (kind === "user" ? ctx.user : ctx.operator)?.needs === "totp_setup";
  const value = await inTransaction(ctx.db, async (tx) => {
    if (!(await factors.confirmTotp(tx, kind, { id, totp_secret, step, now }))) throw inForce();
    await factors.replaceRecoveryCodes(tx, id, recovery_codes.map(hashOfCode));
    await auditPerson(tx, ctx, { kind, person, action: `${kind}.totp_confirmed` });
    return isUnfinished ? beginSession(tx, ctx, { kind, id, needs: null }) : null;
  });
  ctx.callers.forget();
  const data = { recovery_codes };
  return value === null ? { data } : { data, cookie: { kind: store.cookieOf[kind], value } };
}

/** Puts the second factor out of force. */
export async function removeTotp(ctx: AuthContext, kind: store.PersonKind): Promise<void> {
  const person = ownId(ctx, kind);
  await inTransaction(ctx.db, async (tx) => {
    await factors.clearTotp(tx, kind, person.id);
    await auditPerson(tx, ctx, { kind, person, action: `${kind}.totp_removed` });
  });
}

/** Whether the code is right, and used up by this: of the app, or one of the recovery codes. */
export async function useSecondFactor(
  ctx: AuthContext,
  kind: store.PersonKind,
  { person, code }: { person: store.Person; code: string },
): Promise<boolean> {
  const now = ctx.clock.now();
  const { id, totp_step: usedStep } = person;
  const step = stepOfCode(secretOf(ctx, kind, person), code, { now, usedStep });
  return inTransaction(ctx.db, (tx) =>
    step === null
      ? factors.useRecoveryCode(tx, { id, code_hash: hashOfCode(code), now })
      : factors.useTotpStep(tx, kind, { id, step }),
  );
}

function secretOf(
  { sealer }: AuthContext,
  kind: store.PersonKind,
  { id, totp_secret }: store.Person,
): string {
  const secret = totp_secret && sealer.open(totp_secret, sealingPurpose(tableOf[kind], id));
  if (!secret)
    throw new ApiError("unavailable", {
      message:
        "The second factor cannot be checked: its secret was sealed under another WAYBILL_SECRET.",
    });
  return secret;
}

/** The person of the session. */
export function ownId(ctx: AuthContext, kind: store.PersonKind): { id: string; email: string } {
  const id = kind === "user" ? ctx.user!.user_id : ctx.operator!.operator_id;
  return { id, email: (kind === "user" ? ctx.user : ctx.operator)!.email };
}

function inForce(): ApiError {
  return new ApiError("conflict", { message: "A second factor is in force, or none was started." });
}

const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/** Eighty bits, in four groups that can be written down. */
function newRecoveryCode(): string {
  const text = [...randomBytes(16)].map((byte) => letters[byte & 31]).join("");
  return text.replaceAll(/(.{4})(?=.)/g, "$1-");
}

function hashOfCode(code: string): Buffer {
  return hash("sha256", code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""), "buffer");
}
