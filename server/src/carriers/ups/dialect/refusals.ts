import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../simulator/refusal.ts";

/** UPS's form of what the simulator refuses, in codes of UPS's where its documents or recordings have one. */

/** A refusal in UPS's own codes. */
export class UpsRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const codes: Readonly<Record<string, readonly [status: number, code: string]>> = {
  credentials_invalid: [401, "250003"],
  too_many_requests: [429, "10429"],
  lane_not_served: [400, "111210"],
  service_unknown: [400, "111100"],
  weight_exceeded: [400, "111035"],
  shipment_refused: [400, "120802"],
  extra_not_offered: [400, "121100"],
  label_not_found: [400, "190102"],
  label_scanned: [400, "190118"],
  label_used: [400, "190118"],
  pickup_refused: [400, "9500557"],
  area_not_served: [400, "9510119"],
  pickup_not_found: [400, "9510117"],
  pickup_underway: [400, "9510118"],
};

export function answerError(
  error: FastifyError | Refusal | UpsRefusal,
  _request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof UpsRefusal) return errors(reply, error);
  if (error instanceof Refusal) {
    const [status, code] = codes[error.code] ?? [error.status, "10500"];
    return errors(reply, { status, code, message: error.message });
  }
  const status = error.statusCode ?? 500;
  const code = status < 500 ? "10002" : "10500";
  return errors(reply, {
    status,
    code,
    message: status < 500 ? error.message : "The carrier failed.",
  });
}

function errors(
  reply: FastifyReply,
  { status, code, message }: Pick<UpsRefusal, "status" | "code" | "message">,
): FastifyReply {
  void reply.headers({ errorcode: code, errordescription: message });
  return reply.code(status).send({ response: { errors: [{ code, message }] } });
}

/** UPS's habit for some invalid requests: 200, no body, and the error in the headers (recorded). */
export function refuseInOk(reply: FastifyReply): FastifyReply {
  const errordescription = "The request is not valid. Review for errors before re-submitting.";
  void reply.headers({ errorcode: "1", errordescription, apierrorcode: "1" });
  return reply.code(200).type("application/json").send("");
}

/** UPS writes one thing alone where it writes a list of several (recorded). */
export function oneOrMany<T>(list: readonly T[]): T | readonly T[] | undefined {
  return list.length > 1 ? list : list[0];
}

export const succeeded = {
  ResponseStatus: { Code: "1", Description: "Success" },
  TransactionReference: "",
};

export function invalid(what: string): UpsRefusal {
  return new UpsRefusal(400, "10002", `The ${what} is well formed but not valid.`);
}

export function throttled(): UpsRefusal {
  return new UpsRefusal(429, "10429", "Too Many Requests");
}

export function tokenExpired(): UpsRefusal {
  return new UpsRefusal(401, "250002", "Invalid Authentication Information.");
}

export function notVoidable(): UpsRefusal {
  return new UpsRefusal(400, "190102", "No shipment found within the allowed void period");
}
