import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { allows, type Scope } from "../../domain/accounts/scopes.ts";
import { requireStrong } from "../../domain/accounts/strong.ts";
import { cleanText } from "../../domain/text/text.ts";
import { mintToken, refuseTooManyTokens, tokenChange } from "./mint-token.ts";
import { lifeDaysMax, MintedToken, type NewToken } from "./schemas.ts";
import { toToken } from "./view.ts";

/**
 * Creates a token and shows it, this once (decision 3). Throws 422, 403 for scopes out of reach or for a person
 * who has to give the password again, 409 for too many.
 */
export async function createToken(ctx: Context, input: NewToken): Promise<StoredResponse> {
  const now = ctx.clock.now();
  const { name, expires_at } = readNewToken(input, now);
  refuseUnlessStrong(ctx);
  refuseBeyondCeiling(ctx, input.scopes);
  const { account_id, environment } = ctx.account;
  return inTransaction(ctx.db, async (tx) => {
    await refuseTooManyTokens(tx, ctx);
    const { token, row } = await mintToken(tx, {
      account_id,
      environment,
      name,
      scopes: input.scopes,
      created_by: ctx.token.id,
      by: originOf(ctx),
      expires_at,
      now,
    });
    const data = { ...toToken(row, environment), token };
    return recordResponse(tx, ctx, {
      answer: answer(201, MintedToken, data),
      ...tokenChange(row, { environment, type: "token.created" }),
    });
  });
}

const dayMs = 86_400_000;

/** The checks of a new token that the schema cannot express. Throws 422 that names every failing field. */
function readNewToken(input: NewToken, now: Date): { name: string; expires_at: Date | null } {
  const problems: Problems = {};
  const name = cleanText(input.name);
  if (name === null) addProblem(problems, "name", "must not be blank.");
  const { expires_at, expires_in_days } = input;
  const latest = new Date(now.getTime() + lifeDaysMax * dayMs);
  const given = typeof expires_at === "string" ? new Date(expires_at) : null;
  if (given && typeof expires_in_days === "number")
    addProblem(problems, "expires_in_days", "must not be combined with expires_at.");
  if (given && given <= now) addProblem(problems, "expires_at", "must be in the future.");
  if (given && given > latest)
    addProblem(problems, "expires_at", `must be at most ${lifeDaysMax} days ahead.`);
  throwIfAny(problems);
  const inDays = expires_in_days == null ? null : new Date(now.getTime() + expires_in_days * dayMs);
  return { name: name!, expires_at: given ?? inDays };
}

/**
 * A token of a live account outlives the session that makes it, so the person has to have given the password
 * lately. Throws 403 `strong_required`.
 */
export function refuseUnlessStrong({ account, session, clock }: Context): void {
  if (session && account.environment === "live") requireStrong(session, clock.now());
}

/**
 * A token may mint its own scopes, and whatever its account's ceiling allows: everything, unless the operator
 * lowered it, because a rotation token holds `tokens:manage` alone.
 */
export function refuseBeyondCeiling(
  ctx: Pick<Context, "account" | "token">,
  scopes: readonly string[],
): void {
  const ceiling = ctx.account.settings.token_ceiling;
  if (ceiling === null) return;
  const reachable = [...ctx.token.scopes, ...ceiling];
  const beyond = scopes.filter((scope) => !allows(reachable, [scope as Scope]));
  if (beyond.length === 0) return;
  throw new ApiError("scope_missing", {
    message: `This token cannot mint ${beyond.join(", ")}: it does not hold them and the account's token ceiling does not allow them.`,
    details: { required_scopes: beyond, token_scopes: ctx.token.scopes },
  });
}
