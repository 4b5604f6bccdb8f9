import { sql } from "kysely";
import { isOneOf } from "../../database/rows.ts";
import type { Database } from "../../database/tables.ts";
import { ranks } from "../../domain/timeline/entry.ts";
import type { AttemptMoment } from "../../domain/timeline/describe-attempts.ts";
import type {
  DescribedAction,
  DescribedDelivery,
  DescribedEvent,
  DescribedTransaction,
} from "../../domain/timeline/describe-facts.ts";
import type { DescribedRun } from "../../domain/timeline/describe-rules.ts";
import type { Slice, TimelineScope } from "./scope.ts";
import {
  addressesOfShipment,
  firstAfter,
  ofAccount,
  ofRequest,
  position,
  rankOf,
} from "./slice-store.ts";

/** The SQL of what a timeline tells of the books, of attempts, rules and events: one statement a source. */

/**
 * Attempts at the subjects, and the holds for them: each at the moments at which something happened. Those without
 * a call, which are for the operator alone, are told by their event.
 */
export async function listAttemptMoments(
  db: Database,
  scope: TimelineScope,
  slice: Slice,
): Promise<AttemptMoment[]> {
  const place = { at: sql`moment.at`, rank: sql`moment.rank`, id: sql`moment.id` };
  const own = { request_id: sql`attempts.request_id`, at: sql`attempts.begun_at` };
  const { rows } = await sql<AttemptMoment>`
    SELECT ${position(place)}, moment.what, attempts.id AS attempt_id, attempts.kind AS attempt_kind,
      attempts.party, attempts.status, attempts.failure, attempts.actor, attempts.request_id,
      attempts.decision ->> 'decision' AS decision, attempts.decision ->> 'by' AS decided_by,
      coalesce(attempts.input -> 'rate' ? 'quote_number', false) AS is_freight,
      attempts.input -> 'rate' ->> 'service' AS service,
      attempts.input -> 'rate' ->> 'service_name' AS service_name,
      (attempts.input -> 'price' ->> 'total_cents')::bigint AS total_cents,
      attempts.input -> 'price' ->> 'currency' AS total_currency,
      hold.amount_cents AS held_cents, CASE WHEN shipments.id IS NOT NULL THEN ${addressesOfShipment} END AS addresses
    FROM attempts
    LEFT JOIN holds AS hold ON hold.account_id = attempts.account_id AND hold.id = attempts.input ->> 'hold_id'
    LEFT JOIN shipments ON shipments.account_id = attempts.account_id AND shipments.id = attempts.subject_id
      AND attempts.failure IS NOT NULL
    CROSS JOIN LATERAL (VALUES
      ('begun', attempts.begun_at, ${rankOf(ranks.begun)}, attempts.id::text),
      ('held', hold.created_at, ${rankOf(ranks.held)}, hold.id),
      ('decided', (attempts.decision ->> 'decided_at')::timestamptz, ${rankOf(ranks.decided)}, attempts.id || '.decided'),
      ('ended', attempts.resolved_at, ${rankOf(ranks.ended)}, attempts.id || '.ended'),
      ('released', CASE WHEN hold.status = 'released' THEN hold.resolved_at END, ${rankOf(ranks.released)}, hold.id || '.released')
    ) AS moment (what, at, rank, id)
    WHERE ${ofAccount(sql`attempts.account_id`, scope)} AND ${isOneOf("attempts.subject_id", scope.subjects)}
      AND attempts.kind NOT IN ('label_flaw', 'label_file') ${ofRequest(scope, own)}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}

/** Rules that acted on the subjects. */
export async function listRuns(
  db: Database,
  scope: TimelineScope,
  slice: Slice,
): Promise<DescribedRun[]> {
  const place = { at: sql`created_at`, rank: rankOf(ranks.rule), id: sql`rule_runs.id` };
  const own = { request_id: sql`request_id`, at: sql`created_at` };
  const { rows } = await sql<DescribedRun>`
    SELECT ${position(place)}, rule_id, rule_name, trigger, status, changes, error, purchase,
      NULL AS actor, request_id
    FROM rule_runs
    WHERE account_id = ${scope.account_id} AND ${isOneOf("subject_id", scope.subjects)}
      ${ofRequest(scope, own)}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}

