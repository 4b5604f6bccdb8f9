import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A fetch that answers by `answer` with the number of its call, and keeps what was asked. */
export function aFetch(answer: (call: number, url: URL) => Response | Promise<Response>) {
  const calls: { url: URL; method: string; headers: Record<string, string>; body: unknown }[] = [];
  const fetch = async (input: string | URL | globalThis.Request, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { method = "GET", headers, body } = init;
    calls.push({ url, method, headers: headers as Record<string, string>, body });
    return answer(calls.length, url);
  };
  return { fetch, calls, token: "wb_test_token", baseUrl: "http://waybill.test" };
}

/** The answer of a refusal. */
export function refusal(status: number, code: string, details: object = {}, retryAfter = "0") {
  const headers = { "retry-after": retryAfter, "request-id": "req_1" };
  return Response.json({ error: { code, message: `${code}.`, details } }, { status, headers });
}

/** A proxy that lets the target answer, and then cuts the first `cuts` connections instead of passing the answer on. */
export async function aCuttingProxy(target: string, cuts: number) {
  const keys: (string | undefined)[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    keys.push(headers["idempotency-key"] as string | undefined);
    const isCut = keys.length <= cuts;
    const forwarded = request(target + url, { method, headers }, (answer) => {
      if (!isCut) return answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers));
      answer.resume().on("end", () => incoming.socket.destroy());
    });
    incoming.pipe(forwarded);
  });
  return { url: await listening(server), keys, close: () => closed(server) };
}

/** The address of a server on a free port of this machine. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
