import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** How long a client may take nothing of a response that waits for it. */
const stalledMs = 60_000;

/**
 * Ends the connections of clients that ask and do not read: each would keep what was not taken of its response, and its
 * place among the connections, until its client ends. A response that is still being made is not ended by this.
 */
export function endStalledResponses({ server }: FastifyInstance): void {
  // Of a socket without any traffic in either direction; Node closes those without a request by itself.
  server.setTimeout(stalledMs);
  server.on("request", (_request: IncomingMessage, response: ServerResponse) => {
    response.on("timeout", endStalled);
  });
}

function endStalled(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}
