import {
  callHttp,
  connections,
  type HttpAnswer,
  type HttpCall,
} from "../../transport/http-call.ts";
import type { CallContext } from "../carrier.ts";
import { withoutAnswer } from "../protocol/classify.ts";
import { basic, connectionOf, type Hosts } from "../protocol/rest-client.ts";
import { steeringHeader } from "../protocol/steering-header.ts";
import { contractOf, type Contract } from "./credentials.ts";
import { errorTable } from "./errors.ts";
import type { Link } from "./shipments.ts";

/** Canada Post over HTTP: one call, under a connection's contract. */
export interface PostClient {
  /** The answer, whatever it says. Throws a `CarrierError` where there is none. */
  call(request: PostCall): Promise<HttpAnswer>;
}

interface PostCall {
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

export const canadaPostHosts: Hosts = {
  live: "https://soa-gw.canadapost.ca",
  test: "https://ct.soa-gw.canadapost.ca",
};

export function postClient(hosts: Hosts): PostClient {
  const agent = connections();
  return {
    async call({ method, to, media_type, body, context, signal, timeout_ms, steering }) {
      const { environment, secrets } = connectionOf(errorTable, context);
      const base = hosts[environment];
      const accept = (typeof to === "string" ? media_type : to.media_type || media_type) ?? "";
      return callHttp(agent, {
        method,
        url: urlOf(base, typeof to === "string" ? to : to.path),
        headers: {
          authorization: basic(secrets.username ?? "", secrets.password ?? ""),
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
export function contractIn(context: Pick<CallContext, "connection">): Contract {
  return contractOf(connectionOf(errorTable, context));
}

/** A link names the whole path at the host, of which the host's own address may be the beginning. */
function urlOf(base: string, path: string): string {
  const { origin, pathname } = new URL(base);
  const isWhole = pathname !== "/" && path.startsWith(`${pathname}/`);
  return isWhole ? origin + path : base + path;
}
