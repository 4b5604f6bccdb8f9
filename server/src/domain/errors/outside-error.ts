/**
 * Did the outside party (a carrier, the card processor) certainly do nothing, or might it have acted?
 *
 * - `refused`      it refused: nothing was done, nothing will be.
 * - `unreachable`  the request certainly never arrived (name not resolved, connection refused).
 * - `unknown`      it may have acted: timeout, reset, a 5xx, an unreadable response.
 */
export type OutsideFailure = "refused" | "unreachable" | "unknown";

/** The class of every failure of an outside party, so that `outbound/` can decide on money. */
export class OutsideError extends Error {
  readonly kind: OutsideFailure;
  readonly party: string;
  /** The party's own code, or Waybill's for transport: `timeout`, `connection`, `bad_answer`. */
  readonly party_code: string;

  constructor(
    failure: { kind: OutsideFailure; party: string; party_code: string; message: string },
    cause?: unknown,
  ) {
    super(failure.message, { cause });
    this.name = "OutsideError";
    this.kind = failure.kind;
    this.party = failure.party;
    this.party_code = failure.party_code;
  }
}
