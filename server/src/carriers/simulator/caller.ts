import type { FastifyRequest } from "fastify";
import { Refusal } from "./refusal.ts";
import { callerHeader } from "./wire.ts";

/**
 * A request that has waited this long inside the simulator is dropped, so that the
 * `after_seconds` (5) of the descriptors holds, whatever the dials say.
 */
export const commitDeadlineMs = 4_000;

/**
 * `Authorization: Bearer sim_<environment>_<account>`: the credential says who asks, and is believed. With the
 * caller in a header of its own, any credential that begins with `sim_` is accepted.
 */
export function callerOf(request: FastifyRequest): { account_id: string; environment: string } {
  const { authorization = "" } = request.headers;
  const caller = request.headers[callerHeader];
  const said = typeof caller === "string" ? `Bearer sim_${caller}` : authorization;
  const match = /^Bearer sim_(live|test)_(\w{1,100})$/.exec(said);
  if (!match || !authorization.startsWith("Bearer sim_"))
    throw new Refusal(401, "credentials_invalid", "The credential is not one of ours.");
  return { environment: match[1]!, account_id: match[2]! };
}
