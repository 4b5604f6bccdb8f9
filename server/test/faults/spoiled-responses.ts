import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Answer, Exchange, Fault } from "./faulty-carrier.ts";

/** The ways in which an outside party's response can fail (issue 3), as handlers of one call. */

/** In every made-up body: its appearance in a response of Waybill's is a leak. */
export const canary = "canary-7f3a19";

/** The party acts on the request, and only then fails. */
export function committed(fault: Fault): Fault {
  return async (exchange) => {
    await exchange.forward();
    await fault(exchange);
  };
}

/** A made-up response: the party never gets the request unless `committed`. */
export function answering(
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = { "content-type": "application/json" },
): Fault {
  return ({ send }) => send({ status, headers, body: Buffer.from(body) });
}

/** A refusal with the party's own text. */
export function refusing(status: number, headers: Record<string, string> = {}): Fault {
  const error = { code: "no", message: `No, ${canary}.` };
  return answering(status, JSON.stringify({ error }), headers);
}

/** A refusal with characters that no database stores: a NUL, and half a surrogate pair. */
export const unwritableNo: Fault = answering(
  422,
  JSON.stringify({ error: { code: "no\0", message: "No\0 means \ud800." } }),
);

const html = { "content-type": "text/html" };
const page = `<html><h1>${canary}</h1></html>`;

/** A gigabyte of spaces in a megabyte. */
const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * 1024 * 1024, " "))));

/** Failures that need no real response: each may strike before the party acts, or after. */
export function connectionFaults(redirectTo: string): Record<string, Fault> {
  return {
    hangs: ({ hung_up }) => hung_up,
    "resets the connection": ({ reset }) => reset(),
    "answers 500": answering(500, `{"error": "${canary}"}`),
    "responds 503 with its own text": refusing(503, { "retry-after": "1" }),
    "responds with a web page": answering(200, page, html),
    "responds with a web page with status 404": answering(404, page, html),
    "responds with a web page with status 429": answering(429, page, html),
    "answers nothing": answering(200, ""),
    "answers NaN": answering(200, `{"data": NaN, "note": "${canary}"}`),
    "answers __proto__": answering(200, `{"__proto__": {"data": {"${canary}": 1}}}`),
    "responds without end": endless,
    "responds with a gzip bomb": answering(200, bomb, { "content-encoding": "gzip" }),
    "redirects to an internal address": answering(307, page, { location: redirectTo }),
  };
}

async function endless({ write, isHungUp }: Exchange): Promise<void> {
  const spaces = Buffer.alloc(64 * 1024, " ");
  const size = spaces.length.toString(16);
  await write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n");
  await write(`transfer-encoding: chunked\r\n\r\n`);
  while (!isHungUp()) await write(Buffer.concat([Buffer.from(`${size}\r\n`), spaces, end]));
}
const end = Buffer.from("\r\n");

/** Failures while a real response is sent: the party has acted. */
export const manglings: Record<string, Fault> = {
  trickles: async (exchange) => {
    const answer = await exchange.forward();
    await exchange.write(headOf(answer, answer.body.length));
    for (const byte of answer.body) {
      if (exchange.isHungUp()) return;
      await exchange.write(Buffer.of(byte));
      await Promise.race([delay(200), exchange.hung_up]);
    }
    exchange.end();
  },
  "responds after the connection was closed": async (exchange) => {
    const answer = await exchange.forward();
    await exchange.hung_up;
    await exchange.write(Buffer.concat([Buffer.from(headOf(answer, 0)), answer.body]));
  },
  "promises more than it sends": async (exchange) => {
    const answer = await exchange.forward();
    await exchange.write(headOf(answer, answer.body.length + 100));
    await exchange.write(answer.body);
    exchange.end();
  },
  "sends more than it promised": async (exchange) => {
    const answer = await exchange.forward();
    await exchange.write(headOf(answer, answer.body.length - 10));
    await exchange.write(answer.body);
    exchange.end();
  },
  "responds with half its JSON": async (exchange) => {
    const answer = await exchange.forward();
    exchange.send({ ...answer, body: answer.body.subarray(0, answer.body.length / 2) });
  },
  "responds about another reference": edited((data) => {
    data["reference"] = "att_somebody_elses";
  }),
};

/** The connection is not reused: its fault must hit no other call. */
function headOf({ status }: Answer, length: number): string {
  return [
    `HTTP/1.1 ${status} OK`,
    "content-type: application/json",
    "connection: close",
    `content-length: ${length}\r\n\r\n`,
  ].join("\r\n");
}

/** A valid response is followed by a second one without a request, on the same connection. */
export function followedBy(forged: (answer: Answer) => Buffer): Fault {
  return async (exchange) => {
    const answer = await exchange.forward();
    exchange.send(answer);
    const body = forged(answer);
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    await exchange.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body]));
  };
}

/**
 * A gateway that sends the request twice and returns the second response: "already exists", for the same
 * first call.
 */
export async function askedTwice(exchange: Exchange): Promise<void> {
  await exchange.forward();
  exchange.send(await exchange.forward());
}

/** 429 as carriers really send it: `Retry-After` has any value. */
export const odd429s: Record<string, Fault> = Object.fromEntries(
  ["-1", "Wed, 21 Oct 2065 07:28:00 GMT", "99999999999999999999", "soon", "0"].map((value) => [
    `responds 429 with Retry-After ${value}`,
    refusing(429, { "retry-after": value }),
  ]),
);

/** Refusals that are about the platform and not about the request. */
export const refusals: Record<string, Fault> = {
  "answers 401": refusing(401),
  "answers 403": refusing(403),
  ...odd429s,
};

type Data = Record<string, unknown>;

/** The real response with its data changed, and the commit unchanged. */
export function edited(change: (data: Data) => void): Fault {
  return async (exchange) => {
    const answer = await exchange.forward();
    const body = JSON.parse(answer.body.toString()) as { data?: Data | Data[] };
    for (const data of [body.data ?? []].flat()) change(data);
    exchange.send({ ...answer, body: Buffer.from(JSON.stringify(body)) });
  };
}

/** Labels that were issued and cannot be used. */
export const labelMismatches: Record<string, Fault> = {
  "sends a label of zero bytes": withLabel(() => ""),
  "sends a label that is no base64": withLabel((content) => `${content.slice(0, -8)}$$$$`),
  "sends half a label": withLabel((content) => {
    const bytes = Buffer.from(content, "base64");
    return bytes.subarray(0, bytes.length / 2).toString("base64");
  }),
  "sends a label in another format": withLabel(() => Buffer.from("^XA^XZ").toString("base64")),
  "names a tracking code too many": edited((data) => {
    (data["package_tracking_codes"] as string[]).push("9999");
  }),
  "charges in another currency": edited((data) => {
    data["currency"] = "USD";
  }),
};

function withLabel(change: (content: string) => string): Fault {
  return edited((data) => {
    const label = data["label"] as { content: string };
    label.content = change(label.content);
  });
}
