import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  stripeBooks,
  type Answer,
  type Call,
  type Operation,
  type StripeBooks,
} from "./stripe-books.ts";

/**
 * A Stripe for tests, over real HTTP: form-encoded bodies, idempotency keys that replay the first
 * answer whatever it was, and every way in which an answer can go missing. Its books and its log of
 * requests are the witnesses: they share nothing with the platform.
 */

/**
 * What a request meets. `before` and `after` say on which side of the effect; `saved` that the failure
 * is kept for the idempotency key; `held` executes only when the test says so, long after the caller
 * has lost its connection.
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
  /** Null while, or when never, answered. */
  status: number | null;
  replayed: boolean;
}

export interface StripeServer extends Pick<StripeBooks, "intents" | "refunds" | "index"> {
  url: string;
  requests: LoggedRequest[];
  /** The requests of this operation meet these, one after the other; then none. */
  disturb(operation: Operation, ...faults: Fault[]): void;
  /** Executes what was held; what it would have answered. */
  deliverHeld(): Answer[];
  /** A day passes: the keys are forgotten, and the index has long caught up. */
  nextDay(): void;
  /** What was captured and not paid back, by our reference. */
  kept(): Record<string, number>;
  close(): Promise<void>;
}

export const stripeKey = "sk_test_local";

export async function startStripeServer(): Promise<StripeServer> {
  const books = stripeBooks();
  const saved = new Map<string, { of: string; answer: Answer }>();
  const faults: Partial<Record<Operation, Fault[]>> = {};
  const requests: LoggedRequest[] = [];
  const held: (() => Answer)[] = [];

  /** Executes once for each key, and answers as the first time ever after. */
  function execute(
    call: Call,
    key: string | null,
    effect = () => books.execute(call),
  ): Answer & { replayed: boolean } {
    const of = JSON.stringify([call.operation, call.id, call.params.toString()]);
    const earlier = key === null ? undefined : saved.get(key);
    if (earlier?.of === of) return { ...earlier.answer, replayed: true };
    if (earlier) return { ...idempotencyError(400), replayed: false };
    const answer = effect();
    if (key !== null && answer.began) saved.set(key, { of, answer });
    return { ...answer, replayed: false };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    const key = headerOf(request, "idempotency-key");
    const entry: LoggedRequest = {
      operation: call.operation,
      id: call.id,
      key,
      headers: request.headers,
      params: Object.fromEntries(call.params),
      status: null,
      replayed: false,
    };
    requests.push(entry);
    const send = ({
      status,
      body,
      replayed = false,
    }: Omit<Answer, "began"> & { replayed?: boolean }) => {
      entry.status = status;
      entry.replayed = replayed;
      const headers = {
        "content-type": "application/json",
        ...(replayed ? { "idempotent-replayed": "true" } : {}),
      };
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${stripeKey}`) return send(notAuthorized);
    const fault = faults[call.operation]?.shift();
    switch (fault) {
      case undefined:
        return send(execute(call, key));
      case "reset_before":
        return void request.socket.destroy();
      case "reset_after":
        execute(call, key);
        return void request.socket.destroy();
      case "silence_before":
        return;
      case "silence_after":
        return void execute(call, key);
      case "500_before":
        return send(serverError);
      case "500_saved":
        return send(execute(call, key, () => serverError));
      case "500_after":
        return send(execute(call, key, () => (books.execute(call), serverError)));
      case "429":
        return send(rateLimited);
      case "409":
        return send(idempotencyError(409));
      case "held":
        held.push(() => execute(call, key));
        return void request.socket.destroy();
      default:
        entry.status = fault.status;
        response.writeHead(fault.status, { "content-type": "application/json" }).end(fault.text);
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    intents: books.intents,
    refunds: books.refunds,
    index: books.index,
    disturb: (operation, ...next) => void (faults[operation] = [...next]),
    deliverHeld: () => held.splice(0).map((execution) => execution()),
    nextDay() {
      books.index();
      saved.clear();
    },
    kept: () => keptIn(books),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://stripe");
  const isPost = request.method === "POST";
  const params = isPost ? new URLSearchParams(Buffer.concat(chunks).toString()) : searchParams;
  const [, version, resource, id = "", action = ""] = pathname.split("/");
  if (version === "v1" && resource === "refunds" && isPost)
    return { operation: "refund", id: "", params };
  if (version !== "v1" || resource !== "payment_intents") throw new Error(`no route ${pathname}`);
  if (id === "search") return { operation: "search", id: "", params };
  const operation = isPost ? (id === "" ? "create" : (action as "confirm" | "cancel")) : "retrieve";
  return { operation, id, params };
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}

function keptIn({ intents }: StripeBooks): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const { metadata, amount_received, latest_charge } of intents.values()) {
    const left = amount_received - (latest_charge?.amount_refunded ?? 0);
    const reference = metadata["reference"]!;
    if (left > 0) kept[reference] = (kept[reference] ?? 0) + left;
  }
  return kept;
}

const failure = (status: number, error: object): Answer => ({
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
const idempotencyError = (status: number): Answer => ({
  ...failure(status, { type: "idempotency_error", message: "The key is in use." }),
  began: false,
});
