import type { Context } from "../../context.ts";
import { refuseUnlessReconciled } from "../../database/restores.ts";
import { ApiError, addProblem, addRuleProblems, invalid, throwIfAny } from "../../domain/errors.ts";
import { isRecord } from "../../domain/shipment-rules.ts";
import { problemsOf } from "../../domain/validation.ts";
import type { Answer } from "../../http/idempotency.ts";
import { quotedRate } from "../rates/service.ts";
import {
  createShipmentToBuy,
  findShipment,
  readNewShipment,
  requireTypeScope,
  typeOf,
  type ShipmentRow,
} from "../shipments/service.ts";
import { buyLabel, courierOptions } from "./buy-label.ts";
import { BuyLabel } from "./schemas.ts";

/**
 * `POST /labels`: a shipment and its label in one call (decision 8). When the purchase is refused the
 * shipment stays as a draft and the error's details name it. A retry whose first request died, or was
 * refused by the carrier, goes on with that shipment, and makes no second one.
 */
export async function createAndBuy(ctx: Context, body: unknown): Promise<Answer> {
  const type = typeOf(body);
  if (type) requireTypeScope(ctx, type);
  const row = await readEntry(ctx, body);
  // The purchase would refuse, too, but leave a draft behind at each retry.
  await refuseUnlessReconciled(ctx.db);
  const choice = body as BuyLabel;
  const made = await findShipment(ctx.db, ctx.account.account_id, ctx.claim?.subject_id ?? "");
  // Of a retry the first request has seen to the rate, which may have expired since.
  if (!made && choice.rate_id) await quotedRate(ctx, row, choice.rate_id);
  const { id } = made ?? (await createShipmentToBuy(ctx, body));
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
async function readEntry(ctx: Context, body: unknown): Promise<ShipmentRow> {
  const problems = problemsOf(BuyLabel, body);
  const { row, problems: others } = await readNewShipment(ctx, body, "rules");
  addRuleProblems(problems, courierOptions(typeOf(body), body as BuyLabel));
  for (const [path, sentences] of Object.entries<string[]>(others ?? {})) {
    for (const sentence of sentences) addProblem(problems, path, sentence);
  }
  const { service, rate_id }: Record<string, unknown> = isRecord(body) ? body : {};
  if (!problems[""] && service == null && rate_id == null)
    addProblem(problems, "service", "is required: name a service or a rate_id.");
  if (service != null && rate_id != null)
    addProblem(problems, "rate_id", "must not be combined with service.");
  if (!row) throw invalid(problems);
  throwIfAny(problems);
  return row;
}
