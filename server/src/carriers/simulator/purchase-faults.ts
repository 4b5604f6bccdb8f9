import type { FastifyReply } from "fastify";
import type { ConnectionFaults } from "./connection-faults.ts";
import type { BookResult } from "./label-book.ts";
import { Refusal } from "./refusal.ts";
import type { Steering } from "./steering.ts";

/** How the steering shows in the answer to a purchase, of parcels or of freight. */
export interface PurchaseFaults {
  /** Throws what the carrier answers without looking at the purchase. */
  before(steering: Steering, reference: string): void;
  /** The answer to a purchase that was committed; none at all where it is to be lost. */
  after(reply: FastifyReply, steering: Steering, sold: BookResult<unknown>): FastifyReply;
}

/** References are kept for as long as the simulator runs: what expired once is renewed. */
export function purchaseFaults(faults: ConnectionFaults): PurchaseFaults {
  const renewed = new Set<string>();
  return {
    before({ throttle, token_expired, refuse_in_ok }, reference) {
      if (throttle) throw new Refusal(429, "rate_limited", "Too many calls (sim:throttle).");
      if (token_expired && !renewed.has(reference)) {
        renewed.add(reference);
        throw new Refusal(401, "token_expired", "The token has expired (sim:token_expired).");
      }
      if (refuse_in_ok) {
        const message = "The carrier refuses this shipment (sim:refuse_in_ok).";
        throw new Refusal(200, "shipment_refused", message);
      }
    },
    after(reply, { empty_ok }, { value, drop_response }) {
      if (drop_response) return faults.dropResponse(reply);
      if (empty_ok) return reply.code(200).send();
      return reply.code(201).send({ data: value });
    },
  };
}
