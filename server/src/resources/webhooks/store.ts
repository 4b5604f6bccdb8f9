import { sql, type Selectable, type Updateable } from "kysely";
import { countUpTo } from "../../database/count-up-to.ts";
import { lockedRow, ownRow } from "../../database/own-row.ts";
import { json, type Database, type Tx, type WebhooksTable } from "../../database/tables.ts";
import type { DeliveryStatus } from "../../domain/events/webhook-states.ts";
import { firstIdAt } from "../../domain/values/ids.ts";
import type { EventPayload } from "../../events/payload.ts";
import { onPage, type Page } from "../../http/paging.ts";
import { deliveryColumns, type DeliveryRow } from "../deliveries/service.ts";

export type WebhookRow = Selectable<WebhooksTable>;

/** A webhook as it is shown: with what it has pending. */
export interface HealthyWebhook extends WebhookRow {
  pending: number;
  oldest_pending_at: Date | null;
}

export async function countWebhooks(db: Database | Tx, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

interface NewWebhookRow extends Pick<
  WebhookRow,
  "account_id" | "id" | "url" | "description" | "types" | "max_in_flight" | "since_position"
> {
  now: Date;
}

export async function insertWebhook(tx: Tx, { now, ...row }: NewWebhookRow): Promise<void> {
  await tx
    .insertInto("webhooks")
    .values({ ...row, status: "enabled", created_at: now, updated_at: now })
    .execute();
}

/** Throws 404, the same for a missing webhook and another account's. */
export async function getWebhook(
  db: Database | Tx,
  accountId: string,
  id: string,
): Promise<HealthyWebhook> {
  const row = await ownRow(db, "webhooks", { account_id: accountId, id });
  return (await withHealth(db, accountId, [row]))[0]!;
}

export async function listWebhooks(
  db: Database,
  accountId: string,
  page: Page,
): Promise<HealthyWebhook[]> {
  const webhooks = db.selectFrom("webhooks").selectAll().where("account_id", "=", accountId);
  return withHealth(db, accountId, await onPage(webhooks, page, "id").execute());
}

async function withHealth(
  db: Database | Tx,
  accountId: string,
  webhooks: readonly WebhookRow[],
): Promise<HealthyWebhook[]> {
  const ids = webhooks.map(({ id }) => id);
  const { rows } = await sql<Pick<HealthyWebhook, "id" | "pending" | "oldest_pending_at">>`
    SELECT webhook_id AS id, count(*) AS pending, min(created_at) AS oldest_pending_at
    FROM deliveries
    WHERE account_id = ${accountId} AND webhook_id = ANY(${ids}) AND status = 'pending'
    GROUP BY webhook_id`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  const none = { pending: 0, oldest_pending_at: null };
  return webhooks.map((row) => ({ ...row, ...(found.get(row.id) ?? none) }));
}

/** Throws 404. Locked against claims, other changes, and the ends of its deliveries. */
export async function lockWebhook(tx: Tx, accountId: string, id: string): Promise<WebhookRow> {
  return lockedRow(tx, "webhooks", { account_id: accountId, id });
}

export async function changeWebhook(
  tx: Tx,
  { account_id, id }: Pick<WebhookRow, "account_id" | "id">,
  changes: Updateable<WebhooksTable>,
): Promise<void> {
  await tx
    .updateTable("webhooks")
    .set(changes)
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** The process that holds it loses it: what it still hears of failures no longer counts. */
export async function disableWebhook(
  tx: Tx,
  { account_id, id }: Pick<WebhookRow, "account_id" | "id">,
): Promise<void> {
  await sql`
    UPDATE webhooks
    SET status = 'disabled', disabled_reason = 'requested', due_at = NULL, holder_id = NULL, fence = fence + 1
    WHERE account_id = ${account_id} AND id = ${id}`.execute(tx);
}

export async function deleteWebhook(
  tx: Tx,
  { account_id, id }: Pick<WebhookRow, "account_id" | "id">,
): Promise<void> {
  await tx
    .deleteFrom("webhooks")
    .where("account_id", "=", account_id)
    .where("id", "=", id)
    .execute();
}

/** A test's delivery, with the event that stands in no feed. */
export async function insertSample(
  tx: Tx,
  delivery: Pick<DeliveryRow, "account_id" | "id" | "webhook_id">,
  sample: EventPayload,
): Promise<void> {
  const { account_id, id, webhook_id } = delivery;
  await sql`
    INSERT INTO deliveries (account_id, id, webhook_id, event_id, event_type, trigger, status, sample, due_at)
    VALUES (${account_id}, ${id}, ${webhook_id}, ${sample.id}, ${sample.type}, 'test', 'pending',
      ${json(sample)}, now())`.execute(tx);
}

export interface DeliveryFilters {
  status?: DeliveryStatus[];
  type?: string;
  event_id?: string;
  from_date?: Date;
}

export interface AskedDeliveries {
  account_id: string;
  webhook_id: string;
  filters: DeliveryFilters;
}

/** One page, newest first: ids are made in the order of time. */
export async function listDeliveries(
  db: Database,
  asked: AskedDeliveries,
  page: Page,
): Promise<DeliveryRow[]> {
  return onPage(matching(db, asked).select(deliveryColumns), page, "id").execute();
}

/** At most `most`. */
export async function countDeliveries(
  db: Database,
  asked: AskedDeliveries,
  most: number,
): Promise<number> {
  return countUpTo(db, matching(db, asked), most);
}

function matching(db: Database, { account_id, webhook_id, filters }: AskedDeliveries) {
  const { status, type, event_id, from_date } = filters;
  return db
    .selectFrom("deliveries")
    .where("webhook_id", "=", webhook_id)
    .where("account_id", "=", account_id)
    .$if(status !== undefined, (all) =>
      all.where("status", "=", sql<DeliveryStatus>`ANY(${status})`),
    )
    .$if(type !== undefined, (all) => all.where("event_type", "=", type!))
    .$if(event_id !== undefined, (all) => all.where("event_id", "=", event_id!))
    .$if(from_date !== undefined, (all) => all.where("id", ">=", firstIdAt("dlv", from_date!)));
}
