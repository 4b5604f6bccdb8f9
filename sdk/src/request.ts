import type { CallOptions, Facts } from "./call.ts";
import { toError, type WaybillError } from "./errors.ts";
import { newKey } from "./key.ts";
import { delayBefore, sleep } from "./retry.ts";
import type { Settings } from "./settings.ts";

/** One call: a line of the table of operations with its input. */
export interface Request {
  method: string;
  /** With its ids, without the base. */
  path: string;
  query?: object;
  body?: unknown;
  options?: CallOptions;
}

export interface Answer<T> {
  result: T & Facts;
  response: Response;
}

/** The call's answer, after as many retries as it may have. Throws a `WaybillError`, or the signal's reason. */
export async function request<T>(settings: Settings, call: Request): Promise<Answer<T>> {
  const response = await respond(settings, call, async (response) => {
    const text = await response.text();
    return { response, body: text === "" ? { data: null } : (JSON.parse(text) as object) };
  });
  const { headers } = response.response;
  const facts = {
    isReplay: headers.get("idempotent-replay") === "true",
    requestId: headers.get("request-id"),
  };
  return { result: { ...response.body, ...facts } as T & Facts, response: response.response };
}

/** What `read` makes of a successful response; it belongs to the try, so a body that is cut is a retry. */
export async function respond<T>(
  settings: Settings,
  call: Request,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { method, options = {} } = call;
  const isMutation = method !== "GET";
  const key = isMutation ? (options.idempotencyKey ?? (await newKey())) : null;
  const maxRetries = options.maxRetries ?? settings.maxRetries;
  for (let attempt = 0; ; attempt++) {
    const outcome = await tryOnce(settings, call, { key, attempt, read });
    if ("value" in outcome) return outcome.value;
    const { error } = outcome;
    const delay = error.isRetryable && attempt < maxRetries ? delayOf(error, attempt) : null;
    if (delay === null) throw error;
    await sleep(delay, options.signal);
  }
}

function delayOf({ retryAfterSeconds }: WaybillError, attempt: number): number | null {
  return delayBefore(attempt, retryAfterSeconds);
}

interface Try<T> {
  key: string | null;
  attempt: number;
  read: (response: Response) => Promise<T>;
}

async function tryOnce<T>(
  settings: Settings,
  call: Request,
  { key, attempt, read }: Try<T>,
): Promise<{ value: T } | { error: WaybillError }> {
  const { method, options = {} } = call;
  const url = settings.base + call.path + queryOf(call.query);
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  const seen = { method, url, attempt };
  settings.onRequest?.(seen);
  const limit = withLimit(timeoutMs, options.signal);
  const start = Date.now();
  try {
    const response = await settings.fetch(url, {
      method,
      headers: headersOf(settings, call, key),
      body: encode(call.body),
      signal: limit.signal,
    });
    const requestId = response.headers.get("request-id");
    const durationMs = Date.now() - start;
    settings.onResponse?.({ ...seen, status: response.status, requestId, durationMs });
    if (response.ok) return { value: await read(response) };
    return { error: await errorOf(response, key) };
  } catch (cause) {
    if (options.signal?.aborted) throw options.signal.reason;
    const code = limit.isOver() ? "timeout" : "connection_failed";
    const message = limit.isOver()
      ? `There was no answer within ${timeoutMs} ms.`
      : `The connection to the server failed: ${(cause as Error).message}`;
    return { error: toError({ code, message, idempotencyKey: key, cause }) };
  } finally {
    limit.clear();
  }
}

/** A signal that ends after that time, or with the other one. `AbortSignal.any` is missing in Node 18. */
function withLimit(ms: number, outer?: AbortSignal) {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, ms);
  const stop = () => controller.abort();
  if (outer?.aborted) stop();
  outer?.addEventListener("abort", stop);
  return {
    signal: controller.signal,
    isOver: () => isOver,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", stop);
    },
  };
}

function headersOf(
  settings: Settings,
  { body, options }: Request,
  key: string | null,
): Record<string, string> {
  const isForm = typeof FormData === "function" && body instanceof FormData;
  return {
    accept: "application/json",
    ...(settings.token && { authorization: `Bearer ${settings.token}` }),
    ...(settings.organization && { "x-waybill-organization": settings.organization }),
    ...(body !== undefined && !isForm && { "content-type": "application/json" }),
    ...(key !== null && { "idempotency-key": key }),
    ...options?.headers,
  };
}

function encode(body: unknown): string | FormData | undefined {
  if (body === undefined) return undefined;
  const isForm = typeof FormData === "function" && body instanceof FormData;
  return isForm ? body : JSON.stringify(body);
}

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

/** Entries that are undefined or null are left out; an array has commas between its values. */
function queryOf(query: object = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Record<string, QueryValue>))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const text = search.toString();
  return text && `?${text}`;
}

async function errorOf(response: Response, idempotencyKey: string | null): Promise<WaybillError> {
  const text = await response.text();
  const body = parsed(text);
  const { code, message, details } = body?.error ?? {};
  const retryAfter = Number(response.headers.get("retry-after") ?? NaN);
  return toError({
    code: code ?? `http_${response.status}`,
    message: message ?? `The server answered ${response.status} without an error of Waybill.`,
    details,
    status: response.status,
    requestId: response.headers.get("request-id"),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    idempotencyKey,
    body: body ?? text,
  });
}

interface ErrorAnswer {
  error?: { code?: string; message?: string; details?: object };
}

/** A proxy in between may answer with a page. */
function parsed(text: string): ErrorAnswer | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" ? body : null;
  } catch {
    return null;
  }
}
