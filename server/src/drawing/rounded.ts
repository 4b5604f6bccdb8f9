/** A length as a page has it: no printer resolves a thousandth of a point. */
export function rounded(length: number): number {
  return Math.round(length * 1000) / 1000;
}
