import type { Context } from "../../context.ts";
import { inTransaction } from "../../database/connect.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { cleanText } from "../../domain/text/text.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { newId } from "../../domain/values/ids.ts";
import { lockFeed } from "../../events/feed/place-store.ts";
import { mintSecret } from "../../events/webhooks/secrets.ts";
import { answer, recordResponse, type StoredResponse } from "../../http/idempotency.ts";
import { MintedWebhook, NewWebhook, webhooksMax } from "./schemas.ts";
import * as store from "./store.ts";
import { toWebhook } from "./view.ts";

/** Creates a webhook and shows its secret, this once. Throws 422, and 409 `conflict` for one too many. */
export async function createWebhook(ctx: Context, body: unknown): Promise<StoredResponse> {
  const problems = problemsOf(NewWebhook, body);
  await addUrlProblem(ctx, problems, body);
  throwIfAny(problems);
  const { url, types, description, max_in_flight } = body as NewWebhook;
  const { account_id } = ctx.account;
  const now = ctx.clock.now();
  const id = newId("whk", now);
  return inTransaction(ctx.db, async (tx) => {
    // Whatever is placed later goes to it, whatever was placed before does not.
    const since_position = await lockFeed(tx, account_id);
    refuseTooMany(await store.countWebhooks(tx, account_id));
    await store.insertWebhook(tx, {
      account_id,
      id,
      url,
      types,
      since_position,
      now,
      description: descriptionOf(description),
      max_in_flight: max_in_flight ?? 8,
    });
    const secret = await mintSecret(tx, ctx.sealer, { account_id, webhook_id: id, now });
    const row = await store.getWebhook(tx, account_id, id);
    return recordResponse(tx, ctx, {
      answer: answer(201, MintedWebhook, { ...toWebhook(row), secret }),
      subject_id: id,
    });
  });
}

/** Adds why the body's URL may not be called, if its form is right. Asks name servers, so outside transactions. */
export async function addUrlProblem(
  { public_caller }: Pick<Context, "public_caller">,
  problems: Problems,
  body: unknown,
): Promise<void> {
  const { url } = (body ?? {}) as { url?: unknown };
  if (typeof url !== "string" || "url" in problems) return;
  const problem = await public_caller.check(url);
  if (problem !== null) addProblem(problems, "url", problem);
}

/** A description of nothing visible is none. */
export function descriptionOf(given: string | null | undefined): string | null {
  return given == null ? null : cleanText(given);
}

function refuseTooMany(count: number): void {
  if (count < webhooksMax) return;
  throw new ApiError("conflict", {
    message: `The account has ${webhooksMax} webhooks, which is the most; delete one first.`,
    details: { webhooks_max: webhooksMax },
  });
}
