import type { ListedLabel } from "../../carriers/carrier.ts";
import type { Context } from "../../context.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { carrierCharge, dearerBy } from "../../domain/pricing/captured-rate.ts";
import { ApiError } from "../../domain/errors/errors.ts";
import { priceRate } from "../../domain/pricing/pricing.ts";
import type { Failure } from "../../outbound/operation.ts";
import { recordExisting } from "../../outbound/outbound.ts";
import { type Quoted } from "../quotes/primary-quote.ts";
import { quoteShipment } from "../quotes/quote-shipment.ts";
import { sentLabelOfList } from "../../shipping/shipments/label-ref.ts";
import { contextInForce } from "../../shipping/connections/connection-book.ts";
import { reserveForPurchase } from "../../shipping/shipments/purchase-store.ts";
import { type ShipmentRow } from "../../shipping/shipments/store.ts";
import { orLostRace, purchaseOf } from "./buy-at-quote.ts";
import { soldAs, type SoldLabel } from "./label-files.ts";
import { labelPurchase } from "./label-purchase.ts";

/**
 * A label that a carrier issued and that this database lost when it was restored, of a shipment that it has
 * as a draft. The context's clock is set to the moment of the purchase.
 */
export interface MissingLabel {
  carrier: string;
  label: ListedLabel;
  row: ShipmentRow;
}

/**
 * The account's price for it. The price shown to the client is lost with the purchase, so the shipment is
 * rated again, with what the carrier charged: the account pays what it paid, unless its margins were changed
 * after the backup. Throws 422 `unserviceable`, with the exclusion in its details.
 */
export async function priceOfMissingLabel(
  ctx: Context,
  { carrier, label, row }: MissingLabel,
): Promise<Quoted> {
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
  const { connection } = await contextInForce(ctx, account, carrier);
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
  { label, row, carrier }: MissingLabel,
  quoted: Quoted,
): Promise<Failure | null> {
  const { reference, references, bought_at, label_format } = label;
  const found = await fetchLabel(ctx, { carrier, label, row });
  const { idempotency_key } = references;
  const purchase = { row, quoted, choice: { label_format }, idempotency_key, reference };
  const booking = recordExisting(ctx.outbound, labelPurchase(ctx), {
    account_id: row.account_id,
    idempotency_key,
    by: originOf(ctx),
    async prepare(tx) {
      await reserveForPurchase(tx, [{ ...row, at: ctx.clock.now() }]);
      return purchaseOf(ctx, purchase);
    },
    known: { reference, at: bought_at },
    result: found,
  });
  const performed = await orLostRace(ctx, row, booking);
  return performed.result === "settled" ? null : performed.failure;
}

async function fetchLabel(ctx: Context, missing: MissingLabel): Promise<SoldLabel> {
  const { carrier, label, row } = missing;
  ctx.metrics.carrier_calls.inc({ carrier, operation: "find_label" });
  const sent = sentLabelOfList(row, label, await contextInForce(ctx, ctx.account, carrier));
  const found = await ctx.carriers.get(carrier).lookUpLabel(sent, AbortSignal.timeout(8000));
  if (!found || found.state === "voided") throw new Error("the label was voided during its lookup");
  return soldAs(found, sent.look_up.pieces);
}
