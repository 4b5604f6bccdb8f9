import { CarrierError, descriptorUnder, type LabelRequest } from "../../carriers/carrier.ts";
import { aboutSubject } from "../../domain/logs/call-subject.ts";
import type { AccountContext } from "../../context.ts";
import { isRefused } from "../../database/refusals.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { goodsIn, needsRates } from "../../domain/limits/goods-in-currency.ts";
import { expectedCharge } from "../../domain/pricing/pricing.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { fromCents, toCents } from "../../domain/values/money.ts";
import type { StoredResponse } from "../../http/idempotency.ts";
import { newHold } from "../../ledger/holds.ts";
import type { PreparedAttempt } from "../../outbound/begin.ts";
import { performAll, type Performed } from "../../outbound/outbound.ts";
import { quotedAtCharge, refuseAboveCap, type Quoted } from "../quotes/primary-quote.ts";
import { shipmentDigest, shipmentForCarrier } from "../quotes/quote-shipment.ts";
import { carrierRefusal } from "../../shipping/shipments/carrier-refusal.ts";
import { searchOf } from "../../shipping/shipments/label-ref.ts";
import { purchasePending } from "../../shipping/shipments/purchase-conflicts.ts";
import { reserveForPurchase } from "../../shipping/shipments/purchase-store.ts";
import { getShipment, type ShipmentRow } from "../../shipping/shipments/store.ts";
import { refuseUnlessBuyable } from "./buyable.ts";
import { needsInvoice } from "./invoice.ts";
import { labelPurchase } from "./label-purchase.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";
import type { BuyLabel } from "./schemas.ts";

/** The purchase of one label at a chosen quote. */

interface Purchase {
  row: ShipmentRow;
  quoted: Quoted;
  choice: BuyLabel;
  idempotency_key: string | null;
}

/**
 * How the caller of a purchase records its attempt, by which the outcome is found later: in the purchase's
 * first transaction, where it may refuse, and together for all that share the function and the transaction.
 */
interface AttemptNote<Of = unknown> {
  of: Of;
  writeAll(tx: Tx, notes: readonly { of: Of; attempt_id: string }[]): Promise<void>;
}

/**
 * Buys at a quote, for a request or for a batch. A carrier that turns out more expensive is asked once more where its
 * price is within `expected_total` (decision 8). Throws like `buyLabel`, and what `note` throws.
 */
export async function buyAtQuote<Of>(
  ctx: AccountContext,
  purchase: Purchase & { note?: AttemptNote<Of> },
): Promise<StoredResponse> {
  const { row, quoted, choice } = purchase;
  const performed = await performPurchase(ctx, purchase);
  const risen = performed.result === "refused" ? risenPrice(ctx, quoted, performed) : null;
  const isAccepted =
    risen !== null &&
    choice.expected_total != null &&
    risen.cost.total_cents <= toCents(choice.expected_total);
  if (isAccepted) refuseAboveCap(row, choice, risen.cost);
  const ended = isAccepted ? await performPurchase(ctx, { ...purchase, quoted: risen }) : performed;
  if (ended.result === "settled") return ended.outcome;
  if (ended.result === "unknown") throw purchasePending({ id: row.id, status: "purchase_pending" });
  throw refusedBy(ctx, isAccepted ? risen : quoted, ended);
}

async function performPurchase<Of>(
  ctx: AccountContext,
  { note, ...purchase }: Purchase & { note?: AttemptNote<Of> },
): Promise<Performed<StoredResponse>> {
  const { row, quoted, idempotency_key } = purchase;
  const id = newId("att");
  const { descriptor: own } = ctx.carriers.get(quoted.carrier);
  const descriptor = descriptorUnder(own, quoted.connection?.id);
  if (needsRates(row, descriptor, ctx.account.currency)) await ctx.exchange.fresh();
  const [performed] = await orLostRace(
    ctx,
    row,
    aboutSubject({ keeps_bodies: ctx.account.settings.request_log_bodies === "on" }, () =>
      performAll(ctx.outbound, labelPurchase(ctx), {
        account_id: row.account_id,
        idempotency_key,
        by: originOf(ctx),
        subject_id: row.id,
        wanted: {
          row,
          at: ctx.clock.now(),
          note,
          attempt: { ...purchaseOf(ctx, { ...purchase, reference: id }), id },
        },
        prepare: reserveShipments,
      }),
    ),
  );
  return performed!;
}

interface WantedLabel {
  row: ShipmentRow;
  at: Date;
  note: AttemptNote | undefined;
  attempt: PreparedAttempt<LabelPurchaseInput, LabelRequest>;
}

