import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { Agent, buildConnector, Pool } from "undici";
import { readNamedUrl, type NamedUrl } from "../domain/reach/public-url.ts";
import { standingOf, type Reach } from "../domain/reach/reach.ts";
import { NameNotResolved, type LookUp } from "./look-up.ts";

/**
 * Connections to hosts that customers name. Each goes to an address that was checked for it: a literal before
 * the socket is made, because undici never looks one up; every address of a name when it is looked up for this
 * connection; and the socket's own once it is connected.
 */
interface PublicConnections {
  reach: Reach;
  look_up: LookUp;
  /** Through which public addresses are called; empty is directly. What the operator allows is called directly. */
  egress_proxy: string;
  connect_ms: number;
}

/** The host has an address that may not be called. */
export class ForbiddenAddress extends Error {}
/** No connection was made; the cause says why. */
export class NotConnected extends Error {}

/** A connection is as good as the addresses that its name had when it was made. */
const connectionMs = 300_000;

/** One pool of connections for each origin. Nothing here reads proxies from the environment. */
export function publicConnections(settings: PublicConnections): Agent {
  return new Agent({
    factory: (origin, options) =>
      new Pool(origin, { ...options, connect: connectorTo(new URL(origin), settings) }),
    clientTtl: connectionMs,
    maxHeaderSize: 16_384,
  });
}

type Connector = buildConnector.connector;

function connectorTo(origin: URL, settings: PublicConnections): Connector {
  const named = readNamedUrl(origin.href, settings.reach);
  const build = buildConnector({
    timeout: settings.connect_ms,
    // Named, so that NODE_TLS_REJECT_UNAUTHORIZED and --tls-min-v1.0 do not count here.
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    lookup: (_name, _options, callback) => {
      checkedAddresses(named, settings).then(
        (addresses) => {
          const families = addresses.map((address) => ({
            address,
            family: address.includes(":") ? 6 : 4,
          }));
          callback(null, families);
        },
        (error: Error) => callback(error as NodeJS.ErrnoException, []),
      );
    },
  });
  return (options, callback) => {
    open(named, settings, (httpSocket) => connect(build, { ...options, ...httpSocket })).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

type Through = { httpSocket?: Socket };

async function open(
  named: NamedUrl | string,
  settings: PublicConnections,
  connectThrough: (through: Through) => Promise<Socket>,
): Promise<Socket> {
  if (typeof named === "string") throw new ForbiddenAddress(named);
  if (named.address !== null) checkAddress(named.address, named, settings.reach);
  if (settings.egress_proxy !== "") {
    const [address = ""] = await checkedAddresses(named, settings);
    if (standingOf(address, settings.reach) === "public") {
      return connectThrough({ httpSocket: await tunnel(address, named.url, settings) });
    }
  }
  const socket = await connectThrough({});
  try {
    checkAddress(socket.remoteAddress ?? "", named, settings.reach);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

/** All addresses of the host, if each may be called: of a good and a bad one, a socket would try both. */
async function checkedAddresses(named: NamedUrl | string, settings: PublicConnections) {
  if (typeof named === "string") throw new ForbiddenAddress(named);
  const addresses =
    named.address === null ? await settings.look_up(named.url.hostname) : [named.address];
  for (const address of addresses) checkAddress(address, named, settings.reach);
  return addresses;
}

function checkAddress(address: string, { only_allowed }: NamedUrl, reach: Reach): void {
  const standing = standingOf(address, reach);
  if (standing === "allowed" || (standing === "public" && only_allowed === null)) return;
  throw new ForbiddenAddress(only_allowed ?? "must not lead to an address that is not public.");
}

function connect(build: Connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    build(options, (error, socket) => {
      if (socket) resolve(socket);
      else if (error instanceof ForbiddenAddress || error instanceof NameNotResolved) reject(error);
      else reject(new NotConnected("no connection", { cause: error }));
    });
  });
}

/**
 * A connection through the proxy to an address that we have checked: a proxy that is given the name would look
 * it up again, and may find another.
 */
function tunnel(address: string, target: URL, settings: PublicConnections): Promise<Socket> {
  const proxy = new URL(settings.egress_proxy);
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const host = address.includes(":") ? `[${address}]` : address;
  const authority = `${host}:${target.port || 443}`;
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === "https:" ? requestHttps : requestHttp)({
      agent: false,
      host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: authority,
      headers: {
        host: authority,
        ...(user === ":"
          ? {}
          : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` }),
      },
    });
    const late = Object.assign(new Error("the proxy is too slow"), { code: "ETIMEDOUT" });
    const timer = setTimeout(() => request.destroy(late), settings.connect_ms);
    const fail = (cause: unknown) => {
      clearTimeout(timer);
      reject(new NotConnected("no tunnel", { cause }));
    };
    request.once("connect", ({ statusCode }, socket) => {
      clearTimeout(timer);
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      fail(Object.assign(new Error(`the proxy answered ${statusCode}`), { code: "ECONNREFUSED" }));
    });
    request.once("response", (response) => {
      response.destroy();
      fail(Object.assign(new Error("the proxy does not connect"), { code: "ECONNREFUSED" }));
    });
    request.once("error", fail);
    request.end();
  });
}
