import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { Agent, request as forwarded } from "undici";

/**
 * A proxy between the platform and the simulated carriers that spoils chosen responses, before or
 * after the simulator has committed. Other calls pass through unchanged, so that the simulator's
 * journal stays a reliable oracle.
 */
export interface FaultyCarrier {
  url: string;
  /** Spoils the calls that match, in place of passing them on, until lifted or `times` are spoiled. */
  spoil(calls: Spoilable, fault: Fault, times?: number): Spoiled;
  /** Refuses every connection until `listen` is called again, on the same port. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

export type SpoiledOperation =
  "rates" | "purchase" | "look_up" | "tracking" | "void" | "charge" | "charge_look_up" | "refund";

interface Spoilable {
  /** The account that calls a carrier; of the card processor, which gets none, the cents of the charge. */
  who: string;
  operation: SpoiledOperation;
  carrier?: string;
}

export interface Spoiled {
  hits(): number;
  lift(): void;
}

/** The handling of one call instead of passing it on. */
export type Fault = (exchange: Exchange) => Promise<void> | void;

export interface Exchange {
  /** The request's body as JSON; null when it has none. */
  asked: unknown;
  /** Lets the simulator respond, to this request or to a changed one: its commit is real. */
  forward(asked?: unknown): Promise<Answer>;
  /** A complete and valid response. */
  send(answer: Answer): void;
  /** Raw bytes on the connection. Resolves when they were taken, or the connection is closed. */
  write(bytes: string | Buffer): Promise<void>;
  /** Closes the connection after the bytes that were written. */
  end(): void;
  /** Resets the connection. */
  reset(): void;
  /** The platform has closed the connection. */
  hung_up: Promise<void>;
  isHungUp(): boolean;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface Rule extends Spoilable {
  fault: Fault;
  times: number;
  hits: number;
}

export async function aFaultyCarrier(simulatorUrl: string): Promise<FaultyCarrier> {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const rules = new Set<Rule>();
  const ofReference = new Map<string, string>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = await anExchange({ agent, simulatorUrl, request, response });
    const call = callOf(request, exchange.asked, ofReference);
    const rule = [...rules].find((each) => matches(each, call));
    if (!rule) return exchange.send(await exchange.forward());
    rule.hits += 1;
    await rule.fault(exchange);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  let port = 0;
  const listen = async () => {
    await once(server.listen(port, "127.0.0.1"), "listening");
    ({ port } = server.address() as AddressInfo);
  };
  const refuse = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    spoil(calls, fault, times = Infinity) {
      const rule: Rule = { ...calls, fault, times, hits: 0 };
      rules.add(rule);
      return { hits: () => rule.hits, lift: () => void rules.delete(rule) };
    },
    refuse,
    listen,
    async close() {
      await refuse();
      await agent.close();
    },
  };
}

function matches(rule: Rule, call: Spoilable): boolean {
  return (
    rule.hits < rule.times &&
    rule.who === call.who &&
    rule.operation === call.operation &&
    (rule.carrier === undefined || rule.carrier === call.carrier)
  );
}

/** The caller and the operation of a request, from the bytes on the wire. */
function callOf(
  { method = "", url = "", headers }: IncomingMessage,
  asked: unknown,
  ofReference: Map<string, string>,
): Spoilable {
  const { pathname, searchParams } = new URL(url, "http://simulator");
  const [, party, carrier = ""] = pathname.split("/");
  if (party === "carriers") {
    const who = /_(acc_\w+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
    const operation = pathname.endsWith("/quotes") ? "rates" : ofLabels(method, pathname);
    return { who, operation, carrier };
  }
  const charge = asked as Record<"reference" | "charge_reference" | "amount_cents", string> | null;
  if (carrier === "charges" && charge) {
    ofReference.set(charge.reference, String(charge.amount_cents));
  }
  const reference = charge?.charge_reference ?? charge?.reference ?? searchParams.get("reference");
  const operation =
    carrier === "refunds" ? "refund" : method === "POST" ? "charge" : "charge_look_up";
  return { who: ofReference.get(reference ?? "") ?? "", operation };
}

/** Freight and pickups are bought and cancelled like labels. */
function ofLabels(method: string, path: string): SpoiledOperation {
  if (method === "GET") return path.endsWith("/tracking") ? "tracking" : "look_up";
  return /\/(void|cancel)$/.test(path) ? "void" : "purchase";
}

async function anExchange(about: {
  agent: Agent;
  simulatorUrl: string;
  request: IncomingMessage;
  response: ServerResponse;
}): Promise<Exchange> {
  const { agent, simulatorUrl, request, response } = about;
  const { socket } = request;
  const hung_up = endOf(socket);
  const body = await buffer(request);
  const isOwnForm = request.url!.startsWith("/dialects/");
  return {
    asked: body.length > 0 && !isOwnForm ? JSON.parse(body.toString()) : null,
    async forward(asked) {
      if (isOwnForm) return forwardUnread(agent, simulatorUrl, { request, body });
      const { authorization = "" } = request.headers;
      const sent = asked === undefined ? body : Buffer.from(JSON.stringify(asked));
      const answer = await forwarded(simulatorUrl + request.url, {
        dispatcher: agent,
        method: request.method as "GET",
        headers: { authorization, ...(sent.length > 0 ? json : {}) },
        body: sent.length > 0 ? sent : null,
      });
      return {
        status: answer.statusCode,
        headers: json,
        body: Buffer.from(await answer.body.arrayBuffer()),
      };
    },
    send({ status, headers, body }) {
      const length = status === 204 ? {} : { "content-length": body.length };
      response.writeHead(status, { ...headers, ...length }).end(body);
    },
    async write(bytes) {
      if (socket.destroyed) return;
      await Promise.race([new Promise((resolve) => socket.write(bytes, resolve)), hung_up]);
    },
    end: () => socket.end(),
    reset: () => socket.resetAndDestroy(),
    hung_up,
    isHungUp: () => socket.destroyed,
  };
}

/** A call in a carrier's own form: nothing of it is read or changed. */
async function forwardUnread(
  agent: Agent,
  simulatorUrl: string,
  { request, body }: { request: IncomingMessage; body: Buffer },
): Promise<Answer> {
  const { connection: _one, "content-length": _two, ...headers } = request.headers;
  const answer = await forwarded(simulatorUrl + request.url, {
    dispatcher: agent,
    method: request.method as "GET",
    headers,
    body: body.length > 0 ? body : null,
  });
  const { "transfer-encoding": _three, connection: _four, ...told } = answer.headers;
  return {
    status: answer.statusCode,
    headers: told as Record<string, string>,
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}

const ends = new WeakMap<Socket, Promise<void>>();

/** One listener for each connection, however many requests it carries. */
function endOf(socket: Socket): Promise<void> {
  const known = ends.get(socket);
  if (known) return known;
  const end = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  ends.set(socket, end);
  return end;
}

const json = { "content-type": "application/json" };
