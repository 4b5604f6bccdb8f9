import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { jsonType } from "./errors.ts";
import { etagOf, isUnchanged } from "./etag.ts";

/**
 * Serves the OpenAPI document without a token as `<base>/openapi.json`. Call on the root, before
 * `documentRoutes`. It is public and long, so it is drawn and compressed once, not per request;
 * compression runs off the event loop.
 */
export function serveDocument(
  app: FastifyInstance,
  base: string,
  documented: () => FastifyInstance,
): void {
  let drawn: Drawn | undefined;
  // The content is compressed already.
  app.get(`${base}/openapi.json`, { compress: false }, async (request, reply) => {
    drawn ??= draw(JSON.stringify(documented().swagger()));
    void reply.type(jsonType).header("vary", "accept-encoding");
    const isKnown = isUnchanged(request, reply, drawn.etag);
    // It depends on no account, and a new release may change it.
    void reply.header("cache-control", "public, max-age=60");
    if (isKnown) return reply.code(304).send();
    const encoding = encodings.find((name) => accepts(request.headers["accept-encoding"], name));
    if (!encoding) return drawn.text;
    return reply.header("content-encoding", encoding).send(await drawn[encoding]);
  });
}

const encodings = ["br", "gzip"] as const;

interface Drawn {
  text: string;
  etag: string;
  br: Promise<Buffer>;
  gzip: Promise<Buffer>;
}

function draw(text: string): Drawn {
  // The best quality takes a hundred times as long for a tenth less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  return {
    text,
    etag: etagOf(text),
    br: promisify(brotliCompress)(text, { params }),
    gzip: promisify(gzip)(text),
  };
}

/** Whether the header names the encoding with a weight above zero. */
function accepts(header: string | string[] | undefined, encoding: string): boolean {
  return String(header ?? "")
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .some((each) => each.split(";")[0]!.trim() === encoding && !/;\s*q=0(\.0*)?$/.test(each));
}
