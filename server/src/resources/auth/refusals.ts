import { ApiError } from "../../domain/errors/errors.ts";
import type { AuthContext } from "./context.ts";

/** As it is stored and compared. */
export function emailOf(text: string): string {
  return text.trim().toLowerCase();
}

/** 401 for a wrong secret, counted against the address: or the 429 that it has become. */
export async function wrong(
  ctx: AuthContext,
  message = "The e-mail, the password or the code is wrong.",
): Promise<ApiError> {
  await ctx.countFailure();
  return new ApiError("unauthenticated", { message });
}
