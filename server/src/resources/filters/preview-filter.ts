import type { Static } from "typebox";
import type { Context } from "../../context.ts";
import { kindsOf, type SubjectKind } from "../../domain/criteria/fields.ts";
import { throwIfAny } from "../../domain/errors/errors.ts";
import { requireVerbScope } from "../../domain/accounts/scopes.ts";
import { problemsOf } from "../../domain/validation/validation.ts";
import { answer, type StoredResponse } from "../../http/idempotency.ts";
import { firstPage } from "../../http/paging.ts";
import { countOrdersUpTo, listOrders, toOrder } from "../orders/service.ts";
import { shipmentsOf } from "../../shipping/orders/store.ts";
import { countShipmentsUpTo, listShipments } from "../shipments/service.ts";
import { toShipment } from "../../shipping/shipments/view.ts";
import { listFilter, type ListFilter } from "../../shipping/filters/list-filter.ts";
import { Previewed } from "./preview-schemas.ts";
import { readTree } from "./read-filter.ts";
import { PreviewFrame } from "./schemas.ts";

/** Matches of a kind are counted up to this limit: the cost must not grow with the table. */
const countMax = 10_000;

/**
 * A preview of a filter, before it is saved: the number of matches, and the newest of them. Nothing is
 * stored. Throws 422 as saving would, and 403 for a token that may not read the matches.
 */
export async function previewFilter(ctx: Context, body: unknown): Promise<StoredResponse> {
  const problems = problemsOf(PreviewFrame, body);
  const { target, per_page = ctx.config.per_page_default } = (body ?? {}) as Static<
    typeof PreviewFrame
  >;
  const criteria = readTree(problems, body, { target, strict: false });
  throwIfAny(problems);
  const kinds = kindsOf(target);
  for (const kind of kinds) requireVerbScope(ctx, `${kind}:read`);
  const saved = listFilter(ctx, criteria!);
  const { account_id } = ctx.account;
  const counts = await Promise.all(
    kinds.map((kind) => countUpTo[kind](ctx.db, { account_id, filters: { saved } }, countMax + 1)),
  );
  const data = {
    count: counts.reduce((total, count) => total + Math.min(count, countMax), 0),
    count_capped: counts.some((count) => count > countMax),
    orders: kinds.includes("orders") ? await newestOrders(ctx, saved, per_page) : [],
    shipments: kinds.includes("shipments") ? await newestShipments(ctx, saved, per_page) : [],
  };
  return answer(200, Previewed, data);
}

const countUpTo = { orders: countOrdersUpTo, shipments: countShipmentsUpTo } satisfies Record<
  SubjectKind,
  unknown
>;

async function newestOrders(ctx: Context, saved: ListFilter, count: number) {
  const { account_id } = ctx.account;
  const page = firstPage(count);
  const rows = await listOrders(ctx.db, { account_id, filters: { saved }, page });
  const ids = rows.map(({ id }) => id);
  const linked = await shipmentsOf(ctx.db, account_id, ids);
  return rows.map((row) => toOrder(row, linked));
}

async function newestShipments(ctx: Context, saved: ListFilter, count: number) {
  const { account_id } = ctx.account;
  const page = firstPage(count);
  const rows = await listShipments(ctx.db, { account_id, filters: { saved }, page });
  return rows.map((row) => toShipment(ctx, row));
}
