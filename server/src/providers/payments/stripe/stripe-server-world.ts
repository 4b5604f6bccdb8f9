import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  stripeAccounts,
  type StripeResponse,
  type Call,
  type Operation,
  type StripeAccounts,
} from "./stripe-accounts-world.ts";

/**
 * A Stripe for tests, over real HTTP: form-encoded bodies, idempotency keys that replay the first
 * response whatever it was, and every way in which a response can be lost. Its accounts and its log
 * of requests are the oracles: they share no code with the platform.
 */

/**
 * The fault of a request. `before` and `after` say on which side of the effect; `saved` that the
 * failure is kept for the idempotency key; `held` executes only when the test says so, long after the
 * caller has lost its connection.
 */
export type Fault =
  | "reset_before"
  | "reset_after"
  | "silence_before"
  | "silence_after"
  | "500_before"
  | "500_saved"
  | "500_after"
  | "429"
  | "409"
  | "held"
  | { status: number; text: string };

export interface LoggedRequest {
  operation: Operation;
  id: string;
  key: string | null;
  headers: Record<string, string | string[] | undefined>;
  params: Record<string, string>;
  /** Null while, or if never, answered. */
  status: number | null;
  /** Whether the connection ended without a response. */
  is_gone: boolean;
}

export interface StripeServer extends Pick<
  StripeAccounts,
  "intents" | "refunds" | "disputes" | "index"
> {
  url: string;
  requests: LoggedRequest[];
  /** The faults of the next requests of this operation, one after the other; then none. */
  disturb(operation: Operation, ...faults: Fault[]): void;
  /** A signal that fires when the next request gets no response: a timeout without the wait. */
  timeoutSignal(): AbortSignal;
  /** Executes held requests; returns what they would have been answered. */
  deliverHeld(): StripeResponse[];
  /** A day passes: the keys have expired, and the index has caught up. */
  nextDay(): void;
  /** What was captured and not refunded, by reference. */
  kept(): Record<string, number>;
  close(): Promise<void>;
}

export const stripeKey = "sk_test_local";

export async function startStripeServer(): Promise<StripeServer> {
  const books = stripeAccounts();
  const keys = storedResponses(books);
  const faults: Partial<Record<Operation, Fault[]>> = {};
  const requests: LoggedRequest[] = [];
  const held: (() => StripeResponse)[] = [];
  const callers = new Set<AbortController>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    const key = (request.headers["idempotency-key"] as string | undefined) ?? null;
    const entry = logEntry(request, call, key);
    requests.push(entry);
    response.once("close", () => (entry.is_gone = !response.writableFinished));
    const isKnown = request.headers.authorization === `Bearer ${stripeKey}`;
    const fault = isKnown ? faults[call.operation]?.shift() : undefined;
    if (fault === "held") held.push(() => keys.execute(call, key));
    const outcome = isKnown ? outcomeOf(fault, keys, { call, key }) : notAuthorized;
    if (outcome === "reset") return void request.socket.destroy();
    if (outcome === "silence") return callers.forEach((caller) => caller.abort());
    entry.status = outcome.status;
    response.setHeader("content-type", "application/json");
    if ("replayed" in outcome) response.setHeader("idempotent-replayed", "true");
    response.writeHead(outcome.status);
    response.end("text" in outcome ? outcome.text : JSON.stringify(outcome.body));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    intents: books.intents,
    refunds: books.refunds,
    disputes: books.disputes,
    index: books.index,
    disturb: (operation, ...next) => void (faults[operation] = [...next]),
    timeoutSignal() {
      const caller = new AbortController();
      callers.add(caller);
      return caller.signal;
    },
    deliverHeld: () => held.splice(0).map((execution) => execution()),
    nextDay() {
      books.index();
      keys.forget();
    },
    kept: () => keptIn(books),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Executes once for each key, and repeats the first response ever after. */
function storedResponses(books: StripeAccounts) {
  const kept = new Map<string, { of: string; answer: StripeResponse }>();
  return {
    execute(call: Call, key: string | null, effect = () => books.execute(call)): StripeResponse {
      const of = JSON.stringify([call.operation, call.id, call.params.toString()]);
      const earlier = key === null ? undefined : kept.get(key);
      if (earlier?.of === of) return { ...earlier.answer, replayed: true };
      if (earlier) return idempotencyError(400);
      const answer = effect();
      if (key !== null && answer.began) kept.set(key, { of, answer });
      return answer;
    },
    forget: () => kept.clear(),
    books,
  };
}

type Outcome =
  "reset" | "silence" | StripeResponse | { status: number; text: string; replayed?: false };

function outcomeOf(
  fault: Fault | undefined,
  { execute, books }: ReturnType<typeof storedResponses>,
  { call, key }: { call: Call; key: string | null },
): Outcome {
  switch (fault) {
    case undefined:
      return execute(call, key);
    case "held":
    case "reset_before":
      return "reset";
    case "reset_after":
      execute(call, key);
      return "reset";
    case "silence_before":
      return "silence";
    case "silence_after":
      execute(call, key);
      return "silence";
    case "500_before":
      return serverError;
    case "500_saved":
      return execute(call, key, () => serverError);
    case "500_after":
      return execute(call, key, () => (books.execute(call), serverError));
    case "429":
      return rateLimited;
    case "409":
      return idempotencyError(409);
    default:
      return fault;
  }
}

function logEntry(request: IncomingMessage, call: Call, key: string | null): LoggedRequest {
  const { operation, id, params } = call;
  const { headers } = request;
  return {
    operation,
    id,
    key,
    headers,
    params: Object.fromEntries(params),
    status: null,
    is_gone: false,
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://stripe");
  const isPost = request.method === "POST";
  const params = isPost ? new URLSearchParams(Buffer.concat(chunks).toString()) : searchParams;
  const [, version, resource, id = "", action = ""] = pathname.split("/");
  if (version === "v1" && resource === "refunds")
    return { operation: isPost ? "refund" : "list_refunds", id: "", params };
  if (version === "v1" && resource === "disputes")
    return { operation: "list_disputes", id: "", params };
  if (version !== "v1" || resource !== "payment_intents") throw new Error(`no route ${pathname}`);
  if (id === "search") return { operation: "search", id: "", params };
  if (id === "" && !isPost) return { operation: "list", id, params };
  const operation = isPost ? (id === "" ? "create" : (action as "confirm" | "cancel")) : "retrieve";
  return { operation, id, params };
}

function keptIn({ intents }: StripeAccounts): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const { metadata, amount_received, latest_charge } of intents.values()) {
    const left = amount_received - (latest_charge?.amount_refunded ?? 0);
    const reference = metadata["reference"]!;
    if (left > 0) kept[reference] = (kept[reference] ?? 0) + left;
  }
  return kept;
}

const failure = (status: number, error: object): StripeResponse => ({
  status,
  body: { error },
  began: true,
});
const serverError = failure(500, { type: "api_error", message: "Something went wrong." });
const rateLimited = failure(429, {
  type: "invalid_request_error",
  code: "rate_limit",
  message: "Slow down.",
});
const notAuthorized = failure(401, {
  type: "invalid_request_error",
  message: "Invalid API Key: sk_test_***",
});
const idempotencyError = (status: number): StripeResponse => ({
  ...failure(status, { type: "idempotency_error", message: "The key is in use." }),
  began: false,
});
