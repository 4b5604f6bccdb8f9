import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import type { EventPayload } from "../src/events/payload.ts";

/** A receiver as an integrator writes one: the `standardwebhooks` package, and nothing of ours. */
export interface WebhookReceiver {
  url: string;
  /** What it verified, in the order of arrival; duplicates included. */
  received: Received[];
  /** Of these what it answered with a 2xx. */
  accepted: Received[];
  /** Calls whose signature was not valid. */
  refused: number;
  /** Before the first call arrives. */
  trust(secret: string): void;
  close(): Promise<void>;
}

export interface Received {
  /** The header `webhook-id`. */
  id: string;
  body: string;
  event: EventPayload;
  headers: IncomingMessage["headers"];
}

export async function webhookReceiver({
  port = 0,
  statusOf = () => 204,
}: {
  port?: number;
  /** What it answers to the nth call. */
  statusOf?: (count: number) => number;
} = {}): Promise<WebhookReceiver> {
  let webhook: Webhook | null = null;
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    try {
      const event = webhook?.verify(body, request.headers as Record<string, string>);
      const id = String(request.headers["webhook-id"]);
      const received = { id, body, event: event as EventPayload, headers: request.headers };
      receiver.received.push(received);
      const status = statusOf(receiver.received.length);
      if (status < 300) receiver.accepted.push(received);
      response.writeHead(status).end();
    } catch {
      receiver.refused += 1;
      response.writeHead(401).end();
    }
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    accepted: [],
    refused: 0,
    trust: (secret) => (webhook = new Webhook(secret)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
