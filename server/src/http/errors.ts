import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Socket } from "node:net";
import { randomUUID } from "node:crypto";
import { ApiError, errorCatalogue, notFound, type ErrorCode } from "../domain/errors/errors.ts";
import { isUnavailable } from "../database/errors.ts";
import { statedRequestId } from "./request-id.ts";

/** The one place where anything thrown is mapped to an HTTP answer (decision 2). */

declare module "fastify" {
  interface FastifyRequest {
    /** The error that the request is refused with, once something was thrown. */
    refusal: ApiError | null;
  }
}

export const jsonType = "application/json; charset=utf-8";

/** Installs the mapper on the root, for every route and for requests that reach none. */
export function respondToErrors(app: FastifyInstance): void {
  app.decorateRequest("refusal", null);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/** Answers with the error's body. What is not an `ApiError` is translated, logged, and never shown. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toApiError(error);
  request.refusal = refusal;
  if (refusal.status >= 500)
    request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, "request.failed");
  if (refusal.status === 401) void reply.header("www-authenticate", "Bearer");
  const { allow } = refusal.details;
  if (refusal.status === 405 && typeof allow === "string") void reply.header("allow", allow);
  if (refusal.retry_after !== null) void reply.header("retry-after", refusal.retry_after);
  return reply.code(refusal.status).type(jsonType).send(bodyOf(refusal));
}

/** Text, not an object, so that no serializer can make two equal errors differ by a byte. */
export function bodyOf(error: ApiError): string {
  return JSON.stringify({ error: error.toBody() });
}

// Errors that Fastify itself throws and the client causes.
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
  FST_ERR_CTP_EMPTY_JSON_BODY: "malformed_json",
  // A QUERY without a Content-Type; no path takes that method, and the API has refused it earlier.
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: "not_found",
  FST_ERR_BAD_URL: "not_found",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
  FST_ERR_NOT_FOUND: "not_found",
};

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = frameworkCodes[code ?? ""];
  if (known) return new ApiError(known, { cause: error });
  // The request's stream broke while it was read: if the client still reads, it sent something that is
  // not HTTP.
  if (statusCode === 400) return new ApiError("bad_request", { cause: error });
  if (isUnavailable(error)) return new ApiError("unavailable", { retry_after: 1, cause: error });
  return new ApiError("internal_error", { cause: error });
}

/** Refuses requests that Fastify cannot route at all, such as a path with a broken percent escape. */
export function respondToFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header("request-id", statedRequestId(request.raw) ?? randomUUID());
  const known = frameworkCodes[error.code] === "not_found" ? notFound() : toApiError(error);
  void reply.code(known.status).type(jsonType).send(bodyOf(known));
}

const socketErrors: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
  HPE_HEADER_OVERFLOW: "payload_too_large",
};

/**
 * How long a refused connection stays open for its client to read the answer. Closed at once, what arrives later would
 * be answered by a reset, which discards the answer at the client.
 */
const lingerMs = 1000;

/**
 * Input that does not parse as HTTP gets the same error body as every refusal, straight to the socket. Then the
 * connection is closed, whether or not its client closes it.
 */
export function respondToSocketError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = socketErrors[error.code ?? ""] ?? "bad_request";
  const message = code === "payload_too_large" ? "The headers are larger than 16 KiB." : undefined;
  const body = bodyOf(new ApiError(code, { message }));
  socket.end(
    [
      `HTTP/1.1 ${errorCatalogue[code][0]} ${code}`,
      `content-type: ${jsonType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `request-id: ${randomUUID()}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(lingering));
}
