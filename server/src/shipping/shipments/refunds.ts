import { lookupSeconds } from "../../outbound/deadline.ts";
import type { Platform } from "../../context.ts";
import { contextOn } from "../connections/connection-book.ts";
import { inTransaction } from "../../database/connect.ts";
import type { Book, Tx } from "../../database/tables.ts";
import { partyLanes } from "../../jobs/party-lanes.ts";
import { descriptorUnder, type CarrierRefund } from "../../carriers/carrier.ts";
import { bySystem, type Origin } from "../../domain/accounts/principal.ts";
import { readSettings } from "../../domain/accounts/account-settings.ts";
import type { TrackingStatus } from "../../domain/shipments/shipment-status.ts";
import type { Share } from "../../domain/shipments/cancellation.ts";
import { fromCents, type Cents } from "../../domain/values/money.ts";
import { recordEvent } from "../../events/outbox.ts";
import { post, reversalOf, type Entry } from "../../ledger/ledger.ts";
import { reactivateTracking } from "../tracking/cancel-tracking.ts";
import { labelFacts, shipmentFacts } from "./event-facts.ts";
import { labelRefOf } from "./label-ref.ts";
import { moveShipment } from "./move-shipment.ts";
import * as store from "./store.ts";

/**
 * The refund of a voided label (decision 8): `pending → approved | rejected`. The carrier is asked until it
 * approves or rejects; when it has done neither by the end of the hold days, the merchant is refunded all the
 * same. A carrier that bills what is scanned, and voids nothing, is asked for scans: none for so many days is
 * an approval, one is a rejection.
 */

/** A round of the loop that asks for the refunds that are due. An unresponsive carrier delays no other. */
export function refundLanes(platform: Platform): (signal: AbortSignal) => Promise<boolean> {
  return partyLanes({
    take: (places) => store.takeRefundsToCheck(platform.db, places),
    partyOf: ({ carrier }) => carrier ?? "",
    ask: (row) =>
      resolveRefund(platform, row).then(
        () => true,
        (error: unknown) => {
          platform.log.error({ shipment_id: row.id, err: error }, "refund.check_failed");
          return false;
        },
      ),
  });
}

async function resolveRefund(platform: Platform, row: store.RefundToCheck): Promise<void> {
  const refund = await refundOf(platform, row);
  const isOver = isHoldOver(platform, row);
  if (refund !== "rejected" && refund !== "approved" && !isOver) return;
  await inTransaction(platform.db, async (tx) => {
    const locked = await store.lockShipment(tx, row.account_id, row.id);
    if (locked.refund_status !== "pending") return;
    const by = bySystem("refunds.resolve");
    if (refund === "rejected") await rejectRefund(platform, tx, { row: locked, by });
    else await approveRefund(platform, tx, { row: locked, by });
  });
}

async function refundOf(platform: Platform, row: store.RefundToCheck): Promise<CarrierRefund> {
  const { carrier } = row;
  if (!carrier || !row.purchase_reference) return "none";
  const { voids } = descriptorUnder(platform.carriers.get(carrier).descriptor, row.connection_id);
  if (voids.kind !== "by_not_using") return askCarrier(platform, carrier, row);
  if (await isScanned(platform, carrier, row)) return "rejected";
  return hasPassed(platform, row, voids.unscanned_days) ? "approved" : "pending";
}

/** Whether the carrier has seen any package of a label that is not to be used. */
async function isScanned(
  { carriers, connections, metrics }: Platform,
  carrier: string,
  row: store.RefundToCheck,
): Promise<boolean> {
  const { tracking_code, packages, carrier_data } = row;
  const codes = new Set([tracking_code, ...packages.map((each) => each.tracking_code)]);
  const context = await contextOn({ connections }, row);
  for (const code of codes) {
    if (code === null) continue;
    metrics.carrier_calls.inc({ carrier, operation: "track" });
    const asked = { context, tracking_code: code, carrier_data };
    const told = await carriers
      .get(carrier)
      .track(asked, AbortSignal.timeout(lookupSeconds * 1000));
    if (told?.events.some(({ status }) => !unscanned.includes(status))) return true;
  }
  return false;
}

/** What a carrier may say of a label that it has only been announced. */
const unscanned: readonly TrackingStatus[] = ["pre_transit", "cancelled", "unknown"];

async function askCarrier(
  platform: Platform,
  carrier: string,
  row: store.RefundToCheck,
): Promise<CarrierRefund> {
  platform.metrics.carrier_calls.inc({ carrier, operation: "refund_state" });
  const label = labelRefOf(row, await contextOn(platform, row));
  return platform.carriers
    .get(carrier)
    .refundState(label, AbortSignal.timeout(lookupSeconds * 1000));
}

