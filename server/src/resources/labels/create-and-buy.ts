import type { Context } from "../../context.ts";
import { refuseUnlessReconciled } from "../../database/restores.ts";
import { ApiError, addProblem, addRuleProblems, throwIfAny } from "../../domain/errors.ts";
import { isRecord } from "../../domain/shipment-rules.ts";
import { problemsOf } from "../../domain/validation.ts";
import type { Answer } from "../../http/idempotency.ts";
import { findByKey } from "../../outbound/attempt-store.ts";
import {
  createOneShipment,
  getShipment,
  readNewShipment,
  requireTypeScope,
  typeOf,
} from "../shipments/service.ts";
import { buyLabel, courierOptions } from "./buy-label.ts";
import { refuseUnlessBuyable } from "./buyable.ts";
import { BuyLabel } from "./schemas.ts";

/**
 * `POST /labels`: a shipment and its label in one call (decision 8). When the purchase is refused the
 * shipment stays as a draft and the error's details name it. A retry whose first request died finds
 * the purchase that it had begun, and begins no second one.
 */
export async function createAndBuy(ctx: Context, body: unknown): Promise<Answer> {
  const type = typeOf(body);
  if (type) requireTypeScope(ctx, type);
  await refuseSecondPurchase(ctx);
  await refuseInvalid(ctx, body);
  // The purchase would refuse, too, but leave a draft behind at each retry.
  await refuseUnlessReconciled(ctx.db);
  const choice = body as BuyLabel;
  const { id } = await createOneShipment(ctx, body, "buy");
  try {
    return await buyLabel(ctx, id, choice);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, retry_after } = error;
    throw new ApiError(code, {
      message,
      details: code === "validation_failed" ? details : { ...details, shipment_id: id },
      retry_after: retry_after ?? undefined,
      cause: error,
    });
  }
}

/** Both halves of the body are judged before anything is created, so that one answer names all fields. */
async function refuseInvalid(ctx: Context, body: unknown): Promise<void> {
  const problems = problemsOf(BuyLabel, body);
  const { problems: others } = await readNewShipment(ctx, body);
  addRuleProblems(problems, courierOptions(typeOf(body), body as BuyLabel));
  for (const [path, sentences] of Object.entries<string[]>(others ?? {})) {
    for (const sentence of sentences) addProblem(problems, path, sentence);
  }
  if (!problems[""] && isRecord(body) && body["service"] == null)
    addProblem(problems, "service", "is required.");
  throwIfAny(problems);
}

async function refuseSecondPurchase(ctx: Context): Promise<void> {
  if (!ctx.claim) return;
  const { account_id, key } = ctx.claim;
  const windowMs = ctx.config.idempotency_window_hours * 3_600_000;
  const since = new Date(ctx.clock.now().getTime() - windowMs);
  const attempt = await findByKey(ctx.db, { account_id, key, kind: "label_purchase", since });
  if (attempt) refuseUnlessBuyable(await getShipment(ctx.db, account_id, attempt.subject_id));
}
