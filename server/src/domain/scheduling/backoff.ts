/**
 * Seconds until the next try after so many that failed in a row: quick at first, while a client may be waiting, and twice
 * as long each time, up to `max`.
 */
export function backoffSeconds(
  failures: number,
  { first, max }: { first: number; max: number },
): number {
  return Math.min(max, first * 2 ** (failures - 1));
}
