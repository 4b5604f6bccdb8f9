import { fromCents, type Cents } from "../domain/values/money.ts";

// Making one is slow.
const digits = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `-1,234.50`, for who says the currency elsewhere. */
export function amountWords(cents: Cents): string {
  return digits.format(fromCents(cents));
}
