import type { FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { readRows } from "../../database/criteria/criteria-queries.ts";
import type { RowContext } from "../../database/criteria/criteria.ts";
import type { Compilable } from "../../database/driver/sending.ts";
import type { Database } from "../../database/tables.ts";
import { kindsOf, type SubjectKind } from "../../domain/criteria/fields.ts";
import type { Criteria } from "../../domain/criteria/schema.ts";
import { addProblem, throwIfAny, type Problems } from "../../domain/errors/errors.ts";
import { queryProblems, type ListRequest } from "../../http/paging.ts";
import * as store from "./store.ts";

/** The conditions that a saved filter adds to a list. */
export interface ListFilter {
  criteria: Criteria;
  context: RowContext;
  /** The timeout of a statement with them. */
  timeout_ms: number;
}

/**
 * The criteria of a list's `filter_id`, if it has one. Throws 422 with every failing parameter of the query: an
 * unknown filter, another account's included, and one of another kind of list are among them. The route has
 * `attachValidation`.
 */
export async function filterOfList(
  request: ListRequest &
    Pick<FastifyRequest, "validationError"> & { ctx: Context; query: { filter_id?: string } },
  kind: SubjectKind,
): Promise<ListFilter | undefined> {
  const problems = queryProblems(request);
  const { filter_id } = request.query;
  const found =
    "filter_id" in problems
      ? undefined
      : await savedListFilter(request.ctx, { filter_id, kind, problems });
  throwIfAny(problems);
  return found;
}

/** The criteria of the filter, if one is named; what is wrong with it is added to the problems. */
export async function savedListFilter(
  ctx: Context,
  {
    filter_id,
    kind,
    problems,
  }: { filter_id: string | undefined; kind: SubjectKind; problems: Problems },
): Promise<ListFilter | undefined> {
  if (filter_id === undefined) return undefined;
  const filter = await store.findFilter(ctx.db, ctx.account.account_id, filter_id);
  if (!filter) addProblem(problems, "filter_id", "names no filter of this account.");
  else if (!kindsOf(filter.target).includes(kind))
    addProblem(problems, "filter_id", `names a filter of ${filter.target}, not of ${kind}.`);
  else return listFilter(ctx, filter.criteria);
  return undefined;
}

/** The criteria as they apply to this account now. */
export function listFilter(ctx: Context, criteria: Criteria): ListFilter {
  const { account_id, currency, default_from_address } = ctx.account;
  const home_country = default_from_address?.country_code ?? null;
  const context = { account_id, currency, home_country, now: ctx.clock.now() };
  return { criteria, context, timeout_ms: ctx.config.criteria_timeout_ms };
}

/** Runs a read that a filter narrows as what it is; one that none narrows is as quick as its index. */
export function readFiltered<Row>(
  db: Database,
  saved: ListFilter | undefined,
  read: Compilable<Row>,
): Promise<Row[]> {
  return readRows(db, read, saved?.timeout_ms);
}
