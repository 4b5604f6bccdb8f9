import { percentOf, type Cents } from "../../../domain/values/money.ts";
import { Refusal } from "../refusal.ts";

/** What one unit is worth in Canadian dollars. Fixed, so that the same request has the same price. */
const canadianDollars: Readonly<Record<string, number>> = {
  CAD: 1,
  USD: 1.37,
  EUR: 1.49,
  GBP: 1.73,
};

/** The amount in another currency, rounded half-up to a cent. Refuses a currency that is not billed in. */
export function convert(cents: Cents, from: string, to: string): Cents {
  if (from === to) return cents;
  return percentOf(cents, Number(((100 * worth(from)) / worth(to)).toFixed(6)));
}

function worth(currency: string): number {
  const value = Object.hasOwn(canadianDollars, currency) ? canadianDollars[currency] : undefined;
  if (value !== undefined) return value;
  throw new Refusal(422, "currency_not_supported", `We do not bill in ${currency}.`);
}
