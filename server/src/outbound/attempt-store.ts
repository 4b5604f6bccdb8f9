import { sql } from "kysely";
import { pipelined } from "../database/driver/sending.ts";
import { isRefused, refuse } from "../database/refusals.ts";
import { rowsOf } from "../database/rows.ts";
import { platformAccountId } from "../domain/accounts/connection-status.ts";
import { isReconciled, notReconciled } from "../database/health/restores.ts";
import { json, type Database, type Tx } from "../database/tables.ts";
import { ApiError } from "../domain/errors/errors.ts";
import type { Attempt, Decision, Failure } from "./operation.ts";

/**
 * The SQL of attempts. Leases run by the database's clock, so that the clocks of processes need not agree.
 */

/** Another process took the attempt over: this one may not write its outcome any more. */
export class LostLease extends Error {
  constructor(attempt: { id: string }) {
    super(`attempt ${attempt.id} was taken over`);
    this.name = "LostLease";
  }
}

const newColumns = `id text, subject_id text, reference text, party text, input jsonb, idempotency_key text,
  due_seconds float8, sent_at timestamptz, actor text, request_id text`;

/** An attempt as it is begun. */
interface NewAttempt extends Attempt<object> {
  /** In how long its outcome is due, should its process stay alive and never write it. */
  due_seconds: number;
}

/**
 * Locks the connections with carriers that attempts are made on against their deletion, until the attempts are committed:
 * a deletion waits for that, and then finds them open. With `must_exist` refuses where one was deleted before.
 */
export async function lockConnections(
  tx: Tx,
  attempts: readonly Pick<NewAttempt, "input">[],
  { account_id, must_exist }: { account_id: string; must_exist: boolean },
): Promise<void> {
  const ids = [...new Set(attempts.flatMap(({ input }) => connectionOf(input) ?? []))];
  if (ids.length === 0) return;
  const locked = (owner: string) => sql`(
    SELECT count(*) FROM (
      SELECT id FROM carrier_connections WHERE account_id = ${owner} AND id = ANY(${ids}::text[])
      FOR KEY SHARE) AS locked)`;
  const count = sql`${locked(account_id)} + ${locked(platformAccountId)}`;
  const or = must_exist ? sql`= ${ids.length} OR ${refuse("connection_deleted")}` : sql``;
  await pipelined(sql`SELECT ${count} ${or}`).execute(tx);
}

/** Of whatever operation: an effect has it with its lookup, what reverses one by itself. */
function connectionOf(input: object): string | null {
  const { connection_id, look_up } = input as ConnectionInput;
  return connection_id ?? look_up?.connection_id ?? null;
}

interface ConnectionInput {
  connection_id?: string | null;
  look_up?: { connection_id?: string | null };
}

/**
 * Writes the attempts of an account, along with the statement after them. The transaction fails if this
 * database was restored and lacks later data, or if a key that asks for an attempt is held by another process
 * by now, which may have made its own attempt; `whyRefused` explains the failure. Checked in the same
 * statement, so that no operation can omit it and none pays for another query. The keys are linked to the
 * subjects of the attempts, and locked until the commit, so that no process takes one over before that.
 */
export async function insertAttempts(
  tx: Tx,
  attempts: readonly NewAttempt[],
  claim: { account_id: string; kind: string; holder_id: string; is_reconciling: boolean },
): Promise<void> {
  const { account_id } = claim;
  if (claim.is_reconciling) await linkKeys(tx, account_id, attempts);
  await pipelined(sql`
    WITH wanted AS (
      SELECT * FROM ${rowsOf(account_id, attempts, newColumns)} AS each),
    claimed AS (
      UPDATE idempotency_keys AS held SET subject_id = wanted.subject_id
      FROM wanted
      WHERE held.account_id = wanted.account_id AND held.key = wanted.idempotency_key
        AND held.holder_id = ${claim.holder_id} AND held.status IS NULL
      RETURNING held.key),
    written AS (
      INSERT INTO attempts (account_id, id, kind, subject_id, reference, party, status, holder_id, input,
        idempotency_key, look_at, sent_at, actor, request_id)
      SELECT account_id, id, ${claim.kind}, subject_id, reference, party, 'sent', ${claim.holder_id}, input,
        idempotency_key, now() + make_interval(secs => due_seconds), sent_at, actor, request_id
      FROM wanted
      WHERE ${claim.is_reconciling}
        OR (${isReconciled} AND (idempotency_key IS NULL OR idempotency_key IN (SELECT key FROM claimed)))
      RETURNING id)
    SELECT count(*) = ${attempts.length} OR ${refuse("attempt_not_begun")} FROM written`).execute(
    tx,
  );
}

/**
 * A reconciliation records what a key caused before the restore, and holds no claim on it. The database may
 * lack the key, too: then its request is not known any more, and the first request with the key is taken for
 * it.
 */
async function linkKeys(
  tx: Tx,
  account_id: string,
  attempts: readonly NewAttempt[],
): Promise<void> {
  const keyed = attempts.filter(({ idempotency_key }) => idempotency_key !== null);
  for (const { idempotency_key, subject_id } of keyed)
    await sql`
      INSERT INTO idempotency_keys AS held (account_id, key, fingerprint, subject_id)
      VALUES (${account_id}, ${idempotency_key}, ${Buffer.alloc(0)}, ${subject_id})
      ON CONFLICT (account_id, key) DO UPDATE
      SET subject_id = excluded.subject_id,
        fingerprint = CASE WHEN held.status IS NULL THEN held.fingerprint ELSE excluded.fingerprint END,
        status = NULL, content_type = NULL, location = NULL, body = NULL, sealed_body = NULL`.execute(
      tx,
    );
}

