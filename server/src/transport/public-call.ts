import { errors, request, type Dispatcher } from "undici";
import { checkPublicUrl, readNamedUrl } from "../domain/reach/public-url.ts";
import { standingOf, type Reach } from "../domain/reach/reach.ts";
import { retryAfterSeconds } from "./http-call.ts";
import { askNameServers, NameNotResolved, type LookUp } from "./look-up.ts";
import { ForbiddenAddress, NotConnected, publicConnections } from "./public-connections.ts";

/**
 * The only caller of addresses that customers name. It connects to public ones alone, follows no redirect,
 * keeps no cookie, decompresses nothing, and gives no address more than its time.
 */
export interface PublicCaller {
  /**
   * Why a URL may not be saved, as a problem's sentence; null when it may. A name without an address may: it
   * is often made after the webhook, and nothing is called before its addresses are checked.
   */
  check(url: string): Promise<string | null>;
  /** Makes one POST and never throws. */
  post(call: PublicCall): Promise<PublicAnswer>;
  /** Ends the connections that are kept open. */
  close(): Promise<void>;
}

export interface PublicCall {
  url: string;
  /** Sent as they are; `content-type` included. */
  headers: Record<string, string>;
  body: Uint8Array | string;
}

/**
 * - `forbidden_address`: not called, because an address of its is not public (or the URL is none that we call).
 * - `dns`: the name has no address. `refused`: nothing listens there, or no way leads there.
 * - `tls`: the handshake failed, or its certificate is not one to trust. `reset`: it hung up before an answer.
 * - `timeout`: no connection, or no head of an answer, in time. `invalid_answer`: it does not speak HTTP.
 */
type PublicCallError =
  "timeout" | "refused" | "reset" | "tls" | "dns" | "forbidden_address" | "invalid_answer";

/** A status, or why there is none. A redirect is a status like any other. */
export type PublicAnswer = { ms: number } & (
  | {
      status: number;
      error: null;
      detail: null;
      /** The start of the answer as text, at most 1 KB; null when it has none, or a compressed one. */
      excerpt: string | null;
      retry_after_seconds: number | null;
    }
  | {
      status: null;
      error: PublicCallError;
      /** More of it where that helps who runs the receiver, such as `CERT_HAS_EXPIRED`. */
      detail: string | null;
      excerpt: null;
      retry_after_seconds: null;
    }
);

export interface PublicCallerSettings {
  reach: Reach;
  /** Empty is none. */
  egress_proxy: string;
  /** Called for each call that was not made because of where it would have led. */
  onForbidden(): void;
  look_up?: LookUp;
  limits?: Partial<typeof defaultLimits>;
}

const defaultLimits = {
  /** From the lookup of the name to the end of the TLS handshake. */
  connect_ms: 5_000,
  /** Until the head of the answer is there. */
  total_ms: 15_000,
  /** For the rest of the answer, within the same total. */
  excerpt_ms: 1_000,
  /** For the lookup alone when a URL is saved: a request waits for it. */
  check_ms: 2_000,
};

export function publicCaller(settings: PublicCallerSettings): PublicCaller {
  const { reach, egress_proxy, onForbidden } = settings;
  const limits = { ...defaultLimits, ...settings.limits };
  const look_up = settings.look_up ?? askNameServers();
  const { connect_ms } = limits;
  const agent = publicConnections({ reach, look_up, egress_proxy, connect_ms });
  return {
    check: (url) => problemOf(url, reach, within(look_up, limits.check_ms)),
    post: async (call) => {
      const answer = await post(call, agent, { reach, limits });
      if (answer.error === "forbidden_address") onForbidden();
      return answer;
    },
    close: () => agent.destroy(),
  };
}

async function problemOf(text: string, reach: Reach, lookUp: LookUp): Promise<string | null> {
  const problem = checkPublicUrl(text, reach);
  const named = readNamedUrl(text, reach);
  if (problem !== null || typeof named === "string") return problem;
  if (named.address !== null) return null;
  const addresses = await lookUp(named.url.hostname).catch(() => []);
  const standings = addresses.map((address) => standingOf(address, reach));
  // The address itself is not said: it would tell of the network that Waybill runs in.
  if (standings.includes("forbidden")) return named.only_allowed ?? notPublic;
  const isAllowed = standings.length > 0 && standings.every((each) => each === "allowed");
  return isAllowed ? null : named.only_allowed;
}

const notPublic = "must have a host name with public addresses only.";

