import type { FastifyRequest } from "fastify";
import { Refusal } from "./refusal.ts";

/**
 * A request that has waited this long inside the simulator is dropped, so that the
 * `after_seconds` (5) of the descriptors holds, whatever the dials say.
 */
export const commitDeadlineMs = 4_000;

/** `Authorization: Bearer sim_<environment>_<account>`: the credential says who asks, and is believed. */
export function callerOf(request: FastifyRequest): { account_id: string; environment: string } {
  const match = /^Bearer sim_(live|test)_(\w{1,100})$/.exec(request.headers.authorization ?? "");
  if (!match) throw new Refusal(401, "credentials_invalid", "The credential is not one of ours.");
  return { environment: match[1]!, account_id: match[2]! };
}
