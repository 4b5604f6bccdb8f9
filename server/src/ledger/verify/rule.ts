import type { RawBuilder } from "kysely";

/** One thing that the books contradict themselves in. None is what we promise. */
export interface Contradiction {
  /** The rule's name, which stays the same from release to release, and what it says. */
  rule: string;
  promise: string;
  account_id: string;
  /** The transaction, hold, attempt or shipment that is wrong; its id's prefix says which. */
  subject: string;
  expected: string;
  found: string;
}

/** A rule of the books: what must always be true, and the rows that contradict it. */
export interface Rule {
  rule: string;
  promise: string;
  /** A query without an end of its own, so that it can be ordered and limited. */
  broken_by: RawBuilder<Pick<Contradiction, "account_id" | "subject" | "expected" | "found">>;
}
