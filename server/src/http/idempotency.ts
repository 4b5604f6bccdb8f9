import { createHash } from "node:crypto";
import { sql } from "kysely";
import { ridesAlong } from "../database/journeys.ts";
import type { Database, Tx } from "../database/tables.ts";
import { ApiError } from "../domain/errors.ts";
import { jsonType } from "./errors.ts";

/**
 * The answers that Idempotency-Keys replay (spec 8, decision 4), and the claims on keys whose first
 * request still runs. `idempotent-requests.ts` decides when; this file is the table.
 *
 * A row without a status is a claim. Its holder is the process that runs the request; a claim whose
 * holder is dead, or which nobody holds, is resumed by the next request with the same fingerprint.
 */

/** What a mutation answers: the very bytes that its key will replay. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface IdempotencyKey {
  account_id: string;
  key: string;
}

/** This request's right to be the one that runs, for as long as its process keeps its lease. */
export interface IdempotencyClaim extends IdempotencyKey {
  fingerprint: Buffer;
  /** The process that runs it. */
  holder_id: string;
  /** The answer that a transaction of the verb stored, if it committed. */
  recorded: Answer | null;
  /** Set by a verb whose answer is not the last word, such as a top-up that is still pending. */
  unresolved?: boolean;
}

/** The answer with this payload as JSON; none for 204. Only `location` is replayed of `headers`. */
export function answer(
  status: number,
  payload?: unknown,
  headers: { location?: string } = {},
): Answer {
  if (payload === undefined) return { status, headers: { ...headers }, body: "" };
  return {
    status,
    headers: { "content-type": jsonType, ...headers },
    body: JSON.stringify(payload),
  };
}

/** Of a recovery, long after the request: only the attempt tells whose answer it is. */
interface Recovered extends IdempotencyKey {
  /** Keeps the answer off a key that was used anew since. */
  sent_at?: Date;
}

/**
 * Stores the answer in the transaction of its effect: either both are there or neither. Returns the
 * answer, for the verb to return. Does nothing without a claim. Throws 409 `idempotency_in_progress`
 * when another process took the key over: then the effect is that one's to have, and not ours. A
 * recovery passes the account and the key alone, and may find that the key has its answer.
 */
export async function recordAnswer(
  tx: Tx,
  claim: IdempotencyClaim | Recovered | null,
  recorded: Answer,
): Promise<Answer> {
  if (!claim) return recorded;
  if ("holder_id" in claim) {
    if (!(await storeAnswer(tx, claim, recorded))) throw takenOver();
    claim.recorded = recorded;
    return recorded;
  }
  await sql`
    UPDATE idempotency_keys
    SET holder_id = NULL, ${valuesOf(recorded)}
    WHERE account_id = ${claim.account_id} AND key = ${claim.key} AND status IS NULL
      AND created_at <= ${claim.sent_at ?? "infinity"} ${sql.raw(ridesAlong)}`.execute(tx);
  return recorded;
}

/** The request is another process's by now: asking again gets what became of it there. */
export function takenOver(): ApiError {
  return new ApiError("idempotency_in_progress", { retry_after: 1 });
}

/**
 * Stores the answer for the key. False when the claim is no longer ours: then one stored earlier, or
 * by whoever took over, is the answer.
 */
export async function storeAnswer(
  db: Database | Tx,
  claim: IdempotencyClaim,
  final: Answer,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE idempotency_keys
    SET holder_id = NULL, ${valuesOf(final)}
    WHERE ${ownClaim(claim)}`.execute(db);
  return numAffectedRows === 1n;
}

/** The answer that somebody else stored for our request; null when there is none yet. */
export async function storedAnswer(db: Database, wanted: IdempotencyClaim): Promise<Answer | null> {
  const { rows } = await sql<Row>`
    SELECT false AS claimed, fingerprint, status, content_type, location, body FROM idempotency_keys
    WHERE account_id = ${wanted.account_id} AND key = ${wanted.key}`.execute(db);
  const found = rows[0] && read(rows[0], wanted);
  return found?.state === "answered" ? found.answer : null;
}

function valuesOf({ status, headers, body }: Answer) {
  return sql`status = ${status}, content_type = ${headers["content-type"] ?? null},
    location = ${headers["location"] ?? null}, body = ${Buffer.from(body)}`;
}

/** Frees the key, as if the request had never come: it did nothing. */
export async function releaseClaim(db: Database, claim: IdempotencyClaim): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE ${ownClaim(claim)}`.execute(db);
}

