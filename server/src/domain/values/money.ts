/**
 * Money inside Waybill is a whole number of minor units (`_cents`); it becomes a decimal only at the
 * edge of the API (decision 1). Rounding is half-up, away from zero for negatives, once per line.
 */
export type Cents = number;

/** 12.345 → 1235. For amounts that arrive as decimals: request bodies, carriers' responses. */
export function toCents(amount: number): Cents {
  return roundHalfUp(shift(amount, 2));
}

/** 1235 → 12.35, as JSON carries it. */
export function fromCents(cents: Cents): number {
  return cents / 100;
}

/** A share of an amount, rounded half-up to a whole cent: percentOf(1000, 9.975) → 100. */
export function percentOf(cents: Cents, percent: number): Cents {
  const parts = cents * shift(percent, 6);
  if (!Number.isSafeInteger(parts)) return roundHalfUp(shift(parts, -8));
  const rest = parts % 1e8;
  return (parts - rest) / 1e8 + (Math.abs(rest) >= 5e7 ? Math.sign(parts) : 0);
}

function roundHalfUp(value: number): number {
  return value < 0 ? -Math.floor(-value + 0.5) : Math.floor(value + 0.5);
}

/**
 * Moves the decimal point without binary noise: 1.005 × 100 is 100.49999… but shift(1.005, 2) is 100.5. A whole number
 * that leads back to the value is exact without the detour over its text.
 */
function shift(value: number, places: number): number {
  const scale = 10 ** places;
  const whole = places > 0 ? Math.round(value * scale) : NaN;
  if (Number.isSafeInteger(whole) && whole / scale === value) return whole;
  const [mantissa, exponent = "0"] = String(value).split("e");
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
