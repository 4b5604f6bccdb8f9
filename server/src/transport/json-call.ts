import { Agent, request } from "undici";
import type { OutsideFailure } from "../domain/errors/outside-error.ts";

/**
 * One JSON call to an outside party, with a classification of its failures. Every outgoing HTTP call is made
 * here, so that "it certainly did nothing" is decided in one function.
 */

export interface JsonCall {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string as it is, under the `content-type` that comes with it. */
  body?: object | string;
  signal: AbortSignal;
  /** For a response to begin, and between any two chunks of it. */
  timeout_ms: number;
}

/** The response, whatever its status. A body that is no JSON is an error only where it is needed. */
export interface JsonResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /**
   * As `parsed`: undefined for a body that is not JSON: empty, truncated, compressed, or a proxy's web page.
   */
  body: unknown;
  /** Its `Retry-After`, within reason; null when it has none that makes sense. */
  retry_after_seconds: number | null;
}

/** No response. `code` is `timeout` or `connection`. */
export class TransportError extends Error {
  readonly kind: Exclude<OutsideFailure, "refused">;
  readonly code: "timeout" | "connection";

  constructor(kind: TransportError["kind"], code: TransportError["code"], cause: unknown) {
    super(describe(kind, code), { cause });
    this.name = "TransportError";
    this.kind = kind;
    this.code = code;
  }
}

const maxResponseBytes = 16 * 1024 * 1024;

/**
 * Connections kept open between calls. One agent for each party, so that parties do not share connections.
 */
export function connections(): Agent {
  return new Agent({ connect: { timeout: 5_000 }, maxResponseSize: maxResponseBytes });
}

/**
 * Makes the call once, without retries: a redirect is a response like any other and is not followed, and
 * `Retry-After` is not waited for. Nothing is decompressed. When the signal fires the socket is destroyed and
 * the call throws at once. Throws `TransportError`; a status of 400 or more does not throw.
 */
export async function callJson(agent: Agent, call: JsonCall): Promise<JsonResponse> {
  try {
    const answer = await request(call.url, {
      dispatcher: agent,
      method: call.method,
      headers: {
        accept: "application/json",
        ...(call.body ? { "content-type": "application/json" } : {}),
        ...call.headers,
      },
      body: typeof call.body === "object" ? JSON.stringify(call.body) : (call.body ?? null),
      signal: call.signal,
      headersTimeout: call.timeout_ms,
      bodyTimeout: call.timeout_ms,
    });
    const { statusCode: status, headers } = answer;
    const retry_after_seconds = retryAfterSeconds(headers["retry-after"], Date.now());
    return { status, headers, body: parsed(await answer.body.text()), retry_after_seconds };
  } catch (error) {
    throw transportError(error, call.signal);
  }
}

/**
 * The value of JSON text; undefined for invalid text. NUL and lone surrogates in its strings become U+FFFD,
 * because PostgreSQL accepts neither, and a party's outcome must not be lost because of a character in its
 * text.
 */
export function parsed(text: string): unknown {
  try {
    return hasUnwritable.test(text) ? JSON.parse(text, writable) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON can only contain them as escapes. */
const hasUnwritable = /\\u(0000|d[89a-f])/i;

function writable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\ufffd").toWellFormed() : value;
}

/** More than an hour is a mistake of a carrier's, or not meant for this client. */
const maxRetryAfterSeconds = 3_600;

/**
 * `Retry-After` as seconds from `now`, both of its forms (RFC 9110): a number, or a date. Carriers send
 * anything: what is negative, past or neither is null, what is too long is limited to `most`, an hour by
 * default.
 */
export function retryAfterSeconds(
  value: unknown,
  now: number,
  most = maxRetryAfterSeconds,
): number | null {
  if (typeof value !== "string") return null;
  const isNumber = /^\d+$/.test(value);
  const seconds = isNumber ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  if (!(seconds > 0) || (!isNumber && !value.endsWith("GMT"))) return null;
  return Math.min(seconds, most);
}

/** The connection was never made, so the request was never read. Nothing else proves that. */
const neverConnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const timedOut = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

function transportError(error: unknown, signal: AbortSignal): TransportError {
  const code = (error as { code?: unknown }).code;
  if (signal.aborted) return new TransportError("unknown", "timeout", error);
  if (typeof code === "string" && neverConnected.has(code)) {
    return new TransportError("unreachable", "connection", error);
  }
  const late = typeof code === "string" && timedOut.has(code);
  return new TransportError("unknown", late ? "timeout" : "connection", error);
}

function describe(kind: TransportError["kind"], code: TransportError["code"]): string {
  if (kind === "unreachable") return "could not be reached";
  return code === "timeout" ? "did not answer in time" : "closed the connection without an answer";
}
