import { sql, type Selectable } from "kysely";
import { holderIsDead } from "../../database/leases/holder.ts";
import type {
  Database,
  DeliveriesTable,
  DeliveryAttemptsTable,
  Tx,
  WebhooksTable,
} from "../../database/tables.ts";
import { notFound } from "../../domain/errors/errors.ts";

export type DeliveryRow = Omit<Selectable<DeliveriesTable>, "sample">;
export type AttemptRow = Selectable<DeliveryAttemptsTable>;

/** All but the sample, which only the receiver is sent. */
export const deliveryColumns = [
  "account_id",
  "id",
  "webhook_id",
  "event_id",
  "event_type",
  "trigger",
  "status",
  "attempt_count",
  "attempts_before",
  "due_at",
  "last_status",
  "last_error",
  "last_ms",
  "ended_at",
  "created_at",
] as const;

/** Throws 404, the same for a missing delivery and another account's. */
export async function getDelivery(
  db: Database | Tx,
  accountId: string,
  id: string,
  lock?: "update",
): Promise<DeliveryRow> {
  const row = await db
    .selectFrom("deliveries")
    .select(deliveryColumns)
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .$if(lock === "update", (delivery) => delivery.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function listAttempts(
  db: Database,
  accountId: string,
  id: string,
): Promise<AttemptRow[]> {
  return db
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("delivery_id", "=", id)
    .orderBy("at")
    .orderBy("number")
    .execute();
}

/** A webhook, locked against claims, changes and ends of its deliveries until the transaction ends. */
export interface LockedWebhook extends Pick<
  Selectable<WebhooksTable>,
  "id" | "status" | "disabled_reason"
> {
  /** A process that is alive sends its deliveries. */
  is_held: boolean;
}

/** Null for one that is deleted. */
export async function lockWebhook(
  tx: Tx,
  { account_id, webhook_id }: Pick<DeliveryRow, "account_id" | "webhook_id">,
  lease_seconds: number,
): Promise<LockedWebhook | null> {
  const row = await tx
    .selectFrom("webhooks")
    .select(["id", "status", "disabled_reason"])
    .select(sql<boolean>`NOT ${holderIsDead("webhooks.holder_id", lease_seconds)}`.as("is_held"))
    .where("account_id", "=", account_id)
    .where("id", "=", webhook_id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the event can still be sent: it is kept, or was a test's. */
export async function hasEvent(
  tx: Tx,
  { account_id, id }: Pick<DeliveryRow, "account_id" | "id">,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM deliveries AS delivery
    WHERE account_id = ${account_id} AND id = ${id}
      AND (sample IS NOT NULL OR EXISTS (
        SELECT FROM events WHERE events.account_id = ${account_id} AND events.id = delivery.event_id))`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Whether it is due by the database's clock, which claims go by. */
export async function isDue(
  tx: Tx,
  { account_id, id }: Pick<DeliveryRow, "account_id" | "id">,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM deliveries
    WHERE account_id = ${account_id} AND id = ${id} AND status = 'pending' AND due_at <= now()`.execute(
    tx,
  );
  return rows.length > 0;
}

/** A delivery that waits for its next attempt becomes due. */
export async function bringForward(
  tx: Tx,
  { account_id, id }: Pick<DeliveryRow, "account_id" | "id">,
): Promise<void> {
  await sql`
    UPDATE deliveries SET due_at = least(due_at, now())
    WHERE account_id = ${account_id} AND id = ${id} AND status = 'pending'`.execute(tx);
}

/** Ended deliveries become pending and due, each with the whole of its schedule before it. */
export async function reopen(tx: Tx, accountId: string, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE deliveries
    SET status = 'pending', due_at = now(), ended_at = NULL, attempts_before = attempt_count
    WHERE account_id = ${accountId} AND id = ANY(${ids}) AND status <> 'pending'`.execute(tx);
}

/** Lets workers find a webhook that has something due. */
export async function wakeWebhook(
  tx: Tx,
  { account_id, webhook_id }: Pick<DeliveryRow, "account_id" | "webhook_id">,
): Promise<void> {
  await sql`
    UPDATE webhooks SET due_at = least(due_at, now())
    WHERE account_id = ${account_id} AND id = ${webhook_id}`.execute(tx);
}
