import { fromCents, type Cents } from "../domain/values/money.ts";

// Constructing one is slow.
const digits = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `-1,234.50`, where the currency is stated elsewhere. */
export function amountWords(cents: Cents): string {
  return digits.format(fromCents(cents));
}
