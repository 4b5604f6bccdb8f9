import { descriptorUnder, type LabelRequest } from "../../carriers/carrier.ts";
import type { Platform } from "../../context.ts";
import { json, type Tx } from "../../database/tables.ts";
import type { Origin } from "../../domain/accounts/principal.ts";
import { newId } from "../../domain/values/ids.ts";
import { costOfCharge, expectedCharge } from "../../domain/pricing/pricing.ts";
import { fromCents, type Cents } from "../../domain/values/money.ts";
import { purchasedStatus } from "../../domain/shipments/shipment-states.ts";
import { recordEvent, recordEvents, type Event } from "../../events/outbox.ts";
import { answer, recordOutcome, type StoredResponse } from "../../http/idempotency.ts";
import { release } from "../../ledger/holds.ts";
import { captureAll } from "../../ledger/ledger.ts";
import {
  undone,
  type Attempt,
  type Effect,
  type Failure,
  type OutboundOperation,
} from "../../outbound/operation.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { moveShipment, markPurchased } from "../../shipping/shipments/move-shipment.ts";
import { type Sale } from "../../shipping/shipments/purchase-store.ts";
import { labelFacts, shipmentFacts } from "../../shipping/shipments/event-facts.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";
import { startTracking } from "../../shipping/tracking/start-tracking.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";
import { mismatchInLabel, takenCode } from "./label-mismatch.ts";
import { Purchase } from "./schemas.ts";
import { dataToStore } from "../../shipping/shipments/carrier-data.ts";
import { lookUpOf } from "../../shipping/connections/unknown-outcomes.ts";
import { connectionGone } from "../quotes/primary-quote.ts";
import { keptLabel, reviewFlaws } from "./flawed-label.ts";
import { completed, formatOf, soldAs, type SoldLabel } from "./label-files.ts";
import { awaitFiles } from "./pending-files-store.ts";
import { documentsOf, storeDocuments } from "./purchase-documents.ts";
import { sentLabelOf } from "./sent-label.ts";
import { labelReview } from "./review-label.ts";
import { toPurchase } from "./view.ts";

/**
 * The outbound operation of a label purchase. `outbound/` decides when each step runs: the transactions
 * around the one call, the lease and fence, and the lookup of unknown outcomes.
 */
export function labelPurchase(
  platform: Platform,
): OutboundOperation<LabelPurchaseInput, LabelRequest, SoldLabel, StoredResponse> {
  const descriptorOf = (input: LabelPurchaseInput) =>
    descriptorUnder(platform.carriers.get(input.carrier).descriptor, input.look_up?.connection_id);

  return {
    kind: "label_purchase",
    timeoutSeconds: (input) => descriptorOf(input).purchaseTimeoutSeconds,
    withoutConnection: (input) => connectionGone(descriptorOf(input).name, input.rate.service),
    lookUp: (input, account_id) =>
      lookUpOf(platform, descriptorOf(input).lookUp, { account_id, input }),
    review: labelReview(platform),

    send(attempt, request, signal) {
      platform.metrics.carrier_calls.inc({ carrier: attempt.party, operation: "label" });
      return platform.carriers.get(attempt.party).buyLabel(request, signal);
    },

    recovery: {
      by: "find",
      async find(attempt, signal) {
        const { party } = attempt;
        platform.metrics.carrier_calls.inc({ carrier: party, operation: "find_label" });
        const sent = await sentLabelOf(platform, attempt);
        const found = await platform.carriers.get(party).lookUpLabel(sent, signal);
        if (found?.state === "voided") return undone;
        return found && soldAs(found, sent.look_up.pieces);
      },
    },

    async undo({ account_id, party, reference, input }, label, signal) {
      platform.metrics.carrier_calls.inc({ carrier: party, operation: "void" });
      const { carrier_label_id, tracking_code, carrier_data } = label;
      const { connection_id } = input.look_up ?? {};
      const { environment } = input;
      const context = await contextOn(platform, { account_id, environment, connection_id });
      await platform.carriers
        .get(party)
        .voidLabel({ context, reference, carrier_label_id, tracking_code, carrier_data }, signal);
    },

    canUndo: (input) => descriptorOf(input).voids.kind === "api",
    keptAs: keptLabel,
    complete: completed,

    mismatchIn: (attempt, label) => mismatchInLabel(platform, attempt, label),
    mismatchBy: (error, attempt, label) => takenCode(error, attempt, label),

    keep: (attempt, label) => storeDocuments(platform, attempt, label),

    settle: (tx, effects) => finalize(platform, tx, effects),
    settles_together: true,

    release: (tx, attempt, failure) => reopen(platform, tx, { attempt, failure }),

    async suspend(tx, attempt) {
      const { account_id, input } = attempt;
      await moveShipment(
        tx,
        { account_id, id: input.shipment_id },
        {
          status: "purchase_pending",
          updated_at: platform.clock.now(),
          by: attempt,
        },
      );
    },
  };
}

