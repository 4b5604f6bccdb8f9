/** What a hook sees of a try: no token, no headers, no body. */
export interface RequestSeen {
  method: string;
  url: string;
  /** 0 for the first try. */
  attempt: number;
}

export interface ResponseSeen extends RequestSeen {
  status: number;
  requestId: string | null;
  durationMs: number;
}

export interface WaybillOptions {
  /** `wb_live_…` or `wb_test_…`. Without one, a browser sends the session's cookie to its own origin. */
  token?: string;
  /** The server's address; else `WAYBILL_URL`, the page's origin, or `http://localhost:8080`. */
  baseUrl?: string;
  /** Follows from the token; needed without one, or `live`. */
  environment?: "live" | "sandbox";
  /** Of a session with several organizations: the one that is meant. */
  organization?: string;
  fetch?: typeof fetch;
  /** 2 when absent. */
  maxRetries?: number;
  /** In milliseconds, for each try; 30,000 when absent. */
  timeout?: number;
  onRequest?(seen: RequestSeen): void;
  onResponse?(seen: ResponseSeen): void;
}

export interface Settings {
  /** Of the API and its environment, without a slash at the end. */
  base: string;
  token: string | null;
  organization: string | null;
  fetch: typeof fetch;
  maxRetries: number;
  timeoutMs: number;
  onRequest?(seen: RequestSeen): void;
  onResponse?(seen: ResponseSeen): void;
}

const paths = { live: "/api/v5", sandbox: "/sandbox/api/v5" };

interface Surroundings {
  location?: { origin?: string };
  process?: { env?: Record<string, string | undefined> };
}

/** The options with their defaults. Throws a `TypeError` when token and environment do not fit. */
export function readOptions(options: WaybillOptions): Settings {
  const { location, process } = globalThis as Surroundings;
  const url =
    options.baseUrl ?? process?.env?.WAYBILL_URL ?? location?.origin ?? "http://localhost:8080";
  return {
    base: url.replace(/\/+$/, "") + paths[environmentOf(options)],
    token: options.token ?? null,
    organization: options.organization ?? null,
    // Browsers refuse a `fetch` that is called as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    maxRetries: options.maxRetries ?? 2,
    timeoutMs: options.timeout ?? 30_000,
    onRequest: options.onRequest,
    onResponse: options.onResponse,
  };
}

function environmentOf({ token, environment }: WaybillOptions): "live" | "sandbox" {
  const kind = /^wb_(live|test)_/.exec(token ?? "")?.[1];
  const own = kind === "test" ? "sandbox" : kind === "live" ? "live" : undefined;
  if (token !== undefined && !own) throw new TypeError("A token begins with wb_live_ or wb_test_.");
  if (own && environment && own !== environment)
    throw new TypeError(`This token is for the environment ${own}, not ${environment}.`);
  return own ?? environment ?? "live";
}
