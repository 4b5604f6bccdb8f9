import {
  callHttp,
  connections,
  type HttpAnswer,
  type HttpCall,
} from "../../transport/http-call.ts";
import type { CallContext } from "../carrier.ts";
import { credentialsInvalid, refusedByUs, withoutAnswer } from "../protocol/classify.ts";
import { contractOf, type Contract } from "./credentials.ts";
import { errorTable } from "./errors.ts";
import type { Link } from "./shipments.ts";

/** Canada Post over HTTP: one call, under a connection's contract. */
export interface PostClient {
  /** The answer, whatever it says. Throws a `CarrierError` where there is none. */
  call(request: PostCall): Promise<HttpAnswer>;
}

export interface PostCall {
  method: HttpCall["method"];
  /** Below the host, or a link that the carrier gave. */
  to: string | Link;
  /** Of what is sent and wanted: Canada Post versions its documents by it. A link has its own. */
  media_type?: string;
  body?: string;
  context: CallContext;
  signal: AbortSignal;
  timeout_ms: number;
  /** Words for the simulator: a destination's second line. */
  steering?: string | null;
}

export interface Hosts {
  live: string;
  test: string;
}

export function postClient(hosts: Hosts): PostClient {
  const agent = connections();
  return {
    async call({ method, to, media_type, body, context, signal, timeout_ms, steering }) {
      const base = hosts[context.environment];
      const accept = (typeof to === "string" ? media_type : to.media_type || media_type) ?? "";
      return callHttp(agent, {
        method,
        url: urlOf(base, typeof to === "string" ? to : to.path),
        headers: {
          authorization: authorization(context),
          "accept-language": "en-CA",
          ...(accept ? { accept } : {}),
          ...(body === undefined ? {} : { "content-type": accept }),
          ...steeringHeader(base, steering ?? null),
        },
        body: body ?? null,
        signal,
        timeout_ms,
      }).catch((error: unknown) => {
        throw withoutAnswer(errorTable, error);
      });
    },
  };
}

/** The contract that a call is made under. Throws a refusal where the account has none. */
export function contractIn({ connection }: CallContext): Contract {
  if (connection) return contractOf(connection);
  throw refusedByUs(errorTable, {
    carrier_code: "credentials_invalid",
    message: `${errorTable.name} ${credentialsInvalid.message}`,
    exclusion: credentialsInvalid.exclusion,
  });
}

function authorization({ connection }: CallContext): string {
  const { username = "", password = "" } = connection?.secrets ?? {};
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** A link names the whole path at the host, of which the host's own address may be the beginning. */
function urlOf(base: string, path: string): string {
  const { origin, pathname } = new URL(base);
  const isWhole = pathname !== "/" && path.startsWith(`${pathname}/`);
  return isWhole ? origin + path : base + path;
}

/**
 * A price request and a pickup have no second address line, which steers the simulator: its words go in a header
 * of its own, and only to it.
 */
function steeringHeader(base: string, words: string | null): Record<string, string> {
  const isSimulator = new URL(base).pathname.startsWith("/dialects/");
  return isSimulator && words?.startsWith("sim:") ? { "x-simulator-steering": words } : {};
}