/** The carrier issued no label: the hold is released, and the shipment is a draft again with the reason. */
async function reopen(
  platform: Platform,
  tx: Tx,
  { attempt, failure }: { attempt: Attempt<LabelPurchaseInput>; failure: Failure },
): Promise<void> {
  const { account_id, input } = attempt;
  const row = await moveShipment(
    tx,
    { account_id, id: input.shipment_id },
    {
      status: "draft",
      updated_at: platform.clock.now(),
      last_error: json({
        code: "carrier_error",
        carrier: failure.party,
        carrier_code: failure.party_code,
        message: failure.message,
      }),
      by: attempt,
    },
  );
  if (row) await recordEvent(tx, failedEvent(attempt, row, failure));
  await release(tx, account_id, input.hold_id);
}

function failedEvent(attempt: Origin, row: ShipmentRow, failure: Failure): Event {
  return {
    account_id: row.account_id,
    type: "shipment.purchase_failed",
    subject_id: row.id,
    data: {
      ...shipmentFacts(row),
      previous_status: "draft",
      carrier: failure.party,
      error: { code: "carrier_error", carrier_code: failure.party_code },
    },
    by: attempt,
  };
}

function debitOf(
  { account_id, input }: Attempt<LabelPurchaseInput>,
  label: SoldLabel,
  { id, at }: { id: string; at: Date },
) {
  const { price, rate, shipment_id, carrier } = input;
  const { tracking_code, carrier_label_id } = label;
  const cost = costOf(input, label);
  // Of a label that is more expensive than quoted and was kept.
  const loss = Math.max(0, cost - price.carrier_cost_cents);
  return {
    account_id,
    id,
    type: label.booking ? ("ltl" as const) : ("label" as const),
    subtotal_cents: price.subtotal_cents,
    tax_cents: price.tax_cents,
    currency: price.currency,
    description: `${rate.service_name} ${tracking_code}`,
    shipment_id,
    details: { carrier, service: rate.service, tracking_code, carrier_label_id },
    entries: [
      { book: "credits" as const, amount_cents: -price.total_cents },
      { book: "postage_revenue" as const, amount_cents: price.subtotal_cents },
      { book: "tax_payable" as const, amount_cents: price.tax_cents },
      // The carrier's charge, which may be less than its quote.
      { book: "carrier_costs" as const, amount_cents: loss - cost },
      ...(loss > 0 ? [{ book: "losses" as const, amount_cents: -loss }] : []),
      { book: "carrier_payable" as const, amount_cents: cost },
    ],
    at,
  };
}

