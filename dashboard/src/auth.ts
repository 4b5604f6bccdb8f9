import { WaybillError } from "@waybill/sdk";

interface Call {
  body?: unknown;
  signal?: AbortSignal;
}

interface Answer<T> {
  data?: T;
  error?: { code: string; message: string; details: unknown };
}

/** Calls `/api/auth`, which only sessions use and the SDK does not know, and returns the answer's data. */
export async function authCall<T>(
  method: string,
  path: string,
  { body, signal }: Call = {},
): Promise<T> {
  const response = await fetch(`/api/auth${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new WaybillError({ code: "connection_failed", message: "No answer came.", cause });
  });
  if (response.status === 204) return undefined as T;
  const answer = (await response.json().catch(() => ({}))) as Answer<T>;
  if (response.ok) return answer.data as T;
  throw new WaybillError({
    ...(answer.error ?? { code: "connection_failed", message: "The answer could not be read." }),
    status: response.status,
    requestId: response.headers.get("Request-Id"),
  });
}
