import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../simulator/refusal.ts";

/** USPS's form of what the simulator refuses. Where no code of its published list is given, the code repeats the status. */

export class UspsRefusal extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** USPS's codes for orders and labels that it does not have, and for those that were cancelled. */
export const refusalCodes = {
  order_not_found: "160185",
  label_not_found: "160378",
  label_cancelled: "160379",
} as const;

const texts: Readonly<Record<string, readonly [status: number, detail: string, code?: string]>> = {
  credentials_invalid: [401, "Invalid access token."],
  too_many_requests: [429, "Too many requests have been received in a short amount of time."],
  label_not_found: [400, "Order not found", refusalCodes.order_not_found],
  label_scanned: [400, "A refund request for this order cannot be submitted"],
  label_used: [400, "A refund request for this order cannot be submitted"],
  void_not_offered: [400, "A refund request for this order cannot be submitted"],
};

export function answerError(
  error: FastifyError | Refusal | UspsRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [status, detail, own] =
    error instanceof UspsRefusal
      ? [error.status, error.message, error.code]
      : error instanceof Refusal
        ? (texts[error.code] ?? [error.status, error.message])
        : [error.statusCode ?? 500, error.message];
  const [, api = "usps"] = request.url.split("/").slice(2);
  const code = String(status);
  const errors = status < 500 ? [{ title: "Bad Request", detail, code: own ?? `0${code}01` }] : [];
  const message = status < 500 ? "Bad Request" : "The carrier failed.";
  return reply.code(status).send({ apiVersion: `/${api}/v3`, error: { code, message, errors } });
}

export function invalid(what: string): UspsRefusal {
  return new UspsRefusal(400, `OASValidation of ${what} failed.`);
}
