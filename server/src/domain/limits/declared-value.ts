import { addProblem, type Problems } from "../errors/errors.ts";
import { toCents, type Cents } from "../values/money.ts";

/**
 * The declared value of packages, where amounts of two currencies could meet: they are never added up
 * or compared. Until there are exchange rates a value in another currency than the account's is stored
 * and shown, and ignored in computations in the account's (issue 12, decision 26).
 */

interface Declared {
  declared_value?: number | null;
  /** The account's when none is named. */
  currency?: string | null;
}

/** Whether a package is declared in another currency than the account's. */
export function isForeign(
  { declared_value, currency }: Declared,
  accountCurrency: string,
): boolean {
  return Boolean(declared_value) && currency != null && currency !== accountCurrency;
}

/** The sum of the packages' declared values; null when one of them is in another currency. */
export function declaredTotalCents(
  packages: readonly Declared[],
  accountCurrency: string,
): Cents | null {
  if (packages.some((parcel) => isForeign(parcel, accountCurrency))) return null;
  return packages.reduce((total, parcel) => total + toCents(parcel.declared_value ?? 0), 0);
}

/** The packages as a carrier gets them: with values in the account's currency alone. */
export function inAccountCurrency<P extends Declared>(
  packages: readonly P[],
  accountCurrency: string,
): P[] {
  return packages.map((parcel) =>
    isForeign(parcel, accountCurrency)
      ? { ...parcel, declared_value: null, currency: null }
      : { ...parcel, currency: parcel.declared_value == null ? null : accountCurrency },
  );
}

/**
 * Why `protection` cannot be bought, by field of the shipment: the covered value must be in the currency
 * that it is priced in. An `insured_value` is, and replaces the packages' declared values.
 */
export function protectionProblems(
  shipment: { packages: unknown; insured: unknown },
  accountCurrency: string,
): Problems {
  const problems: Problems = {};
  if (shipment.insured != null || !Array.isArray(shipment.packages)) return problems;
  for (const [index, parcel] of (shipment.packages as unknown[]).entries()) {
    if (typeof parcel !== "object" || parcel === null || !isForeign(parcel, accountCurrency))
      continue;
    addProblem(
      problems,
      `packages.${index}.currency`,
      `must be ${accountCurrency}, the account's currency, for protection; or send insured_value.`,
    );
  }
  return problems;
}
