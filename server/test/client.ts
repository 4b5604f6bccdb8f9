import type { Static } from "typebox";
import { Agent, request } from "undici";
import type { ErrorBody } from "../src/domain/errors/errors.ts";
import type { RatesResponse } from "../src/resources/rates/schemas.ts";
import type { Balance, TopUp, Transaction } from "../src/resources/credits/schemas.ts";
import type { Purchase } from "../src/purchasing/labels/schemas.ts";
import type { Manifest } from "../src/resources/manifests/schemas.ts";
import type { Pickup } from "../src/shipping/pickups/schemas.ts";
import type {
  Shipment,
  ShipmentRowCreated,
  ShipmentRowError,
} from "../src/shipping/shipments/schemas.ts";
import { assertDocumented } from "./documented-responses.ts";

/** An integrator's HTTP client: real sockets, one token, nothing but the API. */

export type Shipment = Static<typeof Shipment>;
export type Purchase = Static<typeof Purchase>;
export type { Manifest, Pickup };
export type Rates = Static<typeof RatesResponse>;
export type Balance = Static<typeof Balance>;
export type TopUp = Static<typeof TopUp>;
export type Transaction = Static<typeof Transaction>;
export type Row = Static<typeof ShipmentRowCreated> | Static<typeof ShipmentRowError>;

export interface DataOf<T> {
  data: T;
}

export interface ListOf<T> {
  data: T[];
  meta: Record<string, string | number | null>;
  links: Record<"first" | "last" | "prev" | "next", string | null>;
}

export interface Failure {
  error: ErrorBody;
}

export interface Reply<T> {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The exact bytes of the body. */
  bytes: Buffer;
  /** The body as JSON; null when there is none. */
  body: T;
}

export type Headers = Record<string, string>;

export interface Client {
  base_url: string;
  token: string;
  get<T>(path: string, headers?: Headers): Promise<Reply<T>>;
  post<T>(path: string, body?: unknown, headers?: Headers): Promise<Reply<T>>;
  put<T>(path: string, body?: unknown, headers?: Headers): Promise<Reply<T>>;
  patch<T>(path: string, body?: unknown, headers?: Headers): Promise<Reply<T>>;
  delete<T>(path: string, headers?: Headers): Promise<Reply<T>>;
}

// No limit on connections: two hundred callers at once are two hundred sockets.
const agent = new Agent({ headersTimeout: 60_000, bodyTimeout: 60_000 });

export function aClient(base_url: string, token: string): Client {
  const send = async <T>(method: string, path: string, headers: Headers = {}, body?: unknown) => {
    const url = path.startsWith("http") ? path : base_url + path;
    const answer = await request(url, {
      dispatcher: agent,
      method: method as "GET",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const isJson = String(answer.headers["content-type"]).includes("json");
    const parsed = (isJson ? JSON.parse(bytes.toString()) : null) as T;
    assertDocumented({ method, url, status: answer.statusCode, body: parsed });
    return { status: answer.statusCode, headers: answer.headers, bytes, body: parsed };
  };
  return {
    base_url,
    token,
    get: (path, headers) => send("GET", path, headers),
    post: (path, body, headers) => send("POST", path, headers, body),
    put: (path, body, headers) => send("PUT", path, headers, body),
    patch: (path, body, headers) => send("PATCH", path, headers, body),
    delete: (path, headers) => send("DELETE", path, headers),
  };
}

/** `201` and `201 already_labelled` as one text, for counting outcomes. */
export function outcomeOf(reply: Reply<unknown>): string {
  const { error } = (reply.body ?? {}) as Partial<Failure>;
  return error ? `${reply.status} ${error.code}` : String(reply.status);
}

/** How often each outcome occurs. */
export function countOutcomes(replies: readonly Reply<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reply of replies) counts[outcomeOf(reply)] = (counts[outcomeOf(reply)] ?? 0) + 1;
  return counts;
}
