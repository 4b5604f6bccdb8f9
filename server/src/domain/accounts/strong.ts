import { ApiError } from "../errors/errors.ts";

/** Throws 403 `strong_required` unless the password was given within the last minutes. */
export function requireStrong({ strong_until }: { strong_until: Date | null }, now: Date): void {
  if (strong_until && strong_until > now) return;
  throw new ApiError("strong_required", {
    details: { strong_until: strong_until?.toISOString() ?? null },
  });
}
