import type { FastifyReply } from "fastify";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Config } from "../config.ts";
import { ApiError } from "../domain/errors/errors.ts";

/**
 * How often a client may call (decision 21), counted in memory by each process, in windows of a minute
 * that start with the first call. The headers follow draft-ietf-httpapi-ratelimit-headers.
 */
export interface RateLimits {
  /** Counts a call of the token and of its account, also against the route's tighter limits. Throws 429. */
  spend(
    reply: FastifyReply,
    caller: Counted,
    tighter?: "carrier" | "top_up" | "import",
  ): Promise<void>;
  /** Counts a failed authentication. Throws 429 in place of the 401 from the limit on. */
  spendFailure(reply: FastifyReply, address: string): Promise<void>;
  /** Before a password is checked: throws 429 for an address without any failure left. */
  refuseFailed(reply: FastifyReply, address: string): Promise<void>;
  /**
   * For a token that is not known to exist: throws 429 when its address has no failure left and others
   * like it have used up this second's lookups.
   */
  spendLookup(reply: FastifyReply, address: string): Promise<void>;
  /** Before a key runs for the first time: throws 429 when the account's answers have used up this hour's bytes. */
  refuseStored(account_id: string): Promise<void>;
  /** Counts the bytes of an answer that was stored for a key. */
  spendStored(account_id: string, bytes: number): Promise<void>;
}

/**
 * The token and account that are counted. Tokens are free to create, so a limit per token alone would
 * limit no account.
 */
export interface Counted {
  token_id: string;
  account_id: string;
}

const windowSeconds = 60;

/** Lookups of possibly forged tokens by addresses that sent too many forged ones; of all of them together. */
const lookupsPerSecond = 10;

/** In the memory of this process; with `rate_limits` off nothing is limited. */
export function rateLimits(config: Config): RateLimits {
  const free = async () => {};
  if (config.rate_limits === "off")
    return {
      spend: free,
      spendFailure: free,
      refuseFailed: free,
      spendLookup: free,
      refuseStored: free,
      spendStored: free,
    };
  const general = [
    limitOf("requests", config.requests_per_minute, { keyOf: byToken }),
    limitOf("account_requests", config.account_requests_per_minute, { keyOf: byAccount }),
  ];
  const tighter = {
    carrier: [
      limitOf("carrier", config.carrier_requests_per_minute, { keyOf: byToken }),
      limitOf("account_carrier", config.account_carrier_requests_per_minute, { keyOf: byAccount }),
    ],
    top_up: [limitOf("top_up", config.top_ups_per_minute, { keyOf: byAccount })],
    import: [limitOf("import", config.imports_per_minute, { keyOf: byAccount })],
  };
  const failures = limitOf("failed_authentications", config.failed_authentications_per_minute);
  const lookups = limitOf("lookups", lookupsPerSecond, { seconds: 1 });
  const stored = limitOf("stored_answers", config.stored_answer_bytes_per_hour, { seconds: 3600 });
  return {
    spend: (reply, caller, name) =>
      spend(reply, caller, [...general, ...(name ? tighter[name] : [])]),
    spendFailure: (reply, address) => spend(reply, address, [failures]),
    async refuseFailed(_reply, address) {
      const counted = await failures.limiter.get(address);
      if (!counted || counted.consumedPoints < failures.points) return;
      const retry_after = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
      throw new ApiError("too_many_requests", { retry_after });
    },
    spendLookup: async (reply, address) => {
      const counted = await failures.limiter.get(address);
      if (!counted || counted.consumedPoints < failures.points) return;
      // A new token behind an abused address, such as a proxy's, gets in with one of the next tries.
      await spend(reply, "", [lookups]);
    },
    async refuseStored(account_id) {
      const counted = await stored.limiter.get(account_id);
      if (!counted || counted.consumedPoints < stored.points) return;
      throw new ApiError("too_many_requests", {
        message:
          "The answers kept for this account's Idempotency-Keys are as many bytes as an hour may add. Send the request later; one that has no effect can be sent without a key.",
        retry_after: Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
      });
    },
    async spendStored(account_id, bytes) {
      await stored.limiter.penalty(account_id, bytes);
    },
  };
}

const byToken = ({ token_id }: Counted) => token_id;
const byAccount = ({ account_id }: Counted) => account_id;

/** Counts a request of an address for a public page. Throws 429. */
export function pageLimit(config: Config): (reply: FastifyReply, address: string) => Promise<void> {
  if (config.rate_limits === "off") return async () => {};
  const pages = limitOf("pages", config.tracking_pages_per_minute);
  return (reply, address) => spend(reply, address, [pages]);
}

interface Limit<Who> {
  name: string;
  points: number;
  keyOf: (who: Who) => string;
  limiter: RateLimiterMemory;
  policy: string;
}

interface LimitOptions<Who> {
  keyOf: (who: Who) => string;
  seconds?: number;
}

function limitOf(name: string, points: number, options?: { seconds?: number }): Limit<string>;
function limitOf<Who>(name: string, points: number, options: LimitOptions<Who>): Limit<Who>;
function limitOf(
  name: string,
  points: number,
  { keyOf = (key) => key, seconds = windowSeconds }: Partial<LimitOptions<string>> = {},
): Limit<string> {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
  return { name, points, keyOf, limiter, policy: `"${name}";q=${points};w=${seconds}` };
}

/** Spends one point of each limit until one is exhausted; reports what is left of those that counted. */
async function spend<Who>(reply: FastifyReply, who: Who, limits: Limit<Who>[]): Promise<void> {
  const left: string[] = [];
  let waitSeconds = 0;
  for (const { name, points, keyOf, limiter } of limits) {
    const counted = await limiter.penalty(keyOf(who));
    const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    left.push(`"${name}";r=${Math.max(0, points - counted.consumedPoints)};t=${seconds}`);
    if (counted.consumedPoints > points) waitSeconds = seconds;
    if (waitSeconds > 0) break;
  }
  void reply.header("ratelimit-policy", limits.map(({ policy }) => policy).join(", "));
  void reply.header("ratelimit", left.join(", "));
  if (waitSeconds > 0) throw new ApiError("too_many_requests", { retry_after: waitSeconds });
}
