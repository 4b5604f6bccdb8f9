import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { parseJson, TooManyValues, valuesMax } from "../domain/text/parse-json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the caller is authenticated and within its limits: its refused bodies are read to the end. */
    is_caller_known: boolean;
  }
}

/**
 * How bodies are read: first their size; once the caller is admitted, their bytes, which the
 * Idempotency-Key is compared by; only then are they parsed. So Fastify parses nothing itself.
 */
export function acceptBodies(scope: FastifyInstance, config: Config): void {
  scope.addHook("onRoute", (route) => {
    route.bodyLimit =
      route.config?.body === "bulk" ? config.bulk_body_limit_bytes : config.body_limit_bytes;
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );
  if (!scope.hasRequestDecorator("is_caller_known"))
    scope.decorateRequest("is_caller_known", false);
  scope.addHook("onSend", async (request, reply) => {
    if (!request.refusal) return;
    const most = request.is_caller_known ? drainedBytesMax : strangersBytesMax;
    // An unfinished body is not read to the end: the connection is closed, so that nothing can follow on
    // it.
    if (!(await readTheRest(request.raw, most))) void reply.header("connection", "close");
  });
}

/** Of a refused request no more of the body is read than this. */
const drainedBytesMax = 64 * 1024 * 1024;

/** The same where the caller is unknown, or has exceeded its limits. */
const strangersBytesMax = 1024 * 1024;

/**
 * A client reads the response only when its large body is sent: an earlier refusal would be lost with
 * the connection. The request's time limit ends a body that does not end. Returns whether all of it was
 * read; a body with a stated length above `most` is not read at all.
 */
async function readTheRest(body: IncomingMessage, most: number): Promise<boolean> {
  if (body.readableEnded || body.destroyed) return true;
  if (Number(body.headers["content-length"] ?? 0) > most) return false;
  return new Promise<boolean>((resolve) => {
    let bytes = 0;
    body.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= most) return;
      body.pause();
      resolve(false);
    });
    const end = () => resolve(true);
    body.once("end", end).once("close", end).resume();
  });
}

/** 413 for a stated size that the route does not accept, or null; an unstated one is counted later. */
export function largeBodyRefusal(request: FastifyRequest): ApiError | null {
  const stated = request.headers["content-length"];
  if (stated === undefined || Number(stated) <= request.routeOptions.bodyLimit) return null;
  return new ApiError("payload_too_large");
}

const nothing = Buffer.alloc(0);

/** The body's bytes; empty without a body. */
export function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : nothing;
}

/**
 * The parsed body, or null for none. Throws 415 unless it is declared as JSON, 400 unless it is JSON, 413 for
 * more values than any call has.
 */
export async function readJson(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return null;
  const { "content-type": type, "content-encoding": encoding } = request.headers;
  if (!/^application\/json *(;|$)/i.test(type ?? "")) throw new ApiError("unsupported_media_type");
  if (encoding !== undefined && encoding !== "identity") {
    throw new ApiError("unsupported_media_type", {
      message: "A request body must not be compressed.",
    });
  }
  if (!isUtf8(bytes))
    throw new ApiError("malformed_json", { message: "The body is not valid UTF-8." });
  try {
    return await parseJson(bytes.toString(), { rows: request.routeOptions.config.rows });
  } catch (error) {
    if (!(error instanceof TooManyValues)) throw new ApiError("malformed_json", { cause: error });
    const message = `The body, or one entry of it, has more than ${valuesMax} values.`;
    throw new ApiError("payload_too_large", { message, details: { max: valuesMax } });
  }
}
