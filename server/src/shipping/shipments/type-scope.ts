import type { FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { isId } from "../../domain/values/ids.ts";
import { requireScope } from "../../domain/accounts/scopes.ts";
import type { ShipmentType } from "../../domain/shipments/shipment-status.ts";
import { findType } from "./store.ts";

/**
 * On paths that both types of shipment share, some scopes open only the LTL ones (decision 3). Where the path
 * names a shipment its type is checked before the Idempotency-Key, so that a token which may not see a
 * shipment cannot replay a response about it.
 */

/** 403 `scope_missing`, unless the token may do this with shipments of that type. */
export function requireTypeScope(
  { token, ltl_only }: Pick<Context, "token" | "ltl_only">,
  type: ShipmentType,
): void {
  if (ltl_only && type !== "ltl") requireScope(token, ltl_only.needs);
}

/** The same, for the shipment that the path names: a route's `onRequest`. An unknown one is 404 later. */
export async function requirePathTypeScope(request: FastifyRequest): Promise<void> {
  const { ctx, params } = request;
  const { shipment_id } = params as { shipment_id: string };
  // The path has not been validated yet, and may be anything.
  if (!ctx.ltl_only || !isId("shp", shipment_id)) return;
  const type = await findType(ctx.db, ctx.account.account_id, shipment_id);
  if (type !== null) requireTypeScope(ctx, type);
}

/** Why this token may not write the row of a bulk body; null when it may. */
export function missingTypeScope(ctx: Context, type: ShipmentType): ApiError | null {
  try {
    requireTypeScope(ctx, type);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
