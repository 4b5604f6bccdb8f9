import { sql, type Selectable } from "kysely";
import { countUpTo } from "../../database/count-up-to.ts";
import { isOneOf } from "../../database/rows.ts";
import type { Database, TrackersTable, TrackingEventsTable, Tx } from "../../database/tables.ts";
import type { TrackingDelay } from "../../domain/shipments/shipment-status.ts";
import { onPage, type Page } from "../../http/paging.ts";

export type TrackerRow = Selectable<TrackersTable>;
export type EventRow = Selectable<TrackingEventsTable>;

/** More scans than any journey has; beyond it the newest are returned. */
const eventsMax = 500;

/** The newest tracker of that code in the account; null when there is none. */
export async function findTracker(
  db: Database,
  account_id: string,
  code: { tracking_code: string; shipment_id?: string },
): Promise<TrackerRow | null> {
  let query = db
    .selectFrom("trackers")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("tracking_code", "=", code.tracking_code);
  if (code.shipment_id !== undefined) query = query.where("shipment_id", "=", code.shipment_id);
  return (await query.orderBy("id", "desc").limit(1).executeTakeFirst()) ?? null;
}

/** The same for a caller that has only the code, in whichever account it is. */
export async function findTrackerAnywhere(
  db: Database,
  tracking_code: string,
): Promise<TrackerRow | null> {
  const row = await db
    .selectFrom("trackers")
    .selectAll()
    .where("tracking_code", "=", tracking_code)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export interface TrackerFilters {
  status?: string[];
  shipment_id?: string;
  delayed?: { delay: TrackingDelay; now: Date };
}

/** One page, newest first, each with its scans. */
export async function listTrackersWithEvents(
  db: Database,
  { account_id, filters, page }: { account_id: string; filters: TrackerFilters; page: Page },
): Promise<(TrackerRow & { events: EventRow[] })[]> {
  const rows = await onPage(trackersOf(db, account_id, filters).selectAll(), page, "id").execute();
  const events = await listEventsOfAll(db, rows);
  return rows.map((row) => ({ ...row, events: events.get(row.id) ?? [] }));
}

/** At most `most`. */
export async function countTrackers(
  db: Database,
  account_id: string,
  { filters, most }: { filters: TrackerFilters; most: number },
): Promise<number> {
  return countUpTo(db, trackersOf(db, account_id, filters), most);
}

function trackersOf(
  db: Database,
  account_id: string,
  { status, shipment_id, delayed }: TrackerFilters,
) {
  let query = db.selectFrom("trackers").where("account_id", "=", account_id);
  if (status !== undefined) query = query.where(isOneOf("status", status));
  if (shipment_id !== undefined) query = query.where("shipment_id", "=", shipment_id);
  if (delayed !== undefined) query = query.where(isDelayed(delayed));
  return query;
}

const dayMs = 86_400_000;
const quietDays = 3;

/** The statuses are those of the index `trackers_on_their_way`, and no parameters, so that it serves either delay. */
function isDelayed({ delay, now }: NonNullable<TrackerFilters["delayed"]>) {
  const isOnItsWay = sql`status IN ('pre_transit', 'accepted', 'in_transit', 'out_for_delivery', 'attempted_delivery', 'exception')`;
  if (delay === "not_scanned") {
    const since = new Date(now.getTime() - quietDays * dayMs);
    return sql<boolean>`${isOnItsWay} AND changed_at < ${since}`;
  }
  // A carrier's day is that of the destination, whose zone is not known: the last of them is twelve hours behind UTC.
  const today = new Date(now.getTime() - dayMs / 2).toISOString().slice(0, 10);
  return sql<boolean>`${isOnItsWay} AND status <> 'pre_transit' AND estimated_delivery_date < ${today}`;
}

/** The scans of a package, newest first. */
export async function listEvents(
  db: Database | Tx,
  account_id: string,
  tracker_id: string,
): Promise<EventRow[]> {
  return db
    .selectFrom("tracking_events")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("tracker_id", "=", tracker_id)
    .orderBy("occurred_at", "desc")
    .limit(eventsMax)
    .execute();
}

/** The same for several, of whichever accounts, by tracker; in no order. */
export async function listEventsOfAll(
  db: Database,
  trackers: readonly { account_id: string; id: string }[],
): Promise<Map<string, EventRow[]>> {
  const accounts = [...new Set(trackers.map(({ account_id }) => account_id))];
  const rows = await db
    .selectFrom("tracking_events")
    .selectAll()
    .where(({ eb, fn, val }) => eb("account_id", "=", fn.any(val(accounts))))
    .where(({ eb, fn, val }) => eb("tracker_id", "=", fn.any(val(trackers.map(({ id }) => id)))))
    .execute();
  return Map.groupBy(rows, ({ tracker_id }) => tracker_id);
}
