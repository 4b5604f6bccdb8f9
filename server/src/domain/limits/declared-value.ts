import { addProblem, type Problems } from "../errors/errors.ts";
import { exchanged } from "../values/exchange.ts";
import type { ExchangeTable } from "../values/exchange-table.ts";
import { fromCents, toCents, type Cents } from "../values/money.ts";

/**
 * The declared value of packages, where amounts of two currencies could meet: they are never added up or
 * compared, but converted first, each by itself. A value for whose currency there is no exchange rate is
 * stored and shown, and ignored in computations (decision 26).
 */

interface Declared {
  declared_value?: number | null;
  /** The account's when none is named. */
  currency?: string | null;
}

/** The account's currency, and the rates by which others become it. */
export interface Money {
  currency: string;
  exchange: ExchangeTable;
}

/** Whether a package is declared in another currency than the account's. */
export function isForeign(
  { declared_value, currency }: Declared,
  accountCurrency: string,
): boolean {
  return Boolean(declared_value) && currency != null && currency !== accountCurrency;
}

/** The declared value of a package in the account's currency; null where no rate leads to it. */
export function declaredCents(parcel: Declared, { currency, exchange }: Money): Cents | null {
  const cents = toCents(parcel.declared_value ?? 0);
  if (!isForeign(parcel, currency)) return cents;
  return inCurrency(cents, { from: parcel.currency!, to: currency, exchange });
}

/** The sum of the packages' declared values; null when one of them has no rate to the account's currency. */
export function declaredTotalCents(packages: readonly Declared[], money: Money): Cents | null {
  let total = 0;
  for (const parcel of packages) {
    const cents = declaredCents(parcel, money);
    if (cents === null) return null;
    total += cents;
  }
  return total;
}

/** The packages as a carrier gets them: with values in one currency, or none where no rate leads to it. */
export function packagesIn<P extends Declared>(
  packages: readonly P[],
  to: string,
  { currency, exchange }: Money,
): P[] {
  return packages.map((parcel) => {
    if (parcel.declared_value == null) return { ...parcel, currency: null };
    const from = parcel.declared_value ? (parcel.currency ?? currency) : to;
    const cents = inCurrency(toCents(parcel.declared_value), { from, to, exchange });
    return cents === null
      ? { ...parcel, declared_value: null, currency: null }
      : { ...parcel, declared_value: fromCents(cents), currency: to };
  });
}

/**
 * Customs lines as a carrier gets them, whose forms have one currency: lines of several become lines in `to`,
 * each value converted by itself. Lines in one currency stay as they were declared, unless the carrier takes
 * `to` alone; and so does a line without a rate.
 */
export function itemsIn<I extends { value: number; currency: string }>(
  items: readonly I[],
  { to, is_only, exchange }: { to: string; is_only: boolean; exchange: ExchangeTable },
): I[] {
  if (!is_only && new Set(items.map(({ currency }) => currency)).size < 2) return [...items];
  return items.map((item) => {
    const cents = inCurrency(toCents(item.value), { from: item.currency, to, exchange });
    return cents === null ? item : { ...item, value: fromCents(cents), currency: to };
  });
}

/** Null where there is no rate. */
export function inCurrency(
  cents: Cents,
  { from, to, exchange }: { from: string; to: string; exchange: ExchangeTable },
): Cents | null {
  if (from === to) return cents;
  const found = exchange.find(from, to);
  return found && exchanged(cents, found.rate);
}

/**
 * Why `protection` cannot be bought, by field of the shipment: the covered value must have an amount in the
 * currency that it is priced in. An `insured_value` is, and replaces the packages' declared values.
 */
export function protectionProblems(
  shipment: { packages: unknown; insured: unknown },
  money: Money,
): Problems {
  const problems: Problems = {};
  if (shipment.insured != null || !Array.isArray(shipment.packages)) return problems;
  for (const [index, parcel] of (shipment.packages as unknown[]).entries()) {
    if (typeof parcel !== "object" || parcel === null || !isForeign(parcel, money.currency))
      continue;
    if (money.exchange.find((parcel as { currency: string }).currency, money.currency)) continue;
    addProblem(
      problems,
      `packages.${index}.currency`,
      `must be ${money.currency}, the account's currency, for protection; or send insured_value.`,
    );
  }
  return problems;
}
