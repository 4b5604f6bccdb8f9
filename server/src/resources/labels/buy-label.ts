import { CarrierError } from "../../carriers/carrier.ts";
import type { AccountContext, Context } from "../../context.ts";
import type { Tx } from "../../database/tables.ts";
import { addProblem, ApiError, throwIfAny, type Problems } from "../../domain/errors.ts";
import { lorryProblems } from "../../domain/freight-rules.ts";
import { newId } from "../../domain/ids.ts";
import { fromCents, toCents } from "../../domain/money.ts";
import type { Answer } from "../../http/idempotency.ts";
import { newHold } from "../../ledger/ledger.ts";
import type { Failure } from "../../outbound/operation.ts";
import { performTogether } from "../../outbound/outbound.ts";
import {
  primaryQuote,
  shipmentDigest,
  shipmentForCarrier,
  totalAtCost,
  type Quoted,
} from "../rates/service.ts";
import { ruleBeforePurchase } from "../rules/service.ts";
import {
  alreadyLabelled,
  carrierRefusal,
  changeShipment,
  claimForPurchase,
  getShipment,
  isLostRace,
  lockShipment,
  problemsOfStored,
  purchasePending,
  type ShipmentRow,
} from "../shipments/service.ts";
import { addAll } from "../../domain/shipment-rules.ts";
import { isLabelled } from "../../domain/shipment-states.ts";
import type { ShipmentType } from "../../domain/shipment-status.ts";
import { needsInvoice } from "./invoice.ts";
import { labelPurchase, type LabelPurchaseInput } from "./label-purchase.ts";
import type { BuyLabel } from "./schemas.ts";

/**
 * Buys the label of one shipment at the account's primary quoted rate (spec 4.14, decision 8). One
 * shipment has at most one live label, with or without a key: 409 `already_labelled`. Refusals by us
 * (402, 409, 422) leave no trace; the carrier's refusal gives the money back and answers 502; an
 * outcome that nobody heard answers 409 `purchase_pending` while recovery looks it up.
 */
export async function buyLabel(
  ctx: Context,
  shipmentId: string,
  choice: BuyLabel,
): Promise<Answer> {
  const found = await getShipment(ctx.db, ctx.account.account_id, shipmentId);
  throwIfAny(courierOptions(found.type, choice));
  refuseUnlessBuyable(found);
  refuseMissedPickup(ctx, found);
  const row = await readyToBuy(ctx, found);
  const quoted = await primaryQuote(ctx, row, choice);
  guardPrice(quoted, choice.expected_total);
  const idempotency_key = ctx.claim?.key ?? null;
  const bought = await buyAtQuote(ctx, { row, quoted, choice, idempotency_key });
  if (ctx.claim) ctx.claim.recorded = bought;
  return bought;
}

/**
 * The one place that every purchase passes before anybody is asked for a price: the shipment as the
 * account's rules leave it. Throws like `buyLabel`, and 422 `rejected_by_rule`.
 */
export async function readyToBuy(
  ctx: AccountContext,
  row: ShipmentRow,
  asked_by: "shipment" | "batch" = "shipment",
): Promise<ShipmentRow> {
  refuseUnlessBuyable(row);
  const ruled = await ruleBeforePurchase(ctx, row, { asked_by, hands });
  refuseUnlessBuyable(ruled);
  return ruled;
}

const hands = { lockShipment, changeShipment, problemsOf: problemsOfStored };

interface Purchase {
  row: ShipmentRow;
  quoted: Quoted;
  choice: BuyLabel;
  idempotency_key: string | null;
}

/**
 * How whoever asks for a purchase notes its attempt, by which the outcome is found later: in the purchase's
 * first transaction, where it may refuse, and for all who note in the same way and moment at once.
 */
export interface AttemptNote<Of = unknown> {
  of: Of;
  writeAll(tx: Tx, notes: readonly { of: Of; attempt_id: string }[]): Promise<void>;
}

/** Buys at a quote, for whoever is asking: a request, or a batch. Throws like `buyLabel`, and what `note` throws. */
export async function buyAtQuote<Of>(
  ctx: AccountContext,
  { note, ...purchase }: Purchase & { note?: AttemptNote<Of> },
): Promise<Answer> {
  const { row, quoted, idempotency_key } = purchase;
  const id = newId("att");
  const performed = await orLostRace(
    ctx,
    row,
    performTogether(ctx.outbound, labelPurchase(ctx), {
      account_id: row.account_id,
      idempotency_key,
      prepared: { ...purchaseOf(ctx, { ...purchase, reference: id }), id },
      claim: { row, at: ctx.clock.now(), attempt_id: id, note: note as AttemptNote | undefined },
      writeClaims,
    }),
  );
  switch (performed.result) {
    case "settled":
      return performed.outcome;
    case "unknown":
      throw purchasePending({ id: row.id, status: "purchase_pending" });
    case "refused":
      throw refusedBy(ctx, quoted, performed);
  }
}

interface PurchaseClaim {
  row: ShipmentRow;
  at: Date;
  attempt_id: string;
  note: AttemptNote | undefined;
}

