import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A Zonos for tests, over real HTTP: responds as instructed, in every way in which a response can fail. */

/**
 * How a request is answered: a GraphQL response, another status or text, no response, or a closed
 * connection.
 */
export type ZonosResponse =
  | { data: unknown }
  | { errors: { message: string }[]; status?: number }
  | { status: number; text: string }
  | "silence"
  | "drip"
  | "reset";

export interface ZonosServer {
  url: string;
  requests: { headers: IncomingMessage["headers"]; body: ZonosQuestion }[];
  /** The responses to the next requests, one after the other; the last one stays. */
  answerWith(...answers: ZonosResponse[]): void;
  close(): Promise<void>;
}

interface ZonosQuestion {
  query: string;
  variables: { inputs: Record<string, unknown>[] };
}

export async function aZonosServer(): Promise<ZonosServer> {
  const answers: ZonosResponse[] = [];
  const requests: ZonosServer["requests"] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      requests.push({ headers: request.headers, body: JSON.parse(text) as ZonosQuestion });
      meet(response, answers.length > 1 ? answers.shift()! : answers[0]!);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    requests,
    answerWith: (...next) => void answers.splice(0, answers.length, ...next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A classification as Zonos returns it. */
export function zonosData(hsCode: unknown, more: object = {}): { data: unknown } {
  const result = { id: "classification_1", confidenceScore: 0.62, hsCode, alternates: [], ...more };
  return { data: { classificationsCalculate: [result] } };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}

function meet(response: ServerResponse, answer: ZonosResponse): void {
  if (answer === "silence") return;
  if (answer === "reset") return void response.destroy();
  if (answer === "drip") return drip(response);
  if ("text" in answer) return void response.writeHead(answer.status).end(answer.text);
  const { status = 200, ...body } = { status: 200, ...answer };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Sends a space now and then, without end: no pause is long, but the response never ends. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
}
