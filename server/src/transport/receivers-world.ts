import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { readNetworks, type Reach } from "../domain/reach/reach.ts";
import type { LookUp } from "./look-up.ts";
import { publicCaller, type PublicCaller, type PublicCallerSettings } from "./public-call.ts";

/** A listener on this machine that counts who connects to it. */
export interface Receiver {
  port: number;
  connections: () => number;
}

/** Closed with its connections when the test ends. */
async function listening(server: Server, { host = "127.0.0.1", port = 0 } = {}): Promise<Receiver> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Answers with bytes of its own. */
export function rawReceiver(
  onSocket: (socket: Socket) => void,
  where?: { host?: string; port?: number },
): Promise<Receiver> {
  return listening(createServer(onSocket), where);
}

export function httpReceiver(
  onRequest: RequestListener,
  where?: { host?: string; port?: number },
): Promise<Receiver> {
  return listening(createHttp(onRequest), where);
}

export function httpsReceiver(
  tls: Parameters<typeof createHttps>[0],
  onRequest: RequestListener,
): Promise<Receiver> {
  return listening(createHttps(tls, onRequest));
}

/** A CONNECT proxy that leads everything to one port of this machine, and says what it was asked for. */
export async function proxyTo(port: number, status = 200) {
  const asked: { authority: string; authorization: string | undefined }[] = [];
  const server = createHttp();
  server.on("connect", (request, client: Socket) => {
    asked.push({
      authority: request.url ?? "",
      authorization: request.headers["proxy-authorization"],
    });
    client.on("error", () => client.destroy());
    client.write(`HTTP/1.1 ${status} Said\r\n\r\n`);
    if (status !== 200) return client.end();
    const target = connect(port, "127.0.0.1");
    target.on("error", () => client.destroy());
    client.pipe(target).pipe(client);
  });
  return { ...(await listening(server)), asked };
}

/** undici offers a connection again in the turn after its answer was read. */
export function connectionIsFree(): Promise<void> {
  return setImmediate();
}

export interface CallerWorld {
  caller: PublicCaller;
  /** Calls that were not made. */
  forbidden: () => number;
  /** Names that were looked up. */
  looked_up: string[];
  post(url: string): ReturnType<PublicCaller["post"]>;
}

/** A caller of its own for each test. Names have the addresses that `look_up` says, by default none. */
export function callerWorld({
  allow = "",
  deny = "",
  ports = [443, 8443],
  look_up = () => Promise.resolve([]),
  ...settings
}: {
  allow?: string;
  deny?: string;
  ports?: Reach["ports"];
  look_up?: LookUp;
  egress_proxy?: string;
  limits?: PublicCallerSettings["limits"];
} = {}): CallerWorld {
  let forbidden = 0;
  const looked_up: string[] = [];
  const caller = publicCaller({
    egress_proxy: "",
    ...settings,
    reach: { allow: readNetworks(allow), deny: readNetworks(deny), ports },
    onForbidden: () => (forbidden += 1),
    look_up: (name) => {
      looked_up.push(name);
      return look_up(name);
    },
  });
  onTestFinished(() => caller.close());
  const post = (url: string) =>
    caller.post({ url, headers: { "content-type": "application/json" }, body: '{"id":"evt_1"}' });
  return { caller, forbidden: () => forbidden, looked_up, post };
}
