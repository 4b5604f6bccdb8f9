import { TextDecoder } from "node:util";
import { gunzip } from "node:zlib";
import { Agent, request } from "undici";
import type { OutsideFailure } from "../domain/errors/outside-error.ts";
import { BudgetExhausted, spendCall } from "../domain/scheduling/call-budget.ts";

/**
 * One HTTP call to an outside party, with a classification of its failures. Every outgoing HTTP call to a
 * party is made here, so that "it certainly did nothing" is decided in one function.
 */

export interface HttpCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer | null;
  signal: AbortSignal;
  /** For a response to begin, and between any two chunks of it. */
  timeout_ms: number;
  /** The longest answer, packed and unpacked, that is accepted; 16 MiB when absent. */
  max_bytes?: number;
}

export type HttpHeaders = Record<string, string | string[] | undefined>;

/** The response, whatever its status. */
export interface HttpAnswer {
  status: number;
  /** By names in lower case. */
  headers: HttpHeaders;
  /** Unpacked when it came as gzip. */
  bytes: Buffer;
  /** Its `Retry-After`, within reason; null when it has none that makes sense. */
  retry_after_seconds: number | null;
}

/**
 * No response that can be used. `code` is `timeout`, `connection`, or `bad_answer` for one that is too large
 * or cannot be unpacked. `over_budget`: it was not made, because its contract allows no more of them now.
 */
export class TransportError extends Error {
  readonly kind: Exclude<OutsideFailure, "refused">;
  readonly code: "timeout" | "connection" | "bad_answer" | "over_budget";

  constructor(kind: TransportError["kind"], code: TransportError["code"], cause: unknown) {
    super(describe(kind, code), { cause });
    this.name = "TransportError";
    this.kind = kind;
    this.code = code;
  }
}

const maxAnswerBytes = 16 * 1024 * 1024;

/**
 * Connections kept open between calls. One agent for each party, so that parties do not share connections.
 */
export function connections(): Agent {
  return new Agent({ connect: { timeout: 5_000 } });
}

/**
 * Makes the call once, without retries: a redirect is a response like any other and is not followed, and
 * `Retry-After` is not waited for. When the signal fires the socket is destroyed and the call throws at once.
 * Throws `TransportError`; a status of 400 or more does not throw.
 */
export async function callHttp(agent: Agent, call: HttpCall): Promise<HttpAnswer> {
  const most = call.max_bytes ?? maxAnswerBytes;
  try {
    spendCall();
    const answer = await request(call.url, {
      dispatcher: agent,
      method: call.method,
      headers: call.headers ?? {},
      body: call.body ?? null,
      signal: call.signal,
      headersTimeout: call.timeout_ms,
      bodyTimeout: call.timeout_ms,
    });
    const { statusCode: status, headers } = answer;
    const retry_after_seconds = retryAfterSeconds(headers["retry-after"], Date.now());
    const bytes = await unpacked(await read(answer.body, most), most);
    return { status, headers, bytes, retry_after_seconds };
  } catch (error) {
    throw transportError(error, call.signal);
  }
}

/**
 * The answer's text in the character set that its `content-type` names, else in UTF-8. What is invalid in it
 * becomes U+FFFD, and so does NUL, which PostgreSQL does not accept.
 */
export function textOf({ headers, bytes }: Pick<HttpAnswer, "headers" | "bytes">): string {
  return decoderOf(headers["content-type"]).decode(bytes).replaceAll("\0", "\ufffd");
}

function decoderOf(contentType: HttpHeaders[string]): TextDecoder {
  const name = /;\s*charset="?([\w.:-]{1,40})/i.exec(String(contentType ?? ""))?.[1];
  try {
    return new TextDecoder(name ?? "utf-8");
  } catch {
    return new TextDecoder();
  }
}

/** Thrown while an answer is read, and only seen as the cause of a `TransportError`. */
class UnusableAnswer extends Error {}

/** Destroys the socket as soon as the body is too long: leaving the loop destroys it. */
async function read(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw new UnusableAnswer(`more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The bytes say whether they are gzip: parties send the header without it, and it without the header. */
function unpacked(bytes: Buffer, most: number): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return Promise.resolve(bytes);
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: most }, (error, plain) => {
      if (error) reject(new UnusableAnswer("cannot be unpacked", { cause: error }));
      else resolve(plain);
    });
  });
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
  if (error instanceof BudgetExhausted)
    return new TransportError("unreachable", "over_budget", error);
  if (signal.aborted) return new TransportError("unknown", "timeout", error);
  if (error instanceof UnusableAnswer) return new TransportError("unknown", "bad_answer", error);
  if (typeof code === "string" && neverConnected.has(code)) {
    return new TransportError("unreachable", "connection", error);
  }
  const late = typeof code === "string" && timedOut.has(code);
  return new TransportError("unknown", late ? "timeout" : "connection", error);
}

const descriptions: Readonly<Record<TransportError["code"], string>> = {
  timeout: "did not answer in time",
  connection: "closed the connection without an answer",
  bad_answer: "gave an answer that cannot be read",
  over_budget: "has been called as often as its contract allows for now",
};

function describe(kind: TransportError["kind"], code: TransportError["code"]): string {
  const isNotReached = kind === "unreachable" && code !== "over_budget";
  return isNotReached ? "could not be reached" : descriptions[code];
}
