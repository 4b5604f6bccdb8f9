import type { Static } from "typebox";
import type { WireFailure } from "./wire.ts";

type RefusalDetails = Omit<Static<typeof WireFailure>["error"], "code" | "message">;

/** A refusal: the simulator's one error. Its thrower has committed nothing. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Facts that a client branches on, beside `code`: the card processor's `decline_code`. */
  readonly details: RefusalDetails;

  constructor(status: number, code: string, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
