import type { RawBuilder } from "kysely";

/** One contradiction within the ledger. A correct ledger has none. */
export interface Contradiction {
  /** The rule's name, which stays the same from release to release, and its message. */
  rule: string;
  promise: string;
  account_id: string;
  /** The transaction, hold, attempt or shipment that is wrong; its id's prefix names the kind. */
  subject: string;
  expected: string;
  found: string;
}

/** A rule of the ledger: what must always be true, and the rows that contradict it. */
export interface Rule {
  rule: string;
  promise: string;
  /** A query without ORDER BY and LIMIT, so that these can be added. */
  broken_by: RawBuilder<Pick<Contradiction, "account_id" | "subject" | "expected" | "found">>;
}
