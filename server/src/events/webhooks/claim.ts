import { sql, type RawBuilder, type SqlBool } from "kysely";
import { inTransaction } from "../../database/connect.ts";
import { accountsWithWork } from "../../database/leases/accounts-with-work.ts";
import { isReconciled } from "../../database/health/restores.ts";
import { holderIsDead } from "../../database/leases/holder.ts";
import type { Database, Tx } from "../../database/tables.ts";
import type { WebhookHealth } from "../../domain/events/webhook-health.ts";

/**
 * Webhooks are claimed, not deliveries: one process at a time sends to an endpoint, so that the endpoint's
 * limit holds, and a claim costs no write for each delivery. `due_at` is set as long as a webhook has a
 * pending delivery.
 */
export interface ClaimedWebhook extends WebhookHealth {
  account_id: string;
  id: string;
  fence: string;
  due_at: Date;
}

/** How many more webhooks the process has room for: of those whose last attempt failed, and of the others. */
export interface Room {
  healthy: number;
  failing: number;
}

interface ClaimRequest {
  process_id: string;
  lease_seconds: number;
  room: Room;
  /** Those that the process works on, of an account. */
  heldOf(account_id: string): string[];
  /** Accounts of which the process may hold webhooks without knowing: the response to a claim was lost. */
  unsure: Set<string>;
}

/** How many accounts one round claims of, and how many webhooks of each. */
const accountsAtOnce = 64;
export const ofAccountAtOnce = 16;

const lastServed = new WeakMap<Database, string>();

/**
 * Claims due webhooks, of each account in turn, in one transaction: a commit for each account would take longer
 * than what is sent. Throws when the database is unavailable; what was claimed all the same is claimed again by
 * the next call.
 */
export async function claimWebhooks(
  db: Database,
  { unsure, ...request }: ClaimRequest,
): Promise<ClaimedWebhook[]> {
  const due = await accountsInTurn(db, request);
  const accounts = [...new Set([...unsure, ...due])];
  if (accounts.length === 0) return [];
  for (const account_id of accounts) unsure.add(account_id);
  const { claimed, asked } = await inTransaction(db, (tx) => claimOfEach(tx, accounts, request));
  for (const account_id of asked) unsure.delete(account_id);
  const last = due.at(-1);
  if (last !== undefined) lastServed.set(db, last);
  return claimed;
}

async function claimOfEach(
  tx: Tx,
  accounts: readonly string[],
  request: Omit<ClaimRequest, "unsure">,
): Promise<{ claimed: ClaimedWebhook[]; asked: string[] }> {
  const room = { ...request.room };
  const each = Math.ceil((Math.max(0, room.healthy) + Math.max(0, room.failing)) / accounts.length);
  const limit = Math.min(ofAccountAtOnce, each);
  const claimed: ClaimedWebhook[] = [];
  const asked: string[] = [];
  for (const account_id of accounts) {
    if (room.healthy <= 0 && room.failing <= 0) break;
    asked.push(account_id);
    const { rows } = await claimOf(account_id, { ...request, room, limit }).execute(tx);
    for (const { failing_since } of rows) room[failing_since ? "failing" : "healthy"] -= 1;
    claimed.push(...rows);
  }
  return { claimed, asked };
}

async function accountsInTurn(
  db: Database,
  { process_id, lease_seconds, room }: Omit<ClaimRequest, "unsure">,
): Promise<string[]> {
  const free = Math.max(0, room.healthy) + Math.max(0, room.failing);
  if (free === 0) return [];
  // Not `= 'enabled'`: a planner without statistics would take that for rare, and read all to sort them.
  const isFree = sql<SqlBool>`webhooks.status <> 'disabled' AND (webhooks.holder_id IS NULL
    OR webhooks.holder_id <> ${process_id} AND ${holderIsDead("webhooks.holder_id", lease_seconds)})`;
  const accounts = accountsWithWork(
    { table: "webhooks", is_waiting: "due_at IS NOT NULL", due: "due_at" },
    {
      after: lastServed.get(db) ?? "",
      limit: accountsAtOnce,
      is_free: sql<SqlBool>`${isFree} AND ${isWanted(room)}`,
      // Its events may be of what did not happen.
      is_served: isReconciled,
    },
  );
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM ${accounts} AS next`.execute(db);
  return rows.slice(0, free).map(({ account_id }) => account_id);
}

/** Where one pool is full, its webhooks are left to other processes. */
function isWanted({ healthy, failing }: Room): RawBuilder<SqlBool> {
  return sql<SqlBool>`(CASE WHEN webhooks.failing_since IS NULL THEN ${healthy > 0}::boolean ELSE ${failing > 0}::boolean END)`;
}

function claimOf(
  account_id: string,
  {
    process_id,
    lease_seconds,
    room,
    heldOf,
    limit,
  }: Omit<ClaimRequest, "unsure"> & { limit: number },
): RawBuilder<ClaimedWebhook> {
  return sql<ClaimedWebhook>`
    WITH due AS (
      SELECT account_id, id FROM webhooks
      WHERE account_id = ${account_id} AND due_at IS NOT NULL AND (due_at IS NULL OR due_at <= now())
        AND status = 'enabled'
        AND (holder_id IS NULL OR holder_id = ${process_id} OR ${holderIsDead("webhooks.holder_id", lease_seconds)})
        AND id <> ALL(${heldOf(account_id)}) AND ${isWanted(room)}
      ORDER BY due_at NULLS FIRST LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE webhooks SET holder_id = ${process_id}, fence = webhooks.fence + 1
    FROM due WHERE webhooks.account_id = due.account_id AND webhooks.id = due.id
    RETURNING webhooks.account_id, webhooks.id, webhooks.fence, webhooks.due_at, webhooks.failing_since,
      webhooks.failure_count, webhooks.is_failing_told, webhooks.last_success_at`;
}