/** Marks each shipment as having its one label purchase. */
async function reserveShipments(
  tx: Tx,
  wanted: readonly WantedLabel[],
): Promise<WantedLabel["attempt"][][]> {
  const noted = wanted.flatMap(({ note, attempt }) =>
    note ? [{ ...note, attempt_id: attempt.id }] : [],
  );
  for (const [writeAll, notes] of Map.groupBy(noted, (each) => each.writeAll))
    await writeAll(tx, notes);
  await reserveForPurchase(
    tx,
    wanted.map(({ row, at }) => ({ ...row, at })),
  );
  return wanted.map(({ attempt }) => [attempt]);
}

/** What the attempt stores, the request to its carrier, and the money to hold for it. */
export function purchaseOf(
  ctx: AccountContext,
  { row, quoted, choice, idempotency_key, reference }: Purchase & { reference: string },
) {
  const { carrier } = quoted;
  const hold = newHold(quoted.cost.total_cents);
  const label_format = choice.label_format ?? row.label_format ?? "pdf";
  const label_size = choice.label_size ?? row.label_size ?? "4x6";
  const descriptor = descriptorUnder(ctx.carriers.get(carrier).descriptor, quoted.connection?.id);
  const money = { currency: ctx.account.currency, exchange: ctx.exchange.known() };
  const shipment = goodsIn(shipmentForCarrier(row, ctx.clock.now()), descriptor, money);
  const input: LabelPurchaseInput = {
    shipment_id: row.id,
    hold_id: hold.id,
    carrier,
    environment: ctx.account.environment,
    rate: quoted.rate,
    price: quoted.cost,
    ...costRateOf(quoted),
    add_ons: quoted.add_ons,
    package_count: row.packages.length,
    label_format,
    label_size,
    has_invoice: needsInvoice(row),
    look_up: {
      connection_id: quoted.connection?.id ?? null,
      ...searchOf(row, {
        ship_date: shipment.ship_date,
        carrier_service_code: quoted.service.carrier_service_code,
      }),
    },
  };
  const message = {
    context: {
      account_id: row.account_id,
      environment: ctx.account.environment,
      connection: quoted.connection,
    },
    reference,
    references: {
      account_id: row.account_id,
      shipment_id: row.id,
      shipment_digest: shipmentDigest(row),
      idempotency_key,
    },
    shipment,
    ship_code: row.ship_code,
    service: quoted.service,
    add_ons: quoted.add_ons,
    label_format,
    label_size,
    quote_number: quoted.captured.freight?.quote_number,
    expected_cost: expectedCharge(quoted.cost),
  };
  return { subject_id: row.id, party: carrier, input, message, hold };
}

/** By what the carrier's charge becomes a cost in the books; nothing where it is one already. */
function costRateOf({ captured: { cost_rate, billed_by } }: Quoted): { cost_rate?: number } {
  if (billed_by === "carrier") return { cost_rate: 0 };
  return cost_rate === undefined ? {} : { cost_rate };
}

/**
 * Throws the error for a shipment that was bought, voided, changed or deleted concurrently since it was read.
 */
export async function orLostRace<T>(
  { db }: AccountContext,
  row: ShipmentRow,
  purchase: Promise<T>,
): Promise<T> {
  try {
    return await purchase;
  } catch (error) {
    if (!isRefused(error, "shipment_changed")) throw error;
    const now = await getShipment(db, row.account_id, row.id);
    refuseUnlessBuyable(now);
    throw new ApiError("conflict", {
      message: "The shipment was changed while its label was being bought; nothing was bought.",
      details: { status: now.status },
    });
  }
}

type Refused = Extract<Performed<never>, { result: "refused" }>;

/** The price at which the carrier would have sold; null where it refused for another reason, or did not say. */
function risenPrice(ctx: AccountContext, quoted: Quoted, { failure, error }: Refused) {
  const actual = error instanceof CarrierError ? error.actual_cost : null;
  if (failure.party_code !== "price_changed" || !actual) return null;
  if (actual.currency !== expectedCharge(quoted.cost).currency) return null;
  return quotedAtCharge(ctx, quoted, actual.amount_cents);
}

function refusedBy(ctx: AccountContext, quoted: Quoted, refused: Refused): ApiError {
  if (refused.failure.party_code !== "price_changed")
    return carrierRefusal(refused.failure, refused.error);
  const risen = risenPrice(ctx, quoted, refused);
  return rateChanged(quoted, {
    expected_total: fromCents(quoted.cost.total_cents),
    total: risen && fromCents(risen.cost.total_cents),
  });
}

/**
 * 409 `rate_changed`. Totals are amounts in the quote's currency; `total` is null where the service has no price
 * any more.
 */
export function rateChanged(
  { rate, cost }: Quoted,
  totals: { expected_total: number; total: number | null },
): ApiError {
  return new ApiError("rate_changed", {
    details: { service: rate.service, ...totals, currency: cost.currency },
  });
}
