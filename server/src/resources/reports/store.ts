import { sql } from "kysely";
import type { Database } from "../../database/tables.ts";
import { firstIdAt } from "../../domain/values/ids.ts";
import type { groupings } from "./schemas.ts";

/** The SQL of reports: what the ledger says was paid for labels, with what became of their shipments. */

export type Grouping = (typeof groupings)[number];

export interface ReportSums {
  /** Null for the sums of all. */
  key: string | null;
  shipments: number;
  voided: number;
  subtotal_cents: number;
  tax_cents: number;
  delivered: number;
  on_time_rate: number | null;
  transit_days_p50: number | null;
}

const keys: Record<Grouping, string> = {
  day: "to_char(local_time, 'YYYY-MM-DD')",
  week: "to_char(date_trunc('week', local_time), 'YYYY-MM-DD')",
  month: "to_char(date_trunc('month', local_time), 'YYYY-MM-DD')",
  carrier: "coalesce(carrier, '')",
  service: "coalesce(service, '')",
  province: "concat_ws('-', to_address ->> 'country_code', to_address ->> 'province_code')",
};

const dayMs = 86_400_000;

/**
 * The sums of each group and of all, by days of the zone. A transaction's id has its time, give or take what
 * clocks of processes differ: it narrows what is read, and `created_at` decides.
 */
export async function sumShipping(
  db: Database,
  {
    account_id,
    from,
    to,
    time_zone,
    group_by,
  }: { account_id: string; from: string; to: string; time_zone: string; group_by: Grouping },
): Promise<ReportSums[]> {
  const first = firstIdAt("txn", new Date(Date.parse(from) - 2 * dayMs));
  const last = firstIdAt("txn", new Date(Date.parse(to) + 3 * dayMs));
  const { rows } = await sql<ReportSums>`
    WITH moved AS (
      SELECT line.type, -line.amount_cents AS paid_cents,
        CASE WHEN line.amount_cents < 0 THEN line.subtotal_cents ELSE -line.subtotal_cents END AS subtotal_cents,
        CASE WHEN line.amount_cents < 0 THEN line.tax_cents ELSE -line.tax_cents END AS tax_cents,
        line.created_at AT TIME ZONE ${time_zone} AS local_time, shipments.status, carrier, service, to_address,
        selected_rate ->> 'estimated_delivery_date' AS estimate, purchased_at, delivered_at
      FROM ledger_transactions AS line
      LEFT JOIN shipments ON shipments.account_id = ${account_id} AND shipments.id = line.shipment_id
      WHERE line.account_id = ${account_id} AND line.type IN ('label', 'ltl', 'refund')
        AND line.id >= ${first} AND line.id < ${last}
        AND line.created_at >= ${from}::date::timestamp AT TIME ZONE ${time_zone}
        AND line.created_at < (${to}::date + 1)::timestamp AT TIME ZONE ${time_zone}),
    keyed AS (
      SELECT ${sql.raw(keys[group_by])} AS key, type <> 'refund' AS is_bought, subtotal_cents, tax_cents, status, estimate,
        purchased_at, CASE WHEN type <> 'refund' THEN delivered_at END AS delivered_at
      FROM moved)
    SELECT key, count(*) FILTER (WHERE is_bought)::int AS shipments,
      count(*) FILTER (WHERE is_bought AND status IN ('void_pending', 'voided', 'cancelled'))::int AS voided,
      coalesce(sum(subtotal_cents), 0)::bigint AS subtotal_cents, coalesce(sum(tax_cents), 0)::bigint AS tax_cents,
      count(delivered_at)::int AS delivered,
      (avg((delivered_at AT TIME ZONE ${time_zone} < estimate::date + 1)::int)
        FILTER (WHERE estimate IS NOT NULL))::double precision AS on_time_rate,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM delivered_at - purchased_at) / 86400)
        FILTER (WHERE delivered_at IS NOT NULL) AS transit_days_p50
    FROM keyed GROUP BY GROUPING SETS ((key), ()) ORDER BY key`.execute(db);
  return rows;
}

export async function timeZoneOf(db: Database, accountId: string): Promise<string> {
  const { time_zone } = await db
    .selectFrom("accounts")
    .select("time_zone")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return time_zone;
}
