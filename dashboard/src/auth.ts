import { WaybillError } from "@waybill/sdk";

interface Call {
  body?: unknown;
  signal?: AbortSignal;
  /** The Idempotency-Key of what the call changes. */
  key?: string;
}

interface Refusal {
  error?: { code: string; message: string; details: unknown };
}

/** Calls `/api/auth`, which only sessions use and the SDK does not know, and returns the answer's data. */
export async function authCall<T>(method: string, path: string, call: Call = {}): Promise<T> {
  // Of a 204, which has no body, it is undefined.
  const { data } = await callJson<{ data: T }>(method, `/api/auth${path}`, call);
  return data;
}

/** Calls an address that the SDK does not know, with the cookie, and returns the whole answer. Throws as the SDK does. */
export async function callJson<T extends object>(
  method: string,
  address: string,
  { body, signal, key }: Call = {},
): Promise<T> {
  const response = await fetch(address, {
    method,
    headers: {
      accept: "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new WaybillError({ code: "connection_failed", message: "No answer came.", cause });
  });
  if (response.status === 204) return {} as T;
  const answer = (await response.json().catch(() => ({}))) as T & Refusal;
  if (response.ok) return answer;
  throw new WaybillError({
    ...(answer.error ?? { code: "connection_failed", message: "The answer could not be read." }),
    status: response.status,
    requestId: response.headers.get("Request-Id"),
  });
}
