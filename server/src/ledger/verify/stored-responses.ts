import { sql } from "kysely";
import type { Rule } from "./rule.ts";

/** What Idempotency-Keys replay. */
export const answerRules: readonly Rule[] = [
  {
    rule: "answer_is_unchanged",
    promise: "What an Idempotency-Key replays is what was first answered.",
    broken_by: sql`
      SELECT account_id, key AS subject, encode(digest, 'hex') AS expected, encode(computed, 'hex') AS found
      FROM (
        SELECT account_id, key, digest, answer_digest(account_id, key, fingerprint, status, content_type, location, body) AS computed
        FROM idempotency_keys WHERE status IS NOT NULL AND digest IS NOT NULL) AS answered
      WHERE digest <> computed`,
  },
];
