import { sql } from "kysely";
import type { TSchema } from "typebox";
import type { Context, IdempotencyClaim, Seal } from "../context.ts";
import { pipelined } from "../database/driver/sending.ts";
import { refuse } from "../database/refusals.ts";
import { rowsOf } from "../database/rows.ts";
import type { Database, Tx } from "../database/tables.ts";
import { ApiError } from "../domain/errors/errors.ts";
import { jsonType } from "./errors.ts";
import { recordChange, recordChanges, type Acting, type Change } from "./record-change.ts";
import { serializerOf } from "./serialize.ts";

/**
 * What verbs need of Idempotency-Keys (spec 8, decision 4): responses, and how they are stored in the
 * transaction of their effect. `idempotency-claims.ts` is the rest of the table's SQL,
 * `idempotent-requests.ts` decides when.
 */

/** A mutation's response: the exact bytes that its key will replay. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** It was stored for its key in the transaction of its effect. */
  is_stored?: boolean;
}

/** The key that an attempt names, if any; only the attempt knows which key its outcome belongs to. */
export interface KeyOfAttempt {
  account_id: string;
  idempotency_key: string | null;
  subject_id: string;
}

/**
 * The response with the fields of `data` that the schema names, and no others. Of `headers` only `location`
 * is replayed.
 */
export function answer(
  status: number,
  schema: TSchema,
  data: unknown,
  headers: { location?: string } = {},
): StoredResponse {
  return {
    status,
    headers: { "content-type": jsonType, ...headers },
    body: `{"data":${serializerOf(schema)(data)}}`,
  };
}

/** 204: done, without a body. */
export function noContent(): StoredResponse {
  return { status: 204, headers: {}, body: "" };
}

/** The response with these rows, which are JSON already, as `data`, and with the fields of `rest`. */
export function rowsResponse(
  status: number,
  rows: readonly string[],
  { error, meta }: { error?: object; meta: object },
): StoredResponse {
  const before = error === undefined ? "" : `"error":${JSON.stringify(error)},`;
  const body = `{${before}"data":[${rows.join(",")}],"meta":${JSON.stringify(meta)}}`;
  return { status, headers: { "content-type": jsonType }, body };
}

type Asking = Acting & Pick<Context, "claim">;

/**
 * Ends a change: writes its audit log entry and stores the request's response in the transaction of its
 * effect, so that all are committed or none. Returns the response, for the verb to return. Without a claim no
 * response is stored. Throws 409 `idempotency_in_progress` when another process took the key over: then only
 * that process may cause the effect.
 */
export async function recordResponse(
  tx: Tx,
  acting: Asking,
  { answer: recorded, ...change }: Change & { answer: StoredResponse },
): Promise<StoredResponse> {
  await recordChange(tx, acting, change);
  if (!acting.claim) return recorded;
  if (!(await storeResponse(tx, acting.claim, recorded))) throw takenOver();
  return { ...recorded, is_stored: true };
}

/** A request's change, and the response to it. */
export interface Answered {
  acting: Asking;
  change: Change;
  answer: StoredResponse;
}

/**
 * The same for several requests of one account that share the transaction, along with the statement after it. If another
 * process took over the key of one of them, the transaction fails with the code `key_taken_over`.
 */
export async function recordResponses(
  tx: Tx,
  accountId: string,
  all: readonly Answered[],
): Promise<StoredResponse[]> {
  await recordChanges(tx, all);
  const rows = all.flatMap(({ acting: { claim }, answer: given }) =>
    claim ? [keptOf(claim, given)] : [],
  );
  if (rows.length > 0)
    await pipelined(sql`
      WITH stored AS (
        UPDATE idempotency_keys AS held
        SET holder_id = NULL, status = each.status, content_type = each.content_type, location = each.location,
          body = convert_to(each.body, 'UTF8'), sealed_body = each.sealed_body
        FROM ${rowsOf(accountId, rows, keptColumns)} AS each
        WHERE held.account_id = each.account_id AND held.key = each.key AND held.holder_id = each.holder_id
          AND held.status IS NULL
        RETURNING held.key)
      SELECT count(*) = ${rows.length} OR ${refuse("key_taken_over")} FROM stored`).execute(tx);
  return all.map(({ acting, answer: given }) =>
    acting.claim ? { ...given, is_stored: true } : given,
  );
}

