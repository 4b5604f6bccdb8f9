import { gzipSync } from "node:zlib";
import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished, expect, test } from "vitest";
import {
  callHttp,
  connections,
  textOf,
  TransportError,
  type HttpAnswer,
  type HttpCall,
} from "./http-call.ts";
import { callJson } from "./json-call.ts";
import { httpReceiver } from "./receivers-world.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A party, and a caller of it that is closed with it. */
async function party(listener: Listener) {
  const { port, connections: opened } = await httpReceiver(listener);
  const agent = connections();
  onTestFinished(() => agent.destroy());
  const url = `http://127.0.0.1:${port}/path`;
  const { signal } = new AbortController();
  const call = (terms: Partial<HttpCall> = {}): Promise<HttpAnswer> =>
    callHttp(agent, { method: "GET", url, signal, timeout_ms: 10_000, ...terms });
  return { agent, call, opened, url };
}

async function failureOf(call: Promise<unknown>): Promise<TransportError> {
  const failure: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof TransportError) return failure;
  throw new Error("the call did not fail with a TransportError", { cause: failure });
}

const mebibyte = Buffer.alloc(1024 * 1024, "x");

test.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)(
  "%s is sent with its headers, and its body byte for byte",
  async (method) => {
    const body = method === "GET" ? null : Buffer.from([0, 255, 13, 10, 128]);
    const { call } = await party((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { "x-prn": prn } = request.headers;
        const heard = { method: request.method, prn, body: Buffer.concat(chunks).toString("hex") };
        response.writeHead(207, { "X-Two-Words": "1" }).end(JSON.stringify(heard));
      });
    });
    const answer = await call({ method, body, headers: { "x-prn": "29" } });
    expect(answer).toMatchObject({ status: 207, headers: { "x-two-words": "1" } });
    const heard = { method, prn: "29", body: body?.toString("hex") ?? "" };
    expect(JSON.parse(answer.bytes.toString())).toEqual(heard);
  },
);

test("bytes come as they were sent, with the time to wait", async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const { call } = await party((_request, response) => {
    response.writeHead(429, { "retry-after": "7" }).end(bytes);
  });
  expect(await call()).toMatchObject({ status: 429, bytes, retry_after_seconds: 7 });
});

test.each([
  ["with the header", { "content-encoding": "gzip" }],
  ["without the header", {}],
])("gzip %s is unpacked", async (_name, headers) => {
  const { call } = await party((_request, response) => {
    response.writeHead(200, headers).end(gzipSync('{"a": 1}'));
  });
  expect((await call()).bytes.toString()).toBe('{"a": 1}');
});

test("plain text under a header that says gzip is plain text", async () => {
  const { call } = await party((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end("plain");
  });
  expect((await call()).bytes.toString()).toBe("plain");
});

test("an answer of 50 MB is given up at the limit, and its socket closed", async () => {
  let sent = 0;
  let closed = false;
  const { call } = await party((_request, response) => {
    response.on("close", () => (closed = true));
    const send = () => {
      while (!response.destroyed && sent < 50) {
        sent += 1;
        if (!response.write(mebibyte)) return void response.once("drain", send);
      }
      response.end();
    };
    send();
  });
  expect(await failureOf(call())).toMatchObject({ kind: "unknown", code: "bad_answer" });
  await expect.poll(() => closed).toBe(true);
  expect(sent).toBeLessThan(50);
});

test("a gzip bomb is unpacked no further than the limit", async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  const { call } = await party((_request, response) => response.end(bomb));
  const before = process.memoryUsage().arrayBuffers;
  expect(await failureOf(call({ max_bytes: 1_000_000 }))).toMatchObject({ code: "bad_answer" });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
});

test("gzip that breaks off or is damaged is no answer", async () => {
  const whole = gzipSync("text ".repeat(1_000));
  for (const bytes of [whole.subarray(0, 20), Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])]) {
    const { call } = await party((_request, response) => response.end(bytes));
    expect(await failureOf(call())).toMatchObject({ kind: "unknown", code: "bad_answer" });
  }
});

test("an answer that breaks off is a lost connection", async () => {
  const { call } = await party((_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
  });
  expect(await failureOf(call())).toMatchObject({ kind: "unknown", code: "connection" });
});

test("a party that does not begin, or stops in the middle, is given up", async () => {
  for (const begin of [false, true]) {
    const { call } = await party((_request, response) => {
      if (begin) response.writeHead(200).write("half");
    });
    const failure = await failureOf(call({ timeout_ms: 100 }));
    expect(failure).toMatchObject({ kind: "unknown", code: "timeout" });
  }
});

test("the signal ends the call at once", async () => {
  const { call } = await party(() => undefined);
  const failure = await failureOf(call({ signal: AbortSignal.timeout(20) }));
  expect(failure).toMatchObject({ kind: "unknown", code: "timeout" });
});

test("a port without a listener was never reached", async () => {
  const { call } = await party(() => undefined);
  const failure = await failureOf(call({ url: "http://127.0.0.1:1/" }));
  expect(failure).toMatchObject({ kind: "unreachable", code: "connection" });
});

test("a redirect is an answer and is not followed", async () => {
  const { call, opened } = await party((_request, response) => {
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect((await call()).status).toBe(307);
  expect(opened()).toBe(1);
});

test.each([
  ["text/xml; charset=ISO-8859-1", Buffer.from("Montréal", "latin1"), "Montréal"],
  ['application/json; charset="UTF-8"', Buffer.from("Montréal"), "Montréal"],
  ["application/json", Buffer.from("\ufeffMontréal"), "Montréal"],
  ["text/plain; charset=utf-16le", Buffer.from("Montréal", "utf16le"), "Montréal"],
  ["text/plain; charset=no-such-set", Buffer.from("é"), "é"],
  [undefined, Buffer.from([0x61, 0xe9, 0x00, 0x62]), "a\ufffd\ufffdb"],
])("the text of %s is read in its character set", (type, bytes, text) => {
  expect(textOf({ headers: { "content-type": type }, bytes })).toBe(text);
});

test("a JSON call sends a value and reads one, packed or not", async () => {
  const { agent, url } = await party((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const type = request.headers["content-type"];
      const text = `{"type": "${type}", "heard": ${Buffer.concat(chunks).toString()}}`;
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(text));
    });
  });
  const { signal } = new AbortController();
  const body = { number: 1 };
  const answer = await callJson(agent, { method: "PUT", url, body, signal, timeout_ms: 10_000 });
  expect(answer.body).toEqual({ type: "application/json", heard: { number: 1 } });
});
