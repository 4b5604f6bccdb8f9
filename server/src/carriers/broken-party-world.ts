import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An outside party that answers as none should. */

interface BrokenParty {
  url: string;
  /** How many connections are open to it now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A server in a carrier's place whose responses are broken as the test says. */
export async function aBrokenParty(listener: RequestListener): Promise<BrokenParty> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Respond = (response: ServerResponse) => void;

/** Responses that no carrier should give and that every carrier has given. */
export const garbage: [string, Respond][] = [
  ["an empty response", (response) => response.end()],
  ["an endless response", (response) => response.end(" ".repeat(17 * 1024 * 1024))],
  ["a web page", (response) => response.end("<html>It works!</html>")],
  ["a web page with status 404", (response) => response.writeHead(404).end("<h1>Not found</h1>")],
  ["a number that is none", (response) => response.end('{"data": NaN}')],
  ["null", (response) => response.end("null")],
  ["an array", (response) => response.end("[]")],
  ["fields of the wrong type", (response) => response.end('{"data": {"rates": "none"}}')],
  [
    "a prototype instead of data",
    (response) => response.end('{"__proto__": {"data": {"rates": [], "unavailable": []}}}'),
  ],
  [
    "a body that breaks off",
    (response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"data": {"rates": [');
      response.destroy();
    },
  ],
  ["a reset", (response) => response.destroy()],
  ["status 500", (response) => response.writeHead(500).end('{"error": "oops"}')],
  ["a redirect", (response) => response.writeHead(302, { location: "/" }).end()],
];
