import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Platform } from "../../context.ts";
import type { Environment } from "../../database/tables.ts";
import { onNobodysBehalf } from "../../database/driver/on-behalf-of.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { positionOf } from "../../events/feed/cursor.ts";
import { readEnds } from "../../events/feed/read-store.ts";
import type { Tail } from "../../events/feed/tail.ts";
import { messagesOf } from "./messages.ts";
import { listInForce, listSessionsInForce } from "./stream-store.ts";
import { readTypes } from "./types.ts";

/** The open streams of a process. */
export interface Streams {
  /**
   * `GET /events/stream`. Throws 429 for a token with five and an account with 50, 503 when the process has 500, or 375 of
   * the sandbox, and what a cursor's reading throws.
   */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    query: { types?: string; after?: string },
  ): Promise<Readable>;
}

const ofTokenMax = 5;
/** Tokens are free to create. */
const ofAccountMax = 50;
const allMax = 500;
/** A quarter is production's alone, as of the requests in work. */
const sandboxMax = 375;
const lifeMs = 15 * 60_000;
const checkMs = 500;
/** A reader that does not take the last message is cut off after this time. */
const lastMessageMs = 300;

interface Stream {
  account_id: string;
  environment: Environment;
  /** The token's, or the session's. */
  caller_id: string;
  /** The person's role, where a session reads. */
  role: string | null;
  end(): void;
}

/** `draining` ends all of them. */
export function openStreams(
  { db, clock, log, metrics }: Platform,
  tail: Tail,
  draining: AbortSignal,
): Streams {
  const open = new Set<Stream>();
  let isChecking = false;
  draining.addEventListener("abort", () => open.forEach((stream) => stream.end()));

  /** Ends the streams of tokens and sessions that are no longer in force. */
  function check(): void {
    isChecking = open.size > 0;
    if (!isChecking) return;
    const timer = setTimeout(() => {
      const asked = [...open];
      callersInForce(db, asked, clock.now())
        .then((callers) => {
          for (const stream of asked) if (!callers.has(stream.caller_id)) stream.end();
        })
        .catch((error: unknown) => log.debug({ err: error }, "streams.not_checked"))
        .finally(check);
    }, checkMs);
    timer.unref();
  }

  return {
    async open(request, reply, query) {
      const { account, token, session } = request.ctx;
      const types = readTypes(query.types);
      const caller_id = session?.id ?? token.id;
      const { account_id, environment } = account;
      refuseTooMany(open, { account_id, environment, caller_id }, draining);
      const ending = new AbortController();
      const stream: Stream = {
        account_id,
        environment,
        caller_id,
        role: session?.role ?? null,
        end: () => ending.abort(),
      };
      open.add(stream);
      try {
        const position = await beginOf(request, query.after);
        const out = readableOf({ db, tail, account_id, environment, types, position, ending });
        // Before the stream closes, which waits until its generator does.
        reply.raw.once("close", stream.end);
        metrics.streams.set(open.size);
        out.once("close", () => {
          open.delete(stream);
          metrics.streams.set(open.size);
        });
        if (!isChecking) onNobodysBehalf(check);
        asEventStream(reply);
        return out;
      } catch (error) {
        open.delete(stream);
        throw error;
      }
    },
  };
}

/** Neither a cache nor a proxy may keep messages back. */
function asEventStream(reply: FastifyReply): void {
  void reply
    .type("text/event-stream; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-accel-buffering", "no");
}

async function callersInForce(
  db: Platform["db"],
  streams: readonly Stream[],
  now: Date,
): Promise<Set<string>> {
  const tokens: { account_id: string; token_id: string }[] = [];
  const sessions: { account_id: string; session_id: string; role: string }[] = [];
  for (const { account_id, caller_id, role } of streams)
    if (role === null) tokens.push({ account_id, token_id: caller_id });
    else sessions.push({ account_id, session_id: caller_id, role });
  const found = [
    tokens.length > 0 ? await listInForce(db, tokens, now) : new Set<string>(),
    sessions.length > 0 ? await listSessionsInForce(db, sessions, now) : new Set<string>(),
  ];
  return new Set(found.flatMap((each) => [...each]));
}

function refuseTooMany(
  open: ReadonlySet<Stream>,
  { account_id, environment, caller_id }: Pick<Stream, "account_id" | "environment" | "caller_id">,
  draining: AbortSignal,
): void {
  const count = (isCounted: (stream: Stream) => boolean) => [...open].filter(isCounted).length;
  const tooMany = (whose: string, most: number) =>
    new ApiError("too_many_requests", {
      message: `${whose} has at most ${most} streams open.`,
      retry_after: 1,
    });
  if (count((stream) => stream.caller_id === caller_id) >= ofTokenMax)
    throw tooMany("A token", ofTokenMax);
  if (count((stream) => stream.account_id === account_id) >= ofAccountMax)
    throw tooMany("An account", ofAccountMax);
  const isSandboxFull =
    environment === "test" && count((stream) => stream.environment === "test") >= sandboxMax;
  if (isSandboxFull || open.size >= allMax || draining.aborted)
    throw new ApiError("unavailable", { retry_after: 1 });
}

/** What a client that connects again has seen counts, not the address that it was given first. */
async function beginOf({ ctx, headers }: FastifyRequest, after?: string): Promise<number> {
  const ends = await readEnds(ctx.db, ctx.account.account_id);
  const seen = headers["last-event-id"];
  if (typeof seen === "string" && seen !== "") return positionOf(seen, ends, "Last-Event-ID");
  return after === undefined ? ends.last_position : positionOf(after, ends, "after");
}

type Source = Omit<Parameters<typeof messagesOf>[0], "ends" | "fellBehind">;

function readableOf({ ending, ...source }: Source & { ending: AbortController }): Readable {
  const fellBehind = () => {
    ending.abort();
    out.destroy();
  };
  const messages = messagesOf({ ...source, ends: ending.signal, fellBehind });
  const out = Readable.from(messages, { objectMode: false });
  const life = setTimeout(() => ending.abort(), lifeMs);
  life.unref();
  ending.signal.addEventListener("abort", () => {
    setTimeout(() => out.destroy(), lastMessageMs).unref();
  });
  out.once("close", () => clearTimeout(life));
  return out;
}