const keptColumns = `key text, holder_id text, status integer, content_type text, location text, body text,
  sealed_body text`;

function keptOf(
  { key, holder_id, seal }: IdempotencyClaim,
  { status, headers, body }: StoredResponse,
) {
  return {
    key,
    holder_id,
    status,
    content_type: headers["content-type"],
    location: headers["location"],
    body: seal ? null : body,
    sealed_body: seal ? seal.seal(body) : null,
  };
}

/**
 * Stores the response for the outcome of an attempt, whether the request, recovery or an operator ended it.
 * The key of an open attempt does not expire, so exactly one row is its; if none is, the transaction fails,
 * along with the statement after it. A late outcome is replayed for a whole window from then on, so that the
 * client can still retry.
 */
export async function recordOutcome(
  tx: Tx,
  { account_id, idempotency_key, subject_id }: KeyOfAttempt,
  recorded: StoredResponse,
): Promise<StoredResponse> {
  if (idempotency_key === null) return recorded;
  await pipelined(sql`
    WITH recorded AS (
      UPDATE idempotency_keys
      SET holder_id = NULL, ${valuesOf(recorded)},
        created_at = CASE WHEN created_at < now() - interval '1 hour' THEN now() ELSE created_at END
      WHERE account_id = ${account_id} AND key = ${idempotency_key} AND subject_id = ${subject_id}
        AND status IS NULL
      RETURNING key)
    SELECT count(*) = 1 OR ${refuse("key_not_linked")} FROM recorded`).execute(tx);
  return { ...recorded, is_stored: true };
}

/**
 * Records what the request creates, in the audit log and at its key, in the transaction that creates it: a
 * retry continues with that and creates no second one. Throws 409 `idempotency_in_progress` when this process
 * no longer holds the key.
 */
export async function linkKey(tx: Tx, acting: Asking, subject_id: string): Promise<void> {
  await recordChange(tx, acting, { subject_id });
  const { claim } = acting;
  if (!claim) return;
  const { numAffectedRows } = await sql`
    UPDATE idempotency_keys SET subject_id = ${subject_id} WHERE ${ownClaim(claim)}`.execute(tx);
  if (numAffectedRows !== 1n) throw takenOver();
  claim.subject_id = subject_id;
}

/** Another process holds the request's key: a retry gets the outcome that it stores. */
export function takenOver(): ApiError {
  return new ApiError("idempotency_in_progress", { retry_after: 1 });
}

/**
 * Stores the response for the key. False when this process no longer holds the claim: then the response that
 * was stored earlier, or by the process that took over, counts.
 */
export async function storeResponse(
  db: Database | Tx,
  claim: IdempotencyClaim,
  final: StoredResponse,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE idempotency_keys
    SET holder_id = NULL, ${valuesOf(final, claim.seal)}
    WHERE ${ownClaim(claim)}`.execute(db);
  return numAffectedRows === 1n;
}

function valuesOf({ status, headers, body }: StoredResponse, seal?: Seal) {
  return sql`status = ${status}, content_type = ${headers["content-type"] ?? null},
    location = ${headers["location"] ?? null}, body = ${seal ? null : Buffer.from(body)},
    sealed_body = ${seal ? seal.seal(body) : null}`;
}

/** Matches the claim only while it is this process's and unanswered. */
export function ownClaim({ account_id, key, holder_id }: IdempotencyClaim) {
  return sql`account_id = ${account_id} AND key = ${key} AND holder_id = ${holder_id} AND status IS NULL`;
}
