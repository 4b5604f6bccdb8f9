import type { Context } from "../../context.ts";
import type { RowTerms } from "../../database/criteria.ts";
import { kindsOf, type SubjectKind } from "../../domain/criteria/fields.ts";
import type { Criteria } from "../../domain/criteria/schema.ts";
import { invalid } from "../../domain/errors.ts";
import * as store from "./store.ts";

/** What a saved filter adds to the conditions of a list. */
export interface Narrowing {
  criteria: Criteria;
  terms: RowTerms;
}

/**
 * The criteria of a list's `filter_id`, if it has one. Throws 422 for a filter that is not there,
 * another account's the same, and for one that is not for this kind of list.
 */
export async function narrowingBy(
  ctx: Context,
  filterId: string | undefined,
  kind: SubjectKind,
): Promise<Narrowing | undefined> {
  if (filterId === undefined) return undefined;
  const filter = await store.findFilter(ctx.db, ctx.account.account_id, filterId);
  if (!filter) throw invalid({ filter_id: ["names no filter of this account."] });
  if (!kindsOf(filter.target).includes(kind))
    throw invalid({ filter_id: [`names a filter of ${filter.target}, not of ${kind}.`] });
  return narrowing(ctx, filter.criteria);
}

/** The criteria with what they mean for this account now. */
export function narrowing(ctx: Context, criteria: Criteria): Narrowing {
  const { account_id, currency, default_from_address } = ctx.account;
  const home_country = default_from_address?.country_code ?? null;
  return { criteria, terms: { account_id, currency, home_country, now: ctx.clock.now() } };
}
