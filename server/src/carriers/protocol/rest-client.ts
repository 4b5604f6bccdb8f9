import {
  callHttp,
  connections,
  type HttpAnswer,
  type HttpCall,
} from "../../transport/http-call.ts";
import { CarrierError, type CallContext } from "../carrier.ts";
import type { CarrierConnection } from "../connection.ts";
import {
  beforeTheCall,
  credentialsInvalid,
  refusedByUs,
  withoutAnswer,
  type ErrorTable,
} from "./classify.ts";
import { tokenCache, type IssuedToken } from "./tokens.ts";
import { steeringHeader } from "./steering-header.ts";

/** Calls of a carrier that wants an access token: the token, the call, and what failed of both. */
interface RestClient {
  /**
   * Makes the call once; twice where the carrier refused the token, which proves that it did nothing. Whatever the
   * status, the answer is returned. Throws a `CarrierError` without one.
   */
  call(call: RestCall): Promise<HttpAnswer>;
  /** A token of another audience, for a header of a call. */
  token(audience: string, call: Pick<RestCall, "context" | "signal">): Promise<string>;
  /** Forgets it: the carrier refused it. */
  dropToken(audience: string, context: CallContext, token: string): void;
}

export interface RestCall {
  context: CallContext;
  method: HttpCall["method"];
  /** Below the carrier's host, with its query. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
  signal: AbortSignal;
  timeout_ms: number;
  /** Words for the simulator where the carrier's form has no second line of an address. */
  steering?: string | null;
}

export interface Hosts {
  live: string;
  test: string;
}

export interface RestOptions {
  table: ErrorTable;
  /** Without a slash at the end. */
  hosts: Hosts;
  /** The call for a token of an audience. */
  tokenCall(
    connection: CarrierConnection,
    audience: string,
    tools: TokenTools,
  ): Promise<Pick<HttpCall, "headers" | "body"> & { path: string }>;
  /** The token of an answer. Throws the `CarrierError` of every other answer. */
  readToken(answer: HttpAnswer, audience: string): IssuedToken;
  /** Whether the carrier refused the token of the call, and looked at nothing else. */
  isTokenRefused(answer: HttpAnswer): boolean;
}

/** What the call for one token may need another for. */
interface TokenTools {
  token(audience: string): Promise<string>;
}

/** The audience of the token that every call carries. */
const mainAudience = "api";
/** A carrier that does not issue a token in this time is not asked for anything else. */
const tokenTimeoutMs = 10_000;

/** A carrier's REST API, called with a token of the connection's, which is had when one is needed. */
export function restClient(options: RestOptions): RestClient {
  const { table, hosts } = options;
  const agent = connections();
  const tokens = tokenCache();

  const send = (call: HttpCall) =>
    callHttp(agent, call).catch((error: unknown) => {
      throw withoutAnswer(table, error);
    });

  function wanted(connection: CarrierConnection, audience: string) {
    const ask = async (signal: AbortSignal): Promise<IssuedToken> => {
      const answer = await withTokens({
        token: (other) => tokenOf(connection, other, signal),
        drop: (other, token) => tokens.drop({ connection, audience: other }, token),
        isRefused: options.isTokenRefused,
        async call(tools) {
          const { path, ...rest } = await options.tokenCall(connection, audience, tools);
          const url = hosts[connection.environment] + path;
          return send({ ...rest, url, method: "POST", signal, timeout_ms: tokenTimeoutMs });
        },
      });
      return options.readToken(answer, audience);
    };
    return { connection, audience, ask };
  }

  /** What fails here failed before the call that was wanted. */
  async function tokenOf(
    connection: CarrierConnection,
    audience: string,
    signal: AbortSignal,
  ): Promise<string> {
    try {
      return await tokens.get(wanted(connection, audience), signal);
    } catch (error) {
      if (error instanceof CarrierError) throw beforeTheCall(error);
      if (!signal.aborted) throw error;
      throw beforeTheCall(tooLate(table, error));
    }
  }

  return {
    async call({ context, path, headers, body, steering, ...rest }) {
      const connection = connectionOf(table, context);
      const base = hosts[connection.environment];
      const url = base + path;
      const once = async (token: string) =>
        send({
          ...rest,
          url,
          headers: {
            accept: "application/json",
            ...(body ? { "content-type": "application/json" } : {}),
            ...headers,
            ...steeringHeader(base, steering ?? null),
            authorization: `Bearer ${token}`,
          },
          body: body ? JSON.stringify(body) : null,
        });
      const token = await tokenOf(connection, mainAudience, rest.signal);
      const answer = await once(token);
      if (!options.isTokenRefused(answer)) return answer;
      tokens.drop({ connection, audience: mainAudience }, token);
      return once(await tokenOf(connection, mainAudience, rest.signal));
    },
    token: (audience, { context, signal }) =>
      tokenOf(connectionOf(table, context), audience, signal),
    dropToken: (audience, context, token) =>
      tokens.drop({ connection: connectionOf(table, context), audience }, token),
  };
}

/** A call for one token that may need others: made once more where one of those is refused, and not the credentials. */
async function withTokens({
  call,
  token,
  drop,
  isRefused,
}: TokenTools & {
  call(tools: TokenTools): Promise<HttpAnswer>;
  drop(audience: string, token: string): void;
  isRefused(answer: HttpAnswer): boolean;
}): Promise<HttpAnswer> {
  const used = new Map<string, string>();
  const tools: TokenTools = {
    async token(audience) {
      const known = await token(audience);
      used.set(audience, known);
      return known;
    },
  };
  const answer = await call(tools);
  if (used.size === 0 || !isRefused(answer)) return answer;
  for (const [audience, refused] of used) drop(audience, refused);
  return call(tools);
}

function tooLate({ carrier, name }: ErrorTable, cause: unknown): CarrierError {
  const failure = { carrier_code: "timeout", exclusion: "carrier_timeout" } as const;
  const message = `${name} did not answer in time.`;
  return new CarrierError({ kind: "unknown", carrier, message, ...failure }, cause);
}

/** The contract of the call. Throws where there is none: nothing is sent without one. */
export function connectionOf(
  table: ErrorTable,
  { connection }: Pick<CallContext, "connection">,
): CarrierConnection {
  if (connection) return connection;
  const { exclusion } = credentialsInvalid;
  const message = `There is no connection with ${table.name}.`;
  throw refusedByUs(table, { carrier_code: "no_connection", message, exclusion });
}

/** `Basic` credentials (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
