import type { Context } from "../../context.ts";
import { refuseUnlessReconciled } from "../../database/health/restores.ts";
import { ApiError, addProblem, addRuleProblems, invalid } from "../../domain/errors/errors.ts";
import { isRecord } from "../../domain/shipments/shipment-rules.ts";
import { idsIn } from "../../domain/validation/given-ids.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import type { StoredResponse } from "../../http/idempotency.ts";
import { findRate, noRate, refuseUnlessFor } from "../../purchasing/quotes/quotes.ts";
import { orderProblems } from "../../shipping/shipments/link-to-orders.ts";
import { readNewShipment, typeOf } from "../../shipping/shipments/new-shipment.ts";
import { createShipmentToBuy } from "../shipments/service.ts";
import { findShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { requireTypeScope } from "../../shipping/shipments/type-scope.ts";
import { buyLabel } from "../../purchasing/labels/buy-label.ts";
import { choiceProblems } from "../../purchasing/labels/choice.ts";
import { BuyLabel } from "../../purchasing/labels/schemas.ts";

/**
 * `POST /labels`: a shipment and its label in one call (decision 8). When the purchase is refused the
 * shipment stays as a draft and the error's details name it. A retry whose first request died, or was refused
 * by the carrier, continues with that shipment, and creates no second one.
 */
export async function createAndBuy(ctx: Context, body: unknown): Promise<StoredResponse> {
  const type = typeOf(body);
  if (type) requireTypeScope(ctx, type);
  const made = await findShipment(ctx.db, ctx.account.account_id, ctx.claim?.subject_id ?? "");
  // In a retry the first request has validated the rate, which may have expired since.
  const rate_id = made ? null : rateIn(body);
  const rate = rate_id === null ? null : await findRate(ctx, rate_id);
  const row = await readEntry(ctx, body, { isRateMissing: rate_id !== null && !rate });
  // The purchase would refuse, too, but leave a draft behind at each retry.
  await refuseUnlessReconciled(ctx.db);
  const choice = body as BuyLabel;
  if (rate) refuseUnlessFor(ctx, row, rate);
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

/** The id of the rate that is to be bought, if it can be looked up. */
function rateIn(body: unknown): string | null {
  const [given] = idsIn([isRecord(body) ? body["rate_id"] : null], 1);
  return given?.id ?? null;
}

/**
 * Both halves of the body are validated before anything is created, so that one response names all fields.
 */
async function readEntry(
  ctx: Context,
  body: unknown,
  { isRateMissing }: { isRateMissing: boolean },
): Promise<ShipmentRow> {
  const problems = problemsOf(BuyLabel, body);
  const choice: Record<string, unknown> = isRecord(body) ? body : {};
  const { row, problems: others } = await readNewShipment(ctx, body, "rules");
  addRuleProblems(problems, choiceProblems(ctx, typeOf(body), choice));
  for (const [path, texts] of Object.entries<string[]>(others ?? {})) {
    for (const text of texts) addProblem(problems, path, text);
  }
  if (!problems[""] && choice["service"] == null && choice["rate_id"] == null)
    addProblem(problems, "service", "is required: name a service or a rate_id.");
  if (isRateMissing) addRuleProblems(problems, { rate_id: [noRate] });
  if (row && Object.keys(problems).length === 0) return row;
  // Alone it is found when the shipment is created.
  const [unknownOrder] = await orderProblems(ctx, [body]);
  if (unknownOrder) addProblem(problems, "order_id", unknownOrder);
  throw invalid(problems);
}
