import { sql } from "kysely";
import { columnsOf } from "../../database/columns.ts";
import { pipelined } from "../../database/driver/sending.ts";
import { rowsOf } from "../../database/rows.ts";
import type { Tx } from "../../database/tables.ts";
import { refuse } from "../../database/refusals.ts";
import {
  shipmentTypes,
  type ShipmentStatus,
  type ShipmentType,
} from "../../domain/shipments/shipment-status.ts";
import { purchasedStatus, statesBefore } from "../../domain/shipments/shipment-states.ts";
import { liveStatuses } from "./live-status-store.ts";
import type { ShipmentRow } from "./store.ts";

/** The SQL of purchases: how shipments begin to be purchased and get their labels, any number at once. */

/** A shipment as it was when its purchase was decided. */
type PurchaseReservation = Pick<ShipmentRow, "account_id" | "id" | "revision"> & {
  at: Date;
};

/**
 * Marks the shipments of an account as being purchased, each once, along with the statement after it: if the
 * state or revision of one of them does not match, the transaction fails, with `shipment_changed`.
 */
export async function reserveForPurchase(
  tx: Tx,
  claims: readonly PurchaseReservation[],
): Promise<void> {
  const { account_id } = claims[0]!;
  const rows = claims.map(({ id, revision, at }) => ({ id, revision, at }));
  await pipelined(sql`
    WITH claimed AS (
      UPDATE shipments SET status = 'purchasing', updated_at = each.at
      FROM ${rowsOf(account_id, rows, "id text, revision integer, at timestamptz")} AS each
      WHERE shipments.account_id = each.account_id AND shipments.id = each.id
        AND shipments.revision = each.revision AND (${mayBecome(() => "purchasing")})
      RETURNING shipments.id)
    SELECT count(*) = ${claims.length} OR ${refuse("shipment_changed")} FROM claimed`).execute(tx);
}

/** What its carrier issued for a shipment. */
export type Sale = Pick<
  ShipmentRow,
  | "account_id"
  | "id"
  | "service"
  | "service_name"
  | "carrier"
  | "add_ons"
  | "selected_rate"
  | "label_format"
  | "label_size"
  | "documents"
  | "tracking_code"
  | "confirmation_number"
  | "bol_number"
  | "pro_number"
  | "purchase_reference"
  | "carrier_label_id"
  | "cost_subtotal_cents"
  | "cost_tax_cents"
  | "cost_total_cents"
  | "cost_currency"
  | "carrier_cost_cents"
  | "connection_id"
  | "cost_unconfirmed"
  | "carrier_data"
> & {
  status: ReturnType<typeof purchasedStatus>;
  /** One for each package, in order; null of a booking. */
  package_codes: readonly string[] | null;
  at: Date;
};

const saleColumns = `id text, status text, service text, service_name text, carrier text, add_ons text[],
  selected_rate jsonb, label_format text, label_size text, documents jsonb, tracking_code text, confirmation_number text,
  bol_number text, pro_number text, purchase_reference text, carrier_label_id text, cost_subtotal_cents bigint,
  cost_tax_cents bigint, cost_total_cents bigint, cost_currency text, carrier_cost_cents bigint, connection_id text,
  cost_unconfirmed boolean, carrier_data jsonb, package_codes text[], at timestamptz`;

/**
 * No two live labels of a carrier have one tracking code, in whichever accounts. No unique index may span
 * accounts, so each purchase takes an advisory lock on the code until its commit, and then checks for another
 * label with it: of two concurrent ones the second finds the first, and its settlement fails, with
 * `tracking_code_taken`.
 */
async function lockCodes(tx: Tx, sales: readonly Sale[]): Promise<void> {
  const codes = rowsOf(sales[0]!.account_id, sales, "id text, carrier text, tracking_code text");
  await pipelined(sql`
    SELECT count(pg_advisory_xact_lock(code)) FROM (
      SELECT DISTINCT hashtextextended(each.carrier || ' ' || each.tracking_code, 0) AS code
      FROM ${codes} AS each ORDER BY code) AS codes`).execute(tx);
  await pipelined(sql`
    SELECT count(*) = 0 OR ${refuse("tracking_code_taken")}
    FROM ${codes} AS each JOIN shipments AS other
      ON other.tracking_code = each.tracking_code AND other.carrier = each.carrier AND other.id <> each.id
    WHERE other.status IN ${liveStatuses}`).execute(tx);
}

/** Writes what was issued for shipments of an account. Returns those that were being purchased. */
export async function markPurchased(tx: Tx, sales: readonly Sale[]): Promise<ShipmentRow[]> {
  const { account_id } = sales[0]!;
  await lockCodes(tx, sales);
  const { rows } = await sql<ShipmentRow>`
    UPDATE shipments
    SET status = each.status, tracking_status = 'pre_transit', service = each.service,
      service_name = each.service_name, carrier = each.carrier, add_ons = each.add_ons,
      selected_rate = each.selected_rate, label_format = each.label_format, label_size = each.label_size, documents = each.documents,
      tracking_code = each.tracking_code, confirmation_number = each.confirmation_number,
      bol_number = each.bol_number, pro_number = each.pro_number,
      purchase_reference = each.purchase_reference, carrier_label_id = each.carrier_label_id,
      cost_subtotal_cents = each.cost_subtotal_cents, cost_tax_cents = each.cost_tax_cents,
      cost_total_cents = each.cost_total_cents, cost_currency = each.cost_currency,
      carrier_cost_cents = each.carrier_cost_cents, connection_id = each.connection_id,
      cost_unconfirmed = each.cost_unconfirmed, carrier_data = each.carrier_data,
      packages = CASE WHEN each.package_codes IS NULL THEN packages ELSE (
        SELECT jsonb_agg(package || jsonb_build_object('tracking_code', each.package_codes[place]) ORDER BY place)
        FROM jsonb_array_elements(packages) WITH ORDINALITY AS one (package, place)) END,
      last_error = NULL, purchased_at = each.at, updated_at = each.at
    FROM ${rowsOf(account_id, sales, saleColumns)} AS each
    WHERE shipments.account_id = each.account_id AND shipments.id = each.id
      AND each.status = CASE WHEN shipments.type = 'ltl' THEN ${purchasedStatus("ltl")} ELSE ${purchasedStatus("courier")} END
      AND (${mayBecome(purchasedStatus)})
    RETURNING ${columnsOf("shipments")}`.execute(tx);
  return rows;
}

/** Whether the table of its type's states allows a shipment to move there from its current state. */
function mayBecome(to: (type: ShipmentType) => ShipmentStatus) {
  const ways = shipmentTypes.map((type) => {
    const before = statesBefore(type, to(type));
    return sql`(shipments.type = ${type} AND shipments.status = ANY (${before}::text[]))`;
  });
  return sql.join(ways, sql` OR `);
}