/** Never of a carrier that bills what is scanned: what it bills shows only then. */
function isHoldOver(platform: Platform, row: store.RefundToCheck): boolean {
  const { config, carriers } = platform;
  const found = carriers.find(row.carrier ?? "");
  const voids = found && descriptorUnder(found.descriptor, row.connection_id).voids;
  if (voids?.kind === "by_not_using") return false;
  const standard =
    row.environment === "live" ? config.refund_hold_days_live : config.refund_hold_days_test;
  const days = readSettings(row.settings).refund_hold_days ?? standard;
  return hasPassed(platform, row, days);
}

function hasPassed(
  { clock }: Platform,
  { refund_requested_at }: store.RefundToCheck,
  days: number,
): boolean {
  const requested = refund_requested_at?.getTime() ?? 0;
  return clock.now().getTime() >= requested + days * 86_400_000;
}

/** The part of a debit that is not refunded, of the account's price and of the carrier's cost. */
export interface RetainedShare extends Share {
  carrier_cents: Cents;
}
const nothing: RetainedShare = {
  subtotal_cents: 0,
  tax_cents: 0,
  total_cents: 0,
  carrier_cents: 0,
};

/** Credits the full total, the reverse of the label's debit, minus what is kept of it. */
export async function approveRefund(
  platform: Platform,
  tx: Tx,
  { row, by, kept = nothing }: { row: store.ShipmentRow; by: Origin; kept?: RetainedShare },
): Promise<store.ShipmentRow> {
  const now = platform.clock.now();
  const total_cents = (row.cost_total_cents ?? 0) - kept.total_cents;
  const currency = row.cost_currency ?? "";
  const posted = await post(tx, {
    account_id: row.account_id,
    type: "refund",
    subtotal_cents: (row.cost_subtotal_cents ?? 0) - kept.subtotal_cents,
    tax_cents: (row.cost_tax_cents ?? 0) - kept.tax_cents,
    currency,
    description: `Refund of ${row.service_name ?? "label"} ${row.tracking_code ?? ""}`.trim(),
    shipment_id: row.id,
    entries: less(await reversalOf(tx, row.account_id, row.id), kept),
    at: now,
  });
  await recordEvent(tx, {
    account_id: row.account_id,
    type: "refund.approved",
    subject_id: row.id,
    data: {
      ...shipmentFacts(row),
      ...labelFacts(row),
      total: fromCents(total_cents),
      currency,
      transaction_id: posted.transaction_id,
      refund_status: "approved",
    },
    by,
  });
  return store.changeShipment(tx, row, {
    refund_status: "approved",
    refund_resolved_at: now,
    refund_check_at: null,
    updated_at: now,
  });
}

/** The entries minus what is kept, book by book. */
function less(entries: Entry[], kept: RetainedShare): Entry[] {
  const { subtotal_cents, tax_cents, total_cents, carrier_cents } = kept;
  const back: Partial<Record<Book, Cents>> = {
    credits: -total_cents,
    postage_revenue: subtotal_cents,
    tax_payable: tax_cents,
    carrier_costs: -carrier_cents,
    carrier_payable: carrier_cents,
  };
  return entries.map(({ book, amount_cents }) => ({
    book,
    amount_cents: amount_cents + (back[book] ?? 0),
  }));
}

/** The label was scanned after its void: it is live again, and stays paid. */
export async function rejectRefund(
  platform: Platform,
  tx: Tx,
  { row, by }: { row: store.ShipmentRow; by: Origin },
): Promise<store.ShipmentRow> {
  const now = platform.clock.now();
  const revived = await moveShipment(tx, row, {
    status: "purchased",
    voided_at: null,
    refund_status: "rejected",
    refund_resolved_at: now,
    refund_check_at: null,
    refund_reason: "The carrier refused the refund: the label was used after its void.",
    updated_at: now,
    by,
  });
  if (!revived) throw new Error(`shipment ${row.id} is not voided`);
  await recordEvent(tx, {
    account_id: row.account_id,
    type: "refund.rejected",
    subject_id: row.id,
    data: {
      ...shipmentFacts(revived),
      previous_status: "voided",
      ...labelFacts(revived),
      refund_status: "rejected",
    },
    by,
  });
  return store.changeShipment(tx, revived, {
    tracking_status: await reactivateTracking(tx, revived),
  });
}