/**
 * Transactions of the shipments among the subjects. The event that names one says who began it, and when: by the
 * database's clock, as the attempt that paid for it.
 */
export async function listTransactions(
  db: Database,
  scope: TimelineScope,
  slice: Slice,
): Promise<DescribedTransaction[]> {
  const place = {
    at: sql`coalesce(event.created_at, posted.created_at)`,
    rank: rankOf(ranks.ledger),
    id: sql`posted.id`,
  };
  const own = { request_id: sql`event.request_id`, at: sql`posted.created_at` };
  const { rows } = await sql<DescribedTransaction>`
    SELECT DISTINCT ON (1, 2, 3) ${position(place)}, posted.type, posted.amount_cents, posted.currency,
      posted.shipment_id, event.actor, event.request_id
    FROM ledger_transactions AS posted
    LEFT JOIN LATERAL (
      SELECT created_at, actor, request_id FROM recorded_events
      WHERE account_id = posted.account_id AND subject_id = posted.shipment_id
        AND data ->> 'transaction_id' = posted.id) AS event ON true
    WHERE posted.account_id = ${scope.account_id} AND ${isOneOf("posted.shipment_id", scope.subjects)}
      ${ofRequest(scope, own)}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}

/** Events of the subjects, of some types or of all. */
export async function listEvents(
  db: Database,
  scope: TimelineScope,
  slice: Slice,
): Promise<DescribedEvent[]> {
  const { event_types: types } = scope;
  const place = { at: sql`created_at`, rank: rankOf(ranks.event), id: sql`recorded_events.id` };
  const own = { request_id: sql`request_id`, at: sql`created_at` };
  const { rows } = await sql<DescribedEvent>`
    SELECT ${position(place)}, type, subject_id, sequence, data, actor, request_id
    FROM recorded_events
    WHERE ${ofAccount(sql`account_id`, scope)} AND ${isOneOf("subject_id", scope.subjects)}
      ${types ? sql`AND type = ANY (${types})` : sql``}
      ${ofRequest(scope, own)}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}

/** Deliveries of the subjects' events. */
export async function listDeliveries(
  db: Database,
  scope: TimelineScope,
  slice: Slice,
): Promise<DescribedDelivery[]> {
  const place = {
    at: sql`delivery.created_at`,
    rank: rankOf(ranks.delivery),
    id: sql`delivery.id`,
  };
  const own = { request_id: sql`events.request_id`, at: sql`events.created_at` };
  const { rows } = await sql<DescribedDelivery>`
    SELECT ${position(place)}, delivery.webhook_id, delivery.event_id, delivery.event_type, delivery.trigger,
      delivery.status, delivery.attempt_count, delivery.last_status, delivery.last_error, delivery.ended_at,
      events.actor, events.request_id
    FROM events
    JOIN deliveries AS delivery ON delivery.account_id = events.account_id AND delivery.event_id = events.id
    WHERE ${ofAccount(sql`events.account_id`, scope)} AND ${isOneOf("events.subject_id", scope.subjects)}
      ${ofRequest(scope, own)}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}

/** What operators did to the subjects; what tokens did is among their requests. */
export async function listActions(
  db: Database,
  scope: TimelineScope,
  slice: Slice,
): Promise<DescribedAction[]> {
  const place = { at: sql`created_at`, rank: rankOf(ranks.operator), id: sql`audit_log.id` };
  const own = { request_id: sql`request_id`, at: sql`created_at` };
  const { rows } = await sql<DescribedAction>`
    SELECT ${position(place)}, action, actor, request_id
    FROM audit_log
    WHERE ${ofAccount(sql`account_id`, scope)} AND ${isOneOf("subject_id", scope.subjects)}
      AND actor LIKE 'operator:%'
      ${ofRequest(scope, own)}
      ${firstAfter(place, slice)}`.execute(db);
  return rows;
}
