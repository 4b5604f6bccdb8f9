import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import {
  callHttp,
  connections,
  type HttpAnswer,
  type HttpCall,
} from "../../transport/http-call.ts";
import { makeDirectory } from "../../wiring/make-directory.ts";
import type { Redactor } from "./redact.ts";

/**
 * A proxy between the adapter and the carrier's sandbox: it writes each call into a file, with its headers and without
 * secrets, and can lose an answer that the carrier has given.
 */
export interface Recorder {
  /** The adapter's host. */
  host: string;
  /** The name of the files from now on. */
  step(name: string): void;
  /** The answer to the next call that has one of these words in it is not passed on. Returns whether there was one. */
  loseAnswerTo(words: readonly string[]): { isLost(): boolean };
  close(): Promise<void>;
}

const timeoutMs = 60_000;
const hopByHop = ["connection", "content-length", "host", "keep-alive", "transfer-encoding"];

export async function startRecorder({
  target,
  folder,
  redact,
}: {
  /** The carrier's host, without a slash at the end. */
  target: string;
  folder: string;
  redact: Redactor;
}): Promise<Recorder> {
  const { origin, pathname } = new URL(target);
  const agent = connections();
  let name = "start";
  let count = 0;
  let losing: { words: readonly string[]; isLost: boolean } | null = null;
  makeDirectory(folder, 0o700);

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = String(++count).padStart(3, "0");
    const file = join(folder, `${number}-${name.replaceAll(/[^a-z0-9]+/gi, "-")}.json`);
    const call = await callOf(incoming, origin);
    const lost = losing && !losing.isLost && isIn(call, losing.words) ? losing : null;
    const begun = performance.now();
    const closed = new AbortController();
    response.on("close", () => closed.abort());
    const request = await callHttp(agent, { ...call, signal: closed.signal }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (lost) lost.isLost = true;
    const ms = Math.round(performance.now() - begun);
    if ("answer" in request) redact.learnFrom(request.answer.bytes.toString());
    const is_lost = lost !== null;
    await writeFile(file, entryOf({ call, ms, is_lost, ...request }, redact), { mode: 0o600 });
    if (lost || !("answer" in request)) response.destroy();
    else relay(response, request.answer);
  }

  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: `http://127.0.0.1:${port}${pathname === "/" ? "" : pathname}`,
    step(next) {
      name = next;
    },
    loseAnswerTo(words) {
      const state = { words, isLost: false };
      losing = state;
      return { isLost: () => state.isLost };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await agent.close();
    },
  };
}

type Call = Omit<HttpCall, "signal" | "headers"> & {
  headers: Record<string, string>;
  body: Buffer | null;
};

async function callOf(incoming: IncomingMessage, origin: string): Promise<Call> {
  const bytes = await buffer(incoming);
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    hopByHop.includes(name) || value === undefined ? [] : [[name, String(value)] as const],
  );
  return {
    method: incoming.method as HttpCall["method"],
    url: origin + (incoming.url ?? ""),
    headers: Object.fromEntries(headers),
    body: bytes.length > 0 ? bytes : null,
    timeout_ms: timeoutMs,
  };
}

/** Of what changes something: a question may name a reference as well. */
function isIn({ method, headers, body }: Call, words: readonly string[]): boolean {
  if (method === "GET") return false;
  const text = `${JSON.stringify(headers)}\n${body?.toString() ?? ""}`;
  return words.some((word) => text.includes(word));
}

/** The bytes are unpacked already. */
function relay(response: ServerResponse, { status, headers, bytes }: HttpAnswer): void {
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      value !== undefined && !hopByHop.includes(name) && name !== "content-encoding",
  );
  response.writeHead(status, Object.fromEntries(kept) as Record<string, string>).end(bytes);
}

function entryOf(
  exchange: { call: Call; ms: number; is_lost: boolean; answer?: HttpAnswer; error?: unknown },
  redact: Redactor,
): string {
  const { call, ms, is_lost, answer, error } = exchange;
  const headersOf = (headers: HttpAnswer["headers"]) =>
    redact.headers(
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]),
      ),
    );
  const entry = {
    at: new Date().toISOString(),
    ms,
    request: {
      method: call.method,
      url: redact.text(call.url),
      headers: headersOf(call.headers),
      body: shownBody(call.body ?? Buffer.alloc(0), redact),
    },
    response: answer
      ? {
          status: answer.status,
          headers: headersOf(answer.headers),
          body: shownBody(answer.bytes, redact),
        }
      : { error: redact.text(String(error)) },
    ...(is_lost ? { is_lost } : {}),
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}

/** Text as it is; of anything else, such as a label as PDF, its size and digest. */
function shownBody(bytes: Buffer, redact: Redactor): string | object | null {
  if (bytes.length === 0) return null;
  const text = bytes.toString();
  if (!text.includes("\u0000") && !text.includes("\ufffd")) return redact.text(text);
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}
