import { createHash } from "node:crypto";
import { sql } from "kysely";
import { isFreeFor } from "../database/leases/holder.ts";
import type { Database } from "../database/tables.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { ownClaim, type StoredResponse } from "./idempotency.ts";
import type { IdempotencyClaim, Keyed } from "../context.ts";

/**
 * The claims on Idempotency-Keys whose first request still runs, and the answers that keys replay.
 *
 * A row without a status is a claim. Its holder is the process that runs the request; a claim whose
 * holder is dead, or which has none, is resumed by the next request with the same fingerprint. What
 * the request made or began is its `subject_id`: a request that resumes continues with it, and an attempt
 * at an outside effect that names the key is linked to it by that subject. A key whose attempt is open
 * does not expire. All times are the database's.
 */

/** The answer that is stored for the request's key, by any process; null when there is none yet. */
export async function storedResponse(
  db: Database,
  wanted: IdempotencyClaim,
): Promise<StoredResponse | null> {
  const { rows } = await sql<Row>`
    SELECT false AS claimed, fingerprint, subject_id, status, content_type, location, body, sealed_body
    FROM idempotency_keys
    WHERE account_id = ${wanted.account_id} AND key = ${wanted.key}`.execute(db);
  const found = rows[0] && read(rows[0], wanted);
  return found?.state === "answered" ? found.answer : null;
}

/** Frees the key, as if the request had never arrived: it had no effect. */
export async function releaseClaim(db: Database, claim: IdempotencyClaim): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE ${ownClaim(claim)}`.execute(db);
}

/**
 * Releases the key but keeps the row, fingerprint and subject: the outcome is not known, or the request
 * is to continue with what it made. The same request resumes, a different one conflicts, and a later
 * outcome can still be recorded.
 */
export async function leaveClaimOpen(db: Database, claim: IdempotencyClaim): Promise<void> {
  await sql`UPDATE idempotency_keys SET holder_id = NULL WHERE ${ownClaim(claim)}`.execute(db);
}

export type Found =
  | { state: "claimed"; claim: IdempotencyClaim }
  | { state: "answered"; answer: StoredResponse }
  | { state: "running" }
  | { state: "conflict" };

interface Row {
  claimed: boolean;
  fingerprint: Buffer | null;
  subject_id: string | null;
  status: number | null;
  content_type: string | null;
  location: string | null;
  body: Buffer | null;
  sealed_body: string | null;
}

/**
 * The fingerprint of a key that is known to have been used, but not for what: a reconciliation found an
 * outside effect that names it. The first request with the key is taken for the one that used it.
 */
const unknownFingerprint = sql`''::bytea`;

/**
 * Claims the key for this request, or returns the state of the first one, in one statement. The caller knows
 * that no other request of this process holds the key, so a claim held by this process is a leftover. Throws
 * 409 `replay_unavailable` when its answer was sealed and cannot be opened, or a restore left it out.
 */
export async function claimKey(
  db: Database,
  wanted: Keyed,
  terms: { holder_id: string; lease_seconds: number; window_hours: number },
): Promise<Found> {
  const isFree = sql`(${isExpired("held", terms.window_hours)})`;
  const { holder_id: process_id, lease_seconds } = terms;
  const isHolderGone = isFreeFor("held.holder_id", { process_id, lease_seconds });
  const { rows } = await sql<Row>`
    WITH claimed AS (
      INSERT INTO idempotency_keys AS held (account_id, key, fingerprint, holder_id)
      VALUES (${wanted.account_id}, ${wanted.key}, ${wanted.fingerprint}, ${terms.holder_id})
      ON CONFLICT (account_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, holder_id = excluded.holder_id,
        created_at = CASE WHEN ${isFree} THEN now() ELSE held.created_at END,
        subject_id = CASE WHEN ${isFree} THEN NULL ELSE held.subject_id END,
        status = NULL, content_type = NULL, location = NULL, body = NULL, sealed_body = NULL
      WHERE ${isFree}
        OR (held.status IS NULL AND held.fingerprint IN (excluded.fingerprint, ${unknownFingerprint})
          AND ${isHolderGone})
      RETURNING subject_id)
    SELECT ours.is_ours IS NOT NULL AS claimed, found.fingerprint,
      CASE WHEN ours.is_ours THEN ours.subject_id ELSE found.subject_id END AS subject_id,
      found.status, found.content_type, found.location, found.body, found.sealed_body
    FROM (SELECT) AS one
    LEFT JOIN (SELECT true AS is_ours, subject_id FROM claimed) AS ours ON true
    LEFT JOIN idempotency_keys AS found ON account_id = ${wanted.account_id} AND key = ${wanted.key}`.execute(
    db,
  );
  const { holder_id } = terms;
  const { claimed, subject_id } = rows[0]!;
  if (claimed) return { state: "claimed", claim: { ...wanted, holder_id, subject_id } };
  return read(rows[0]!, wanted);
}

/** Whether the key's window has passed, and no attempt that was begun under it is still open. */
function isExpired(row: "held", windowHours: number) {
  const held = sql.ref(row);
  return sql`${held}.created_at <= now() - make_interval(secs => ${windowHours * 3600})
    AND NOT EXISTS (
      SELECT FROM attempts
      WHERE attempts.account_id = ${held}.account_id AND attempts.idempotency_key = ${held}.key
        AND attempts.resolved_at IS NULL)`;
}

function read(row: Row, wanted: Keyed): Found {
  // Inserted by another process while this statement ran: not visible to it yet.
  if (!row.fingerprint) return { state: "running" };
  const isKnown = row.fingerprint.length > 0;
  if (isKnown && !row.fingerprint.equals(wanted.fingerprint)) return { state: "conflict" };
  if (row.status === null) return { state: "running" };
  const { status } = row;
  const body = row.body?.toString() ?? (row.sealed_body && wanted.seal?.open(row.sealed_body));
  if (body == null) throw new ApiError("replay_unavailable", { details: { status } });
  const headers: Record<string, string> = {};
  if (row.content_type !== null) headers["content-type"] = row.content_type;
  if (row.location !== null) headers["location"] = row.location;
  return { state: "answered", answer: { status, headers, body } };
}

/** What must be equal for two requests to be the same: method, path, query and the body's bytes. */
export function fingerprintOf(method: string, url: string, body: Buffer): Buffer {
  return createHash("sha256").update(`${method} ${url}\n`).update(body).digest();
}

const sweepRows = 1000;

/** Deletes keys whose window has passed, a batch at a time; returns how many. For the hourly job. */
export async function sweepIdempotencyKeys(db: Database, windowHours: number): Promise<number> {
  for (let swept = 0; ;) {
    const { numAffectedRows } = await sql`
      DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys AS held WHERE ${isExpired("held", windowHours)}
        ORDER BY created_at LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED))`.execute(db);
    swept += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < sweepRows) return swept;
  }
}