/**
 * What the failure of a transaction that wrote an attempt means: 503 `unavailable` on a restored database,
 * 409 `idempotency_in_progress` for a key that another process holds; null when it failed for another reason.
 */
export async function whyRefused(db: Database, error: unknown): Promise<ApiError | null> {
  if (!isRefused(error, "attempt_not_begun")) return null;
  const { rows } = await sql<{ is_reconciled: boolean }>`
    SELECT ${isReconciled} AS is_reconciled`.execute(db);
  return rows[0]!.is_reconciled
    ? new ApiError("idempotency_in_progress", { retry_after: 1 })
    : notReconciled();
}

const endColumns =
  "id text, fence integer, open text[], status text, failure jsonb, decision jsonb";

/** How an attempt ends. */
export interface AttemptEnd {
  attempt: Pick<Attempt<object>, "account_id" | "id" | "fence" | "status">;
  status: "settled" | "refused" | "absent";
  failure?: Failure;
  decision?: Decision | undefined;
}

/**
 * Writes the ends of an account's attempts, along with the statement after them, if this process still holds
 * all of them. If not, the transaction fails, and `orLostLease` throws `LostLease`. What is under review ends
 * by an operator's decision, or by a lookup that took it over as such and found it. What a lookup did not find is looked up again a minute later, unless an
 * operator has decided about an effect that exists.
 */
export async function endAttempts(tx: Tx, ends: readonly AttemptEnd[]): Promise<void> {
  const { account_id } = ends[0]!.attempt;
  const rows = ends.map(({ attempt, status, failure, decision }) => ({
    id: attempt.id,
    fence: attempt.fence,
    open: decision || attempt.status === "review" ? ["review"] : ["sent", "unknown"],
    status,
    failure,
    decision,
  }));
  await pipelined(sql`
    WITH ended AS (
      UPDATE attempts
      SET status = each.status, failure = each.failure, decision = each.decision, look_count = 0, undo_count = 0,
        resolved_at = coalesce(resolved_at, now()),
        holder_id = CASE WHEN each.status <> 'absent' THEN holder_id END,
        look_at = CASE WHEN each.status = 'absent' AND NOT unwanted THEN now() + interval '1 minute' END
      FROM ${rowsOf(account_id, rows, endColumns)} AS each
      WHERE attempts.account_id = each.account_id AND attempts.id = each.id
        AND attempts.fence = each.fence
        AND attempts.status = ANY (each.open)
      RETURNING attempts.id)
    SELECT count(*) = ${ends.length} OR ${refuse("lease_lost")} FROM ended`).execute(tx);
}

/** Runs the transaction of an attempt's end. Throws `LostLease` when this process has lost the attempt. */
export async function orLostLease<T>(attempt: { id: string }, transaction: Promise<T>): Promise<T> {
  return transaction.catch((error: unknown) => {
    throw isRefused(error, "lease_lost") ? new LostLease(attempt) : error;
  });
}

/**
 * The effect is not what was requested, or appeared after the attempt was marked not executed, and is to be
 * reversed: from here on it cannot be settled. Written before the party is asked to reverse it, so that no
 * other process finds the effect in the meantime and settles what is being reversed. Throws `LostLease`.
 */
export async function markForReversal(
  db: Database,
  attempt: Pick<Attempt<object>, "account_id" | "id" | "fence">,
  failure: Failure,
): Promise<void> {
  const disowned = await db
    .updateTable("attempts")
    .set({ unwanted: true, failure: json(failure) })
    .where("account_id", "=", attempt.account_id)
    .where("id", "=", attempt.id)
    .where("fence", "=", attempt.fence)
    .where("status", "in", ["sent", "unknown", "absent", "review"])
    .executeTakeFirst();
  if (disowned.numUpdatedRows === 0n) throw new LostLease(attempt);
}

/** Writes that the outcome is unknown, and lets any process look it up from a second on. */
export async function suspendAttempt(
  tx: Tx,
  attempt: Pick<Attempt<object>, "account_id" | "id" | "fence">,
  failure: Failure,
): Promise<void> {
  const suspended = await tx
    .updateTable("attempts")
    .set({
      status: "unknown",
      failure: unlessToBeReversed(failure),
      holder_id: null,
      look_at: sql<Date>`now() + interval '1 second'`,
    })
    .where("account_id", "=", attempt.account_id)
    .where("id", "=", attempt.id)
    .where("fence", "=", attempt.fence)
    .where("status", "=", "sent")
    .executeTakeFirst();
  if (suspended.numUpdatedRows === 0n) throw new LostLease(attempt);
}

/** Keeps the reason why an effect is being reversed, whatever fails afterwards. */
export function unlessToBeReversed(failure: Failure) {
  return sql<string>`CASE WHEN unwanted THEN failure ELSE ${json(failure)}::jsonb END`;
}

/**
 * What a request with this key began before its process died, if that has not failed: its retry must return
 * this instead of acting again.
 */
export async function findBegun(
  db: Database,
  claim: { account_id: string; key: string; subject_id: string | null } | null,
) {
  if (!claim?.subject_id) return undefined;
  return db
    .selectFrom("attempts")
    .select(["id", "subject_id", "status", "input"])
    .where("account_id", "=", claim.account_id)
    .where("idempotency_key", "=", claim.key)
    .where("subject_id", "=", claim.subject_id)
    .where("status", "in", ["sent", "unknown", "review", "settled"])
    .executeTakeFirst();
}