function saleOf(
  platform: Platform,
  { attempt, result: label }: Effect<LabelPurchaseInput, SoldLabel>,
  at: Date,
): Sale {
  const { account_id, reference, input } = attempt;
  const { rate, price } = input;
  const { booking } = label;
  return {
    account_id,
    id: input.shipment_id,
    status: purchasedStatus(booking ? "ltl" : "courier"),
    service: rate.service,
    service_name: rate.service_name,
    carrier: input.carrier,
    add_ons: input.add_ons,
    selected_rate: rate,
    label_format: formatOf(input, label),
    label_size: booking ? null : (input.label_size ?? null),
    documents: documentsOf(label),
    tracking_code: label.tracking_code,
    confirmation_number: booking?.confirmation_number ?? null,
    bol_number: booking?.bol_number ?? null,
    pro_number: booking?.pro_number ?? null,
    package_codes: booking ? null : label.package_tracking_codes,
    purchase_reference: reference,
    carrier_label_id: label.carrier_label_id,
    cost_subtotal_cents: price.subtotal_cents,
    cost_tax_cents: price.tax_cents,
    cost_total_cents: price.total_cents,
    cost_currency: price.currency,
    carrier_cost_cents: costOf(input, label),
    connection_id: input.look_up?.connection_id ?? null,
    cost_unconfirmed: !isCostTold(input, label),
    carrier_data: dataToStore(platform, attempt, label.carrier_data),
    at,
  };
}

/**
 * What the carrier charges, in the account's currency, which the books are in; what it quoted, where it does not
 * say, or in another currency.
 */
function costOf(input: LabelPurchaseInput, { cost }: SoldLabel): Cents {
  const { price, cost_rate } = input;
  return isCostTold(input, { cost })
    ? costOfCharge(price, cost!.amount_cents, cost_rate)
    : price.carrier_cost_cents;
}

function isCostTold({ price }: LabelPurchaseInput, { cost }: Pick<SoldLabel, "cost">): boolean {
  return cost?.currency === expectedCharge(price).currency;
}

/**
 * The labels, or the bookings, of an account exist: they are debited, recorded with the shipments, and the
 * responses stored for the keys that asked for them.
 */
async function finalize(
  platform: Platform,
  tx: Tx,
  effects: readonly Effect<LabelPurchaseInput, SoldLabel>[],
): Promise<StoredResponse[]> {
  const at = platform.clock.now();
  const sales = effects.map((effect) => ({
    sale: saleOf(platform, effect, at),
    by: effect.attempt,
  }));
  const rows = await markPurchased(tx, sales);
  const sold = effects.map(({ attempt, result }, place) => ({
    attempt,
    label: result,
    row: rows[place]!,
    transaction_id: newId("txn", at),
  }));
  await startTracking(
    platform,
    tx,
    sold.map(({ attempt, row }) => ({ row, environment: attempt.input.environment })),
  );
  await awaitFiles(tx, effects, at);
  await reviewFlaws(platform, tx, effects);
  await recordEvents(tx, sold.map(eventOf));
  // A commit never lists a file that a power cut could take away.
  await Promise.all(effects.map(({ stored }) => stored));
  // The balance comes last: every other purchase of the account waits from here to the commit.
  const debits = sold.map((each) => ({
    hold_id: each.attempt.input.hold_id,
    posting: debitOf(each.attempt, each.label, { id: each.transaction_id, at }),
  }));
  const and_commit = sold.every(({ attempt }) => attempt.idempotency_key === null);
  const posted = await captureAll(tx, debits, { and_commit });
  return Promise.all(
    sold.map(({ attempt, row }, place) =>
      recordOutcome(
        tx,
        attempt,
        answer(
          201,
          Purchase,
          toPurchase(platform, { row, posted: posted[place]!, rate: attempt.input.rate }),
        ),
      ),
    ),
  );
}

function eventOf({
  attempt,
  label,
  row,
  transaction_id,
}: {
  attempt: Attempt<LabelPurchaseInput>;
  label: SoldLabel;
  row: ShipmentRow;
  transaction_id: string;
}): Event {
  const { price } = attempt.input;
  const subject = { account_id: attempt.account_id, subject_id: row.id, by: attempt };
  const data = {
    ...shipmentFacts(row),
    previous_status: "draft" as const,
    ...labelFacts(row),
    total: fromCents(price.total_cents),
    currency: price.currency,
    transaction_id,
  };
  if (!label.booking) return { ...subject, type: "shipment.purchased", data };
  const { confirmation_number, bol_number, pro_number } = row;
  const booking = { confirmation_number, bol_number, pro_number };
  return { ...subject, type: "ltl.booked", data: { ...data, ...booking } };
}