function within(lookUp: LookUp, ms: number): LookUp {
  return async (name) => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new NameNotResolved(`${name} takes too long`)), ms);
    try {
      return await Promise.race([lookUp(name), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

type Limits = typeof defaultLimits;

async function post(
  call: PublicCall,
  agent: Dispatcher,
  { reach, limits }: { reach: Reach; limits: Limits },
): Promise<PublicAnswer> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const problem = checkPublicUrl(call.url, reach);
  if (problem !== null) return failed(ms(), "forbidden_address", problem);
  const timer = new AbortController();
  const total = setTimeout(() => timer.abort(), limits.total_ms);
  try {
    const { statusCode, headers, body } = await request(call.url, {
      dispatcher: agent,
      method: "POST",
      headers: { ...call.headers, "accept-encoding": "identity" },
      body: call.body,
      signal: timer.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const answered = ms();
    const readMs = Math.max(0, Math.min(limits.excerpt_ms, limits.total_ms - answered));
    const text = await startOf(body, readMs);
    return {
      status: statusCode,
      error: null,
      detail: null,
      excerpt: headers["content-encoding"] === undefined ? text : null,
      retry_after_seconds: retryAfterSeconds(
        headers["retry-after"],
        Date.now(),
        maxRetryAfterSeconds,
      ),
      ms: answered,
    };
  } catch (error) {
    if (timer.signal.aborted) return failed(ms(), "timeout", null);
    return failed(ms(), ...failureOf(error, new URL(call.url)));
  } finally {
    clearTimeout(total);
  }
}

function failed(ms: number, error: PublicCallError, detail: string | null): PublicAnswer {
  return { status: null, error, detail, excerpt: null, retry_after_seconds: null, ms };
}

/** Twice the longest step of the schedule of deliveries. */
const maxRetryAfterSeconds = 48 * 3_600;
/** An answer of up to this is read to its end, so that its connection can be used again. */
const maxReadBytes = 16 * 1024;
const maxExcerptBytes = 1024;

/** The status is the answer: a body that is cut, slow or endless changes nothing. */
async function startOf(body: Dispatcher.ResponseData["body"], readMs: number) {
  const chunks: Buffer[] = [];
  let read = 0;
  const timer = setTimeout(() => body.destroy(), readMs);
  try {
    // Leaving the loop destroys the socket.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (read < maxExcerptBytes) chunks.push(chunk.subarray(0, maxExcerptBytes - read));
      read += chunk.length;
      if (read > maxReadBytes) break;
    }
  } catch {
    // What came before stands.
  } finally {
    clearTimeout(timer);
  }
  return chunks.length > 0 ? excerptOf(Buffer.concat(chunks)) : null;
}

/** Text that a database stores and a terminal prints: bytes that are none, or control it, become U+FFFD. */
function excerptOf(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes).replace(/[^\P{Cc}\t\r\n]/gu, "\ufffd");
  // A character cut at the end, or replaced, may have made it longer.
  let excerpt = text;
  while (Buffer.byteLength(excerpt) > maxExcerptBytes) {
    const over = Buffer.byteLength(excerpt) - maxExcerptBytes;
    excerpt = excerpt.slice(0, excerpt.length - Math.ceil(over / 3)).toWellFormed();
  }
  return excerpt;
}

const noWay = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES"]);
const tooLate = new Set(["UND_ERR_CONNECT_TIMEOUT", "ETIMEDOUT"]);
const hungUp = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

function failureOf(error: unknown, { protocol }: URL): [PublicCallError, string | null] {
  if (error instanceof ForbiddenAddress) return ["forbidden_address", error.message];
  if (error instanceof NameNotResolved) return ["dns", null];
  const isConnecting = error instanceof NotConnected;
  const code = String(((isConnecting ? error.cause : error) as { code?: unknown } | null)?.code);
  if (tooLate.has(code)) return ["timeout", null];
  if (noWay.has(code)) return ["refused", null];
  if (hungUp.has(code)) return ["reset", null];
  if (isConnecting) return protocol === "https:" ? ["tls", code] : ["refused", null];
  // TLS 1.3 tells a client that lacks a certificate after the handshake.
  if (/^ERR_(SSL|TLS)_/.test(code)) return ["tls", code];
  const isNoAnswer = error instanceof errors.HTTPParserError || code.startsWith("UND_ERR_");
  return isNoAnswer ? ["invalid_answer", null] : ["reset", null];
}
