import { lookupSeconds } from "../../outbound/deadline.ts";
import {
  descriptorUnder,
  type CallContext,
  type ListedLabel,
  type SentLabel,
} from "../../carriers/carrier.ts";
import type { Context } from "../../context.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { carrierCharge, dearerBy } from "../../domain/pricing/captured-rate.ts";
import type { Tx } from "../../database/tables.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { priceRate } from "../../domain/pricing/pricing.ts";
import { toReview } from "../../outbound/open-attempts.ts";
import type { Attempt, Failure } from "../../outbound/operation.ts";
import { perform, recordExisting } from "../../outbound/outbound.ts";
import type { DueAttempt } from "../../outbound/recovery-store.ts";
import { type Quoted } from "../quotes/primary-quote.ts";
import { quoteShipment } from "../quotes/quote-shipment.ts";
import { sentLabelOfList } from "../../shipping/shipments/label-ref.ts";
import { contextInForce, contextOn } from "../../shipping/connections/connection-book.ts";
import { reserveForPurchase } from "../../shipping/shipments/purchase-store.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";
import { orLostRace, purchaseOf } from "./buy-at-quote.ts";
import { soldAs, type SoldLabel } from "./label-files.ts";
import type { LabelPurchaseInput } from "./label-purchase-input.ts";
import { labelPurchase } from "./label-purchase.ts";

/**
 * A label that a carrier issued and that this database lost when it was restored, of a shipment that it has
 * as a draft. The context's clock is set to the moment of the purchase.
 */
interface MissingLabel {
  carrier: string;
  label: ListedLabel;
  row: ShipmentRow;
  /** Where the journal names it, and no list of the carrier's. */
  noted?: NotedPurchase;
}

/** What the journal says of a purchase beyond what a carrier's list does. */
export interface NotedPurchase {
  connection_id: string | null;
  /** Null where only its void is noted. */
  look_up: SentLabel["look_up"] | null;
  /** What the carrier answered; null where that is not known. */
  sold: SoldLabel | null;
}

/**
 * The account's price for it. The price shown to the client is lost with the purchase, so the shipment is
 * rated again, with what the carrier charged: the account pays what it paid, unless its margins were changed
 * after the backup. Throws 422 `unserviceable`, with the exclusion in its details.
 */
export async function priceOfMissingLabel(ctx: Context, missing: MissingLabel): Promise<Quoted> {
  const { carrier, label, row } = missing;
  const { descriptor } = ctx.carriers.get(carrier);
  const service = descriptor.services.find(
    (each) =>
      each.carrier_service_code === label.carrier_service_code &&
      each.origins.includes(row.from_address.country_code),
  );
  if (!service)
    throw new ApiError("unserviceable", { details: { service: label.carrier_service_code } });
  // A service that was disabled since was available at the purchase.
  const settings = { ...ctx.account.settings, disabled_services: [] };
  const account = { ...ctx.account, settings };
  const options = { only_service: service.code };
  const { captured, excluded } = await quoteShipment({ ...ctx, account }, row, options);
  const now = captured[0];
  if (!now) {
    const { message, retryable } = excluded[0] ?? { message: undefined, retryable: false };
    throw new ApiError("unserviceable", { message, details: { retryable } });
  }
  const expected = carrierCharge(now, label.add_ons);
  if (expected.currency !== label.cost.currency)
    throw new ApiError("unserviceable", { message: "It was sold in another currency." });
  const then = dearerBy(now, label.cost.amount_cents - expected.amount_cents);
  const terms = { settings, add_ons: label.add_ons, now: ctx.clock.now() };
  const { connection } = await contextOf(ctx, missing);
  return {
    ...priceRate(then, terms),
    captured: then,
    add_ons: label.add_ons,
    carrier,
    service,
    connection,
  };
}

/**
 * Records the purchase as if its response had just arrived. Returns the reason for a failure: the label turns
 * out not to be as requested, and is then voided, or the outcome is unknown. Throws 402 when the account
 * cannot pay for it.
 */
