import type { Environment } from "./environment.ts";

/** An answer of the API. */
export interface Answer<T> {
  data: T;
  meta: Record<string, unknown> & { next_cursor?: string | null; total?: number };
  request_id: string | null;
}

interface Call {
  query?: Record<string, string | number | boolean | readonly string[] | null | undefined>;
  body?: unknown;
  /** The Idempotency-Key of a call that changes something. */
  key?: string;
  signal?: AbortSignal;
}

/** A call that was refused, failed or had no answer (status 0). */
export class ApiFailure extends Error {
  status: number;
  code: string;
  details: Record<string, unknown>;
  requestId: string | null;

  constructor(terms: {
    status: number;
    code: string;
    message: string;
    details?: Record<string, unknown>;
    requestId: string | null;
  }) {
    super(terms.message);
    this.status = terms.status;
    this.code = terms.code;
    this.details = terms.details ?? {};
    this.requestId = terms.requestId;
  }
}

const bases = { live: "/api/v5", sandbox: "/sandbox/api/v5", auth: "/api/auth" } as const;

/** Calls the API of an environment, or `/api/auth`, with the session's cookie. */
export async function call<T>(
  base: Environment | "auth",
  method: string,
  path: string,
  { query, body, key, signal }: Call = {},
): Promise<Answer<T>> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const url = `${bases[base]}${path}${queryText(query)}`;
  const response = await fetch(url, {
    method,
    headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiFailure({
      status: 0,
      code: "no_answer",
      message: "No answer came.",
      requestId: null,
    });
  });
  return read<T>(response);
}

async function read<T>(response: Response): Promise<Answer<T>> {
  const requestId = response.headers.get("Request-Id");
  if (response.status === 204) return { data: undefined as T, meta: {}, request_id: requestId };
  const body = (await response.json().catch(() => null)) as {
    data?: T;
    meta?: Answer<T>["meta"];
    error?: ApiFailure;
  } | null;
  if (response.ok && body)
    return { data: body.data as T, meta: body.meta ?? {}, request_id: requestId };
  const { status } = response;
  const {
    code = "no_answer",
    message = "The answer could not be read.",
    details = {},
  } = body?.error ?? {};
  throw new ApiFailure({ status, code, message, details, requestId });
}

function queryText(query: Call["query"]): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === "") continue;
    parts.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = parts.toString();
  return text ? `?${text}` : "";
}
