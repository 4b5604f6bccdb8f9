import type { Context } from "../../context.ts";
import { throwIfAny } from "../../domain/errors.ts";
import { requireScope } from "../../domain/scopes.ts";
import { problemsOf } from "../../domain/validation.ts";
import { answer, type Answer } from "../../http/idempotency.ts";
import { findShipments, toShipment } from "../shipments/service.ts";
import { narrowing } from "./narrow-list.ts";
import { readTree } from "./read-filter.ts";
import { PreviewFrame } from "./schemas.ts";

/** More matches than these are not counted: the count must not grow with the table. */
const countMax = 10_000;

/**
 * What a filter would show, before it is saved: how many match, and the newest of them. Nothing is
 * kept. Throws 422 as saving would, and 403 for who may not read what it shows.
 */
export async function previewFilter(ctx: Context, body: unknown): Promise<Answer> {
  const problems = problemsOf(PreviewFrame, body);
  const criteria = readTree(problems, body, { target: "shipments", strict: false });
  throwIfAny(problems);
  requireScope(ctx.token, ["shipments:read"]);
  const { per_page = ctx.config.per_page_default } = body as { per_page?: number };
  const { rows, count } = await findShipments(ctx.db, {
    saved: narrowing(ctx, criteria!),
    limit: per_page,
    count_max: countMax,
  });
  const data = {
    count: Math.min(count, countMax),
    count_capped: count > countMax,
    shipments: rows.map((row) => toShipment(ctx, row)),
  };
  return answer(200, { data });
}
