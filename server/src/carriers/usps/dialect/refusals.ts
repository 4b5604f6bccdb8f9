import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../simulator/refusal.ts";

/** USPS's form of what the simulator refuses. Its codes repeat the status; the details differ by their texts. */

export class UspsRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const texts: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  credentials_invalid: [401, "Invalid access token."],
  too_many_requests: [429, "Too many requests have been received in a short amount of time."],
  label_not_found: [400, "Order not found"],
  label_scanned: [400, "A refund request for this order cannot be submitted"],
  label_used: [400, "A refund request for this order cannot be submitted"],
  void_not_offered: [400, "A refund request for this order cannot be submitted"],
};

export function answerError(
  error: FastifyError | Refusal | UspsRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [status, detail] =
    error instanceof UspsRefusal
      ? [error.status, error.message]
      : error instanceof Refusal
        ? (texts[error.code] ?? [error.status, error.message])
        : [error.statusCode ?? 500, error.message];
  const [, api = "usps"] = request.url.split("/").slice(2);
  const code = String(status);
  const errors = status < 500 ? [{ title: "Bad Request", detail, code: `0${code}01` }] : [];
  const message = status < 500 ? "Bad Request" : "The carrier failed.";
  return reply.code(status).send({ apiVersion: `/${api}/v3`, error: { code, message, errors } });
}

export function invalid(what: string): UspsRefusal {
  return new UspsRefusal(400, `OASValidation of ${what} failed.`);
}