/**
 * Lets go of the key without forgetting what it was used for: the outcome is not known. The same
 * request resumes, a different one conflicts, and whoever learns the outcome can record the answer.
 */
export async function leaveClaimOpen(db: Database, claim: IdempotencyClaim): Promise<void> {
  await sql`UPDATE idempotency_keys SET holder_id = NULL WHERE ${ownClaim(claim)}`.execute(db);
}

/** An answer that somebody else stored, or a claim that somebody else took over, is never touched. */
function ownClaim({ account_id, key, holder_id }: IdempotencyClaim) {
  return sql`account_id = ${account_id} AND key = ${key} AND holder_id = ${holder_id} AND status IS NULL`;
}

export type Found =
  | { state: "claimed"; claim: IdempotencyClaim }
  | { state: "answered"; answer: Answer }
  | { state: "running" }
  | { state: "conflict" };

interface Row {
  claimed: boolean;
  fingerprint: Buffer | null;
  status: number | null;
  content_type: string | null;
  location: string | null;
  body: Buffer | null;
}

/**
 * Claims the key for this request, or says what became of the first one, in one statement. The caller
 * knows that no other request of this process holds the key, so a claim in its own name is left over.
 */
export async function claimKey(
  db: Database,
  wanted: IdempotencyKey & { fingerprint: Buffer },
  terms: { holder_id: string; lease_seconds: number; now: Date; window_hours: number },
): Promise<Found> {
  const free = new Date(terms.now.getTime() - terms.window_hours * 3_600_000);
  const { rows } = await sql<Row>`
    WITH claimed AS (
      INSERT INTO idempotency_keys AS held (account_id, key, fingerprint, holder_id, created_at)
      VALUES (${wanted.account_id}, ${wanted.key}, ${wanted.fingerprint}, ${terms.holder_id}, ${terms.now})
      ON CONFLICT (account_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, holder_id = excluded.holder_id,
        created_at = CASE WHEN held.created_at <= ${free} THEN excluded.created_at ELSE held.created_at END,
        status = NULL, content_type = NULL, location = NULL, body = NULL
      WHERE held.created_at <= ${free}
        OR (held.status IS NULL AND held.fingerprint = excluded.fingerprint
          AND (held.holder_id IS NULL OR held.holder_id = excluded.holder_id OR NOT EXISTS (
            SELECT FROM processes WHERE processes.id = held.holder_id
              AND heartbeat_at > now() - make_interval(secs => ${terms.lease_seconds}))))
      RETURNING true AS claimed)
    SELECT coalesce(claimed, false) AS claimed, fingerprint, status, content_type, location, body
    FROM (SELECT) AS one
    LEFT JOIN claimed ON true
    LEFT JOIN idempotency_keys ON account_id = ${wanted.account_id} AND key = ${wanted.key}`.execute(
    db,
  );
  const { holder_id } = terms;
  if (rows[0]!.claimed)
    return { state: "claimed", claim: { ...wanted, holder_id, recorded: null } };
  return read(rows[0]!, wanted);
}

function read(row: Row, wanted: { fingerprint: Buffer }): Found {
  // Inserted by another process while our statement ran: not visible to it yet.
  if (!row.fingerprint) return { state: "running" };
  if (!row.fingerprint.equals(wanted.fingerprint)) return { state: "conflict" };
  if (row.status === null) return { state: "running" };
  const headers: Record<string, string> = {};
  if (row.content_type !== null) headers["content-type"] = row.content_type;
  if (row.location !== null) headers["location"] = row.location;
  return {
    state: "answered",
    answer: { status: row.status, headers, body: row.body?.toString() ?? "" },
  };
}

/** What must be equal for two requests to be the same: method, path, query and the body's bytes. */
export function fingerprintOf(method: string, url: string, body: Buffer): Buffer {
  return createHash("sha256").update(`${method} ${url}\n`).update(body).digest();
}

const sweepRows = 1000;

/** Deletes keys whose window has passed, a batch at a time; returns how many. For the hourly job. */
export async function sweepIdempotencyKeys(
  db: Database,
  now: Date,
  windowHours: number,
): Promise<number> {
  const free = new Date(now.getTime() - windowHours * 3_600_000);
  for (let swept = 0; ;) {
    const { numAffectedRows } = await sql`
      DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys WHERE created_at <= ${free} ORDER BY created_at
        LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED))`.execute(db);
    swept += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < sweepRows) return swept;
  }
}