/** Claims the one label of each shipment. */
async function writeClaims(tx: Tx, claims: readonly PurchaseClaim[]): Promise<void> {
  const noted = claims.flatMap(({ note, attempt_id }) => (note ? [{ ...note, attempt_id }] : []));
  for (const [writeAll, notes] of Map.groupBy(noted, (each) => each.writeAll))
    await writeAll(tx, notes);
  await claimForPurchase(
    tx,
    claims.map(({ row, at }) => ({ ...row, at })),
  );
}

/** Throws 409 for a shipment that is held, or of which there is more than a draft. */
export function refuseUnlessBuyable(row: ShipmentRow): void {
  if (row.status === "draft" && row.on_hold)
    throw new ApiError("on_hold", { details: { shipment_id: row.id, status: row.status } });
  if (row.status === "draft") return;
  if (isLabelled(row.status)) throw alreadyLabelled(row);
  if (row.status === "purchasing" || row.status === "purchase_pending") throw purchasePending(row);
  throw new ApiError("conflict", {
    message: `The shipment is ${row.status}; create a new one to ship again.`,
    details: { status: row.status },
  });
}

/** What only a label has, by field, where a booking is asked for (decision 8). */
export function courierOptions(type: ShipmentType | null, choice: BuyLabel): Problems {
  const problems: Problems = {};
  if (type !== "ltl") return problems;
  const { add_ons, label_format, label_size } = choice;
  const given = { add_ons: add_ons?.length ? add_ons : null, label_format, label_size };
  for (const [field, value] of Object.entries(given))
    if (value != null) addProblem(problems, field, "is for courier shipments only.");
  return problems;
}

/** A draft may lie until its lorry cannot come any more. */
function refuseMissedPickup({ clock }: Context, row: ShipmentRow): void {
  const problems: Problems = {};
  addAll(problems, "pickup", lorryProblems(row, clock.now()));
  throwIfAny(problems);
}

function guardPrice(quoted: Quoted, expectedTotal: number | null | undefined): void {
  if (expectedTotal === null || expectedTotal === undefined) return;
  const { total_cents } = quoted.cost;
  if (total_cents > toCents(expectedTotal)) {
    throw rateChanged(quoted, { expected_total: expectedTotal, total: fromCents(total_cents) });
  }
}

function rateChanged(
  { rate, cost }: Quoted,
  totals: { expected_total: number; total: number | null },
): ApiError {
  return new ApiError("rate_changed", {
    details: { service: rate.service, ...totals, currency: cost.currency },
  });
}

/** What the attempt stores, what its carrier is told, and what money to hold for it. */
export function purchaseOf(
  ctx: AccountContext,
  { row, quoted, choice, idempotency_key, reference }: Purchase & { reference: string },
) {
  const { carrier } = quoted;
  const hold = newHold(quoted.cost.total_cents);
  const labelFormat = choice.label_format ?? "pdf";
  const input: LabelPurchaseInput = {
    shipment_id: row.id,
    hold_id: hold.id,
    carrier,
    environment: ctx.account.environment,
    rate: quoted.rate,
    price: quoted.cost,
    add_ons: quoted.add_ons,
    label_format: labelFormat,
    has_invoice: needsInvoice(row),
  };
  const message = {
    context: { account_id: row.account_id, environment: ctx.account.environment },
    reference,
    references: {
      account_id: row.account_id,
      shipment_id: row.id,
      shipment_digest: shipmentDigest(row),
      idempotency_key,
    },
    shipment: shipmentForCarrier(row, ctx.clock.now()),
    ship_code: row.ship_code,
    service: quoted.service,
    add_ons: quoted.add_ons,
    label_format: labelFormat,
    label_size: choice.label_size ?? "4x6",
    quote_number: quoted.captured.freight?.quote_number,
    expected_cost: { amount_cents: quoted.cost.carrier_cost_cents, currency: quoted.cost.currency },
  };
  return { subject_id: row.id, party: carrier, input, message, hold };
}

/** Throws what it means that somebody else bought, voided, changed or deleted the shipment since we read it. */
export async function orLostRace<T>(
  { db }: AccountContext,
  row: ShipmentRow,
  purchase: Promise<T>,
): Promise<T> {
  try {
    return await purchase;
  } catch (error) {
    if (!isLostRace(error)) throw error;
    const now = await getShipment(db, row.account_id, row.id);
    refuseUnlessBuyable(now);
    throw new ApiError("conflict", {
      message: "The shipment was changed while its label was being bought; nothing was bought.",
      details: { status: now.status },
    });
  }
}

function refusedBy(
  ctx: AccountContext,
  quoted: Quoted,
  { failure, error }: { failure: Failure; error: unknown },
): ApiError {
  if (failure.party_code !== "price_changed") return carrierRefusal(failure, error);
  const { cost } = quoted;
  const actual = error instanceof CarrierError ? error.actual_cost : null;
  return rateChanged(quoted, {
    expected_total: fromCents(cost.total_cents),
    total:
      actual?.currency === cost.currency
        ? fromCents(totalAtCost(ctx, quoted, actual.amount_cents))
        : null,
  });
}
