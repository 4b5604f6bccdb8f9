import { Stripe } from "stripe";
import type { connections } from "../../../transport/http-call.ts";
import { callJson } from "../../../transport/json-call.ts";

/**
 * Stripe's own library over Waybill's own transport. The library names, encodes and reads; the rest
 * of it is not used: its HTTP client sends a request again after a reset even with no retries
 * allowed, reads any response without an `error` as a success, whatever the status, and never ends a
 * call whose response is JSON but no object.
 */

/**
 * Pinned, so that neither an upgrade of the library nor a setting in Stripe's dashboard changes what is
 * sent or received. The library's types are those of this version: one without the other does not
 * compile.
 */
const apiVersion = "2026-10-28.endive";

export interface StripeConnection {
  secret_key: string;
  /** Stripe's address, `https://api.stripe.com`; tests have their own. */
  url: string;
  agent: ReturnType<typeof connections>;
  /** For a response to begin, and between any two parts of it. */
  timeout_ms: number;
}

/**
 * A client for the calls that one signal aborts. The library takes no AbortSignal, so the HTTP
 * client has it; a client costs a third of a millisecond and shares the connections.
 */
export function stripeClient(connection: StripeConnection, signal: AbortSignal): Stripe {
  const { protocol, hostname, port } = new URL(connection.url);
  return new Stripe(connection.secret_key, {
    apiVersion,
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? 80 : 443),
    timeout: connection.timeout_ms,
    // Retried in one place only: by recovery, which knows what may be repeated.
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: "Waybill" },
    httpClient: httpClient(connection, signal),
  });
}

function httpClient(
  { agent }: StripeConnection,
  signal: AbortSignal,
): NonNullable<Stripe.StripeConfig["httpClient"]> {
  return {
    getClientName: () => "undici",
    makeRequest: async (host, port, path, method, headers, body, protocol, timeout_ms) => {
      const answer = await callJson(agent, {
        method: method === "GET" ? "GET" : "POST",
        url: `${protocol}://${host}:${port}${path}`,
        headers: inLowerCase(headers),
        body: body === "" ? undefined : body,
        signal,
        timeout_ms,
      });
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => inLowerCase(answer.headers),
        getRawResponse: () => ({}),
        toStream: () => undefined,
        toJSON: async () => readable(answer),
      };
    },
  };
}

/** The JSON of a response that is Stripe's: an object that is an error exactly when its status is. */
function readable({ status, body }: { status: number; body: unknown }): object {
  if (typeof body !== "object" || body === null)
    throw new Error(`status ${status} without a JSON object`);
  const { error } = body as { error?: unknown };
  const isOk = status >= 200 && status <= 299;
  if (isOk ? error !== undefined : typeof error !== "object" || error === null)
    throw new Error(`status ${status} with a body that is not Stripe's`);
  return body;
}

function inLowerCase(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
