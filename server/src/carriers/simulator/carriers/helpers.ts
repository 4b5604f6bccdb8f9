/** Services that labels mark as fast. */
export const isFast = (service: string) => /express|priority|overnight|next|2day/i.test(service);

/** So many decimal digits that follow from hexadecimal ones. */
export function digitsOf(seed: string, count: number): string {
  return String(parseInt(seed.slice(0, 8), 16) % 10 ** count).padStart(count, "0");
}
