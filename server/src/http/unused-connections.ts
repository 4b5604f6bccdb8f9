import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";

/** How long a connection that was just opened has to begin its request once the server closes. */
const silenceMs = 250;

/**
 * Ends the connections that would keep a closing server from its end. Node checks none for late headers or
 * requests any more once a server closes, and counts one without a request as busy: browsers keep such in store. The
 * limits that were in force before are kept here.
 */
export function endUnusedConnections(
  app: FastifyInstance,
  { headers_timeout_seconds, request_timeout_seconds }: Config,
): void {
  const { server } = app;
  /** Those that have sent no whole head of a request. */
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }) => unused.delete(socket));

  const endUnused = (isDue: (socket: Socket) => boolean) => {
    for (const socket of unused) if (isDue(socket)) socket.destroy();
  };
  app.addHook("preClose", async () => {
    const timers = [
      setTimeout(() => endUnused(({ bytesRead }) => bytesRead === 0), silenceMs),
      setTimeout(() => endUnused(() => true), headers_timeout_seconds * 1000),
      setTimeout(() => server.closeAllConnections(), request_timeout_seconds * 1000),
    ];
    server.once("close", () => timers.forEach((timer) => clearTimeout(timer)));
  });
}
