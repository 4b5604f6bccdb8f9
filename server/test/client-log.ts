import type { Client, Failure, Purchase, Reply, TopUp } from "./client.ts";

/**
 * The clients' log: every call that may change something, and its response. Beside the database and
 * the carriers' journal it is the third oracle, and the only one that has the promises made to
 * clients: `client-oracle.ts` compares the other two with it.
 */
export interface ClientLog {
  exchanges: Exchange[];
}

export interface Exchange {
  account_id: string;
  method: string;
  /** Without the base address and the query. */
  path: string;
  key: string | null;
  /** Everything by which two calls with one key are the same call. */
  fingerprint: string;
  body: unknown;
  /** Null until there is a response, and permanently when there is none. */
  reply: Reply<unknown> | null;
}

export function aClientLog(): ClientLog {
  return { exchanges: [] };
}

/** The same client, with its calls and their responses logged. Reads are not logged. */
export function logged(client: Client, log: ClientLog, account_id: string): Client {
  async function heard<T>(
    call: { method: string; path: string; body?: unknown; headers?: Record<string, string> },
    answer: Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    const { method, path, body, headers = {} } = call;
    const exchange: Exchange = {
      account_id,
      method,
      path: path.replace(client.base_url, "").replace(/\?.*/, ""),
      key: headers["idempotency-key"] ?? null,
      fingerprint: `${method} ${path} ${typeof body === "string" ? body : JSON.stringify(body)}`,
      body,
      reply: null,
    };
    log.exchanges.push(exchange);
    const reply = await answer;
    exchange.reply = reply;
    return reply;
  }
  return {
    ...client,
    post: (path, body, headers) =>
      heard({ method: "POST", path, body, headers }, client.post(path, body, headers)),
    put: (path, body, headers) =>
      heard({ method: "PUT", path, body, headers }, client.put(path, body, headers)),
    patch: (path, body, headers) =>
      heard({ method: "PATCH", path, body, headers }, client.patch(path, body, headers)),
    delete: (path, headers) =>
      heard({ method: "DELETE", path, headers }, client.delete(path, headers)),
  };
}

/**
 * What a response means for its request: `final` must be repeated by the key byte for byte; `refused`
 * depends on the moment or the token (decision 4), and nothing was done; `open` may have had its
 * effect, or may yet.
 */
export function verdictOf(reply: Reply<unknown> | null): "final" | "refused" | "open" {
  if (!reply || reply.status >= 500) return "open";
  const { error, data } = (reply.body ?? {}) as Partial<Failure> & { data?: { status?: unknown } };
  if (error?.code === "purchase_pending") return "open";
  // A top-up whose charge is still being looked up, and a pickup or manifest that a carrier has yet to confirm.
  if (!error && ["pending", "scheduled", "creating"].includes(String(data?.status))) return "open";
  return passing.has(reply.status) || passing.has(error?.code) ? "refused" : "final";
}

const passing = new Set<unknown>([400, 401, 403, 406, 408, 413, 415, 429])
  .add("idempotency_in_progress")
  .add("idempotency_conflict");

/** The label that the response has, by either of the two calls that buy one. */
export function labelOf({ method, path, reply }: Exchange): Purchase | null {
  const isSale = method === "POST" && /^\/labels(\/|$)/.test(path) && reply?.status === 201;
  return isSale ? dataOf<Purchase>(reply) : null;
}

/** The shipment that the response reports as voided or cancelled. */
export function voidedBy({ method, path, reply }: Exchange): string | null {
  const isVoid = method === "DELETE" || /\/(void|cancel)$/.test(path);
  const id = /^\/(?:shipments|ltl)\/([^/]+)/.exec(path)?.[1];
  return isVoid && reply?.status === 200 ? (id ?? null) : null;
}

/** The shipment that the response reports as deleted. */
export function removedBy({ method, path, reply }: Exchange): string | null {
  const isGone = method === "DELETE" && reply?.status === 204;
  return isGone ? (/^\/shipments\/([^/]+)$/.exec(path)?.[1] ?? null) : null;
}

/** The credit that the response reports as bought, or pending. */
export function topUpOf({ path, reply }: Exchange): TopUp | null {
  return path === "/credits/top-up" && reply?.status === 201 ? dataOf<TopUp>(reply) : null;
}

/** The batch whose processing the call started, unless it was refused. */
export function processedBy({ method, path, reply }: Exchange): string | null {
  const id = /^\/batches\/([^/]+)\/process$/.exec(path)?.[1];
  const hasResponse = !reply || reply.status === 202 || verdictOf(reply) === "open";
  return method === "POST" && id && hasResponse ? id : null;
}

/** The shipments that the response reports as created. */
export function createdBy({ method, path, reply }: Exchange): string[] {
  if (method !== "POST" || path !== "/shipments" || reply?.status !== 201) return [];
  const data = dataOf<{ id: string } | { data?: { id: string } }[]>(reply);
  return Array.isArray(data) ? data.flatMap((row) => row.data?.id ?? []) : [data.id];
}

function dataOf<T>(reply: Exchange["reply"]): T {
  return (reply?.body as { data: T }).data;
}
