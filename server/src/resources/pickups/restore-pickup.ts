import type { ListedPickup } from "../../carriers/pickups.ts";
import type { CallContext } from "../../carriers/carrier.ts";
import type { AccountContext } from "../../context.ts";
import { contextInForce, contextOn } from "../../shipping/connections/connection-book.ts";
import type { Tx } from "../../database/tables.ts";
import { originOf } from "../../domain/accounts/principal.ts";
import { timeOfId } from "../../domain/values/ids.ts";
import type { Cents } from "../../domain/values/money.ts";
import type { Prepared } from "../../outbound/begin.ts";
import type { Failure } from "../../outbound/operation.ts";
import { recordExisting } from "../../outbound/outbound.ts";
import { syncPickupStatus } from "../../shipping/pickups/sync-pickup-status.ts";
import { priceOf, type PickupBookingInput, type PickupPrice } from "./fees.ts";
import { sizeOf } from "../../shipping/pickups/membership.ts";
import { isOver } from "./pickable.ts";
import { pickupBooking, prepareBooking, type PickupMessage } from "./pickup-booking.ts";
import {
  findByCodes,
  findOpenParts,
  lockShipments,
} from "../../shipping/pickups/shipment-store.ts";
import * as store from "../../shipping/pickups/store.ts";

/**
 * A pickup that one carrier has and that this database lost when it was restored. The context's clock is set
 * to the time of the request.
 */
export interface MissingPickup {
  carrier: string;
  pickup: ListedPickup;
  /** Where the journal names it, and no list of the carrier's. */
  noted?: { connection_id: string | null };
}

/**
 * Its shipments that have their labels here and are in no other pickup, by id. `freed` are some that are
 * going to leave their pickup.
 */
export async function shipmentsOfMissing(
  ctx: AccountContext,
  { carrier, pickup }: MissingPickup,
  freed: ReadonlySet<string>,
): Promise<string[]> {
  const { account_id } = ctx.account;
  const { tracking_codes } = pickup;
  const found = await findByCodes(ctx.db, account_id, { carrier, tracking_codes });
  const ids = found.map(({ id }) => id);
  const open = await findOpenParts(ctx.db, account_id, ids);
  const inUse = open.filter(
    (each) => !isOver(each, ctx.clock.now()) && !freed.has(each.shipment_id),
  );
  return ids.filter((id) => !inUse.some(({ shipment_id }) => shipment_id === id));
}

/** What the account pays for it: the carrier's published fee, or its charge where that is more. */
export function priceOfMissingPickup(
  ctx: AccountContext,
  { carrier, pickup }: MissingPickup,
): { expected_fee_cents: Cents; price: PickupPrice } {
  const { currency } = ctx.account;
  const published = ctx.carriers.get(carrier).descriptor.pickups?.fee_cents[currency] ?? 0;
  const expected_fee_cents = Math.max(published, pickup.fee?.amount_cents ?? 0);
  const { address } = pickup;
  const price = priceOf(expected_fee_cents, { address, currency, now: ctx.clock.now() });
  return { expected_fee_cents, price };
}

/**
 * Records it as if its response had just arrived, with these shipments, under the id that the merchant has.
 * Its other carriers, if it has any, are added one by one. Returns the reason when the outcome is unknown.
 * Throws 402 when the account cannot pay for it.
 */
export async function restorePickup(
  ctx: AccountContext,
  forgotten: MissingPickup,
  shipmentIds: readonly string[],
): Promise<Failure | null> {
  const { pickup } = forgotten;
  const { reference, references, asked_at } = pickup;
  const context = await contextOf(ctx, forgotten);
  const performed = await recordExisting(ctx.outbound, pickupBooking(ctx), {
    account_id: ctx.account.account_id,
    idempotency_key: references.idempotency_key,
    by: originOf(ctx),
    prepare: (tx) => prepare(ctx, tx, { ...forgotten, shipmentIds, context }),
    known: { reference, at: asked_at },
    result: pickup,
  });
  return performed.result === "settled" ? null : performed.failure;
}

/** On what it was asked for. */
function contextOf(ctx: AccountContext, { carrier, noted }: MissingPickup): Promise<CallContext> {
  const { account_id, environment } = ctx.account;
  if (!noted) return contextInForce(ctx, ctx.account, carrier);
  return contextOn(ctx, { account_id, environment, connection_id: noted.connection_id });
}

async function prepare(
  ctx: AccountContext,
  tx: Tx,
  {
    carrier,
    pickup,
    shipmentIds,
    context,
  }: MissingPickup & { shipmentIds: readonly string[]; context: CallContext },
): Promise<Prepared<PickupBookingInput, PickupMessage>> {
  const { account_id, currency } = ctx.account;
  const { references, ...stop } = pickup;
  const { expected_fee_cents, price } = priceOfMissingPickup(ctx, { carrier, pickup });
  const now = ctx.clock.now();
  await store.openPickup(tx, rowOf(ctx, pickup));
  const shipments = await lockShipments(tx, account_id, shipmentIds);
  const size = sizeOf(shipments.flatMap(({ packages }) => packages));
  const part = {
    ...store.unanswered,
    account_id,
    pickup_id: references.pickup_id,
    carrier,
    connection_id: context.connection?.id ?? null,
    shipment_ids: shipments.map(({ id }) => id),
    ...size,
  };
  await syncPickupStatus(tx, await store.addPart(tx, part, now), { at: now, by: originOf(ctx) });
  const expected_fee = { amount_cents: expected_fee_cents, currency };
  const message = { ...stop, ...size, context, references, expected_fee };
  return prepareBooking({ carrier, expected_fee_cents, price, message });
}

/** The pickup as it was requested, without a carrier yet. */
function rowOf({ account, clock }: AccountContext, pickup: ListedPickup): store.PickupRow {
  const { references, address, contact, instructions, date, ready_time, close_time } = pickup;
  return {
    account_id: account.account_id,
    id: references.pickup_id,
    status: "scheduled",
    shipment_ids: [],
    address,
    contact,
    instructions,
    date,
    ready_time,
    close_time,
    currency: account.currency,
    created_at: timeOfId(references.pickup_id),
    updated_at: clock.now(),
    cancelled_at: null,
  };
}
