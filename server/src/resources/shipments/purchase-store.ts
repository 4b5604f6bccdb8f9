import { sql } from "kysely";
import { ridesAlong } from "../../database/journeys.ts";
import { rowsOf } from "../../database/rows.ts";
import type { Tx } from "../../database/tables.ts";
import { refusalIn } from "../../database/trouble.ts";
import {
  shipmentTypes,
  type ShipmentStatus,
  type ShipmentType,
} from "../../domain/shipment-status.ts";
import { soldStatus, statesBefore } from "../../domain/shipment-states.ts";
import type { ShipmentRow } from "./store.ts";

/** The SQL of purchases: how shipments begin to be bought and how they are sold, any number at once. */

/** A shipment as it was when its purchase was decided. */
export type PurchaseClaim = Pick<ShipmentRow, "account_id" | "id" | "revision"> & { at: Date };

/**
 * Marks the shipments of an account as being bought, each once, along with the statement after it: if its
 * state or revision says no for one of them, the transaction fails, as `isLostRace` tells.
 */
export async function claimForPurchase(tx: Tx, claims: readonly PurchaseClaim[]): Promise<void> {
  const { account_id } = claims[0]!;
  const rows = claims.map(({ id, revision, at }) => ({ id, revision, at }));
  await sql`
    WITH claimed AS (
      UPDATE shipments SET status = 'purchasing', updated_at = each.at
      FROM ${rowsOf(account_id, rows, "id text, revision integer, at timestamptz")} AS each
      WHERE shipments.account_id = each.account_id AND shipments.id = each.id
        AND shipments.revision = each.revision AND (${mayBecome(() => "purchasing")})
      RETURNING shipments.id)
    SELECT count(*) = ${claims.length} OR refuse(${lostRace}) FROM claimed ${sql.raw(ridesAlong)}`.execute(
    tx,
  );
}

const lostRace = "the shipment is no longer what was to be bought";

/** Whether a purchase failed because somebody else bought, voided, changed or deleted its shipment meanwhile. */
export function isLostRace(error: unknown): boolean {
  return refusalIn(error) === lostRace;
}

/** What its carrier sold for a shipment. */
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
> & {
  status: ReturnType<typeof soldStatus>;
  /** One for each package, in order; null of a booking. */
  package_codes: readonly string[] | null;
  at: Date;
};

const saleColumns = `id text, status text, service text, service_name text, carrier text, add_ons text[],
  selected_rate jsonb, label_format text, documents jsonb, tracking_code text, confirmation_number text,
  bol_number text, pro_number text, purchase_reference text, carrier_label_id text, cost_subtotal_cents bigint,
  cost_tax_cents bigint, cost_total_cents bigint, cost_currency text, package_codes text[], at timestamptz`;

/** Writes what was sold for shipments of an account. Returns those that were being bought. */
export async function sellShipments(tx: Tx, sales: readonly Sale[]): Promise<ShipmentRow[]> {
  const { account_id } = sales[0]!;
  const { rows } = await sql<ShipmentRow>`
    UPDATE shipments
    SET status = each.status, tracking_status = 'pre_transit', service = each.service,
      service_name = each.service_name, carrier = each.carrier, add_ons = each.add_ons,
      selected_rate = each.selected_rate, label_format = each.label_format, documents = each.documents,
      tracking_code = each.tracking_code, confirmation_number = each.confirmation_number,
      bol_number = each.bol_number, pro_number = each.pro_number,
      purchase_reference = each.purchase_reference, carrier_label_id = each.carrier_label_id,
      cost_subtotal_cents = each.cost_subtotal_cents, cost_tax_cents = each.cost_tax_cents,
      cost_total_cents = each.cost_total_cents, cost_currency = each.cost_currency,
      packages = CASE WHEN each.package_codes IS NULL THEN packages ELSE (
        SELECT jsonb_agg(package || jsonb_build_object('tracking_code', each.package_codes[place]) ORDER BY place)
        FROM jsonb_array_elements(packages) WITH ORDINALITY AS one (package, place)) END,
      last_error = NULL, purchased_at = each.at, updated_at = each.at
    FROM ${rowsOf(account_id, sales, saleColumns)} AS each
    WHERE shipments.account_id = each.account_id AND shipments.id = each.id
      AND each.status = CASE type WHEN 'ltl' THEN ${soldStatus("ltl")} ELSE ${soldStatus("courier")} END
      AND (${mayBecome(soldStatus)})
    RETURNING shipments.*`.execute(tx);
  return rows;
}

/** Whether the table of its type's states lets a shipment become that from where it is now. */
function mayBecome(to: (type: ShipmentType) => ShipmentStatus) {
  const ways = shipmentTypes.map((type) => {
    const before = statesBefore(type, to(type));
    return sql`(shipments.type = ${type} AND shipments.status = ANY (${before}::text[]))`;
  });
  return sql.join(ways, sql` OR `);
}