export async function restoreLabel(
  ctx: Context,
  missing: MissingLabel,
  quoted: Quoted,
): Promise<Failure | null> {
  const result = await fetchLabel(ctx, missing);
  const request = requestOf(ctx, missing, quoted);
  const booking = recordExisting(ctx.outbound, labelPurchase(ctx), { ...request, result });
  const performed = await orLostRace(ctx, missing.row, booking);
  return performed.result === "settled" ? null : performed.failure;
}

/**
 * Records a purchase of which nobody knows whether the carrier made it: its money is held, an operator decides, and a
 * label that shows before that settles. Throws 402 when the account cannot pay for it.
 */
export async function restoreUnheard(
  ctx: Context,
  missing: MissingLabel,
  quoted: Quoted,
): Promise<void> {
  const operation = labelPurchase(ctx);
  let unheard: Attempt<LabelPurchaseInput> | null = null;
  const silent = {
    ...operation,
    settles_together: false,
    send(attempt: Attempt<LabelPurchaseInput>): Promise<never> {
      unheard = attempt;
      return Promise.reject(new Error("its answer was lost with the database"));
    },
  };
  const purchase = perform(ctx.outbound, silent, requestOf(ctx, missing, quoted));
  await orLostRace(ctx, missing.row, purchase);
  const attempt = { ...unheard!, kind: operation.kind, status: "unknown" } as unknown as DueAttempt;
  const lookUp = await operation.lookUp(unheard!.input, ctx.account.account_id);
  await toReview(ctx.outbound, operation, { attempt, look_seconds: lookUp ? 1 : null });
}

function requestOf(ctx: Context, { label, row }: MissingLabel, quoted: Quoted) {
  const { reference, references, bought_at, label_format } = label;
  const { idempotency_key } = references;
  const purchase = { row, quoted, choice: { label_format }, idempotency_key, reference };
  return {
    account_id: row.account_id,
    idempotency_key,
    by: originOf(ctx),
    async prepare(tx: Tx) {
      await reserveForPurchase(tx, [{ ...row, at: ctx.clock.now() }]);
      return purchaseOf(ctx, purchase);
    },
    known: { reference, at: bought_at },
  };
}

/** On what its carrier is asked about it. */
function contextOf(ctx: Context, { carrier, noted }: MissingLabel): Promise<CallContext> {
  const { account_id, environment } = ctx.account;
  if (!noted) return contextInForce(ctx, ctx.account, carrier);
  return contextOn(ctx, { account_id, environment, connection_id: noted.connection_id });
}

async function fetchLabel(ctx: Context, missing: MissingLabel): Promise<SoldLabel> {
  const { carrier, noted } = missing;
  const sent = await sentOf(ctx, missing);
  const adapter = ctx.carriers.get(carrier);
  const sold = noted?.sold ?? null;
  const { by } = descriptorUnder(adapter.descriptor, sent.context.connection?.id).lookUp;
  if (sold && by === "none") return sold;
  ctx.metrics.carrier_calls.inc({ carrier, operation: "find_label" });
  const looking = adapter.lookUpLabel(sent, AbortSignal.timeout(lookupSeconds * 1000));
  // Its answer was noted: what a lookup does not show, or cannot, says nothing.
  const found = await (sold ? looking.catch(() => null) : looking);
  if (found?.state === "voided" || !(found ?? sold))
    throw new Error("the label was voided during its lookup");
  const shown = found && soldAs(found, sent.look_up.pieces);
  if (!sold) return shown!;
  return shown ? { ...sold, cost: sold.cost ?? shown.cost, files: shown.files } : sold;
}

async function sentOf(ctx: Context, missing: MissingLabel): Promise<SentLabel> {
  const { row, label, noted } = missing;
  const context = await contextOf(ctx, missing);
  const sent = sentLabelOfList(row, label, context);
  return noted?.look_up ? { ...sent, look_up: noted.look_up } : sent;
}
