import type { FastifyReply } from "fastify";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Config } from "../config.ts";
import { ApiError } from "../domain/errors.ts";

/**
 * How often one may call (decision 21), counted in memory by each process, in windows of a minute that
 * start with the first call. The headers follow draft-ietf-httpapi-ratelimit-headers.
 */
export interface RateLimits {
  /** Counts a call of the token, also against the route's tighter limit. Throws 429. */
  spend(reply: FastifyReply, tokenId: string, tighter?: "carrier" | "top_up"): Promise<void>;
  /** Counts a failed authentication. Throws 429 in place of the 401 from the limit on. */
  spendFailure(reply: FastifyReply, address: string): Promise<void>;
}

const windowSeconds = 60;

export function rateLimits(config: Config): RateLimits {
  const free = async () => {};
  if (config.rate_limits === "off") return { spend: free, spendFailure: free };
  const general = limitOf("requests", config.requests_per_minute);
  const failures = limitOf("failed_authentications", config.failed_authentications_per_minute);
  const tighter = {
    carrier: limitOf("carrier", config.carrier_requests_per_minute),
    top_up: limitOf("top_up", config.top_ups_per_minute),
  };
  return {
    spend: (reply, tokenId, name) =>
      spend(reply, tokenId, name ? [general, tighter[name]] : [general]),
    spendFailure: (reply, address) => spend(reply, address, [failures]),
  };
}

/** Counts a public page that an address asks for. Throws 429. */
export function pageLimit(config: Config): (reply: FastifyReply, address: string) => Promise<void> {
  if (config.rate_limits === "off") return async () => {};
  const pages = limitOf("pages", config.tracking_pages_per_minute);
  return (reply, address) => spend(reply, address, [pages]);
}

interface Limit {
  name: string;
  points: number;
  limiter: RateLimiterMemory;
  policy: string;
}

function limitOf(name: string, points: number): Limit {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds });
  return { name, points, limiter, policy: `"${name}";q=${points};w=${windowSeconds}` };
}

/** Spends one point of each limit until one is exhausted; says what is left of those that counted. */
async function spend(reply: FastifyReply, key: string, limits: Limit[]): Promise<void> {
  const left: string[] = [];
  let waitSeconds = 0;
  for (const { name, points, limiter } of limits) {
    const counted = await limiter.penalty(key);
    const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    left.push(`"${name}";r=${Math.max(0, points - counted.consumedPoints)};t=${seconds}`);
    if (counted.consumedPoints > points) waitSeconds = seconds;
    if (waitSeconds > 0) break;
  }
  void reply.header("ratelimit-policy", limits.map(({ policy }) => policy).join(", "));
  void reply.header("ratelimit", left.join(", "));
  if (waitSeconds > 0) throw new ApiError("too_many_requests", { retry_after: waitSeconds });
}
