import type { AccountContext } from "../../context.ts";
import type { Address } from "../../domain/addresses/address.ts";
import type { Money } from "../../domain/limits/declared-value.ts";
import { mapYielding } from "../../domain/scheduling/time-slices.ts";
import {
  closeTimeMin,
  placeKey,
  type Moment,
  type PickupTimes,
} from "../../domain/pickups/pickup-rules.ts";
import { isOpen } from "../../domain/pickups/pickup-states.ts";
import { addDays, isBusinessDay, nextBusinessDay } from "../../domain/time/business-days.ts";
import { localMoment, timeZoneOf } from "../../domain/time/time-zones.ts";
import { momentOf } from "../../domain/time/wall-clock.ts";
import { fromCents } from "../../domain/values/money.ts";
import { sizeOf } from "../../shipping/pickups/membership.ts";
import {
  shipmentsMax,
  waitingMax,
  type Waiting,
  type WaitingParcels,
} from "../../shipping/pickups/schemas.ts";
import { findWaiting } from "../../shipping/pickups/shipment-store.ts";
import { pickupFee } from "./carrier-fee.ts";
import { priceOf } from "./fees.ts";
import { isOver } from "./pickable.ts";

/**
 * The parcels that a pickup could have, by their carrier and address, and when and for how much the carrier
 * would come: what `POST /pickups` would find out, without asking any carrier.
 */
export async function listWaiting(ctx: AccountContext): Promise<Waiting> {
  const now = ctx.clock.now();
  const found = await findWaiting(ctx.db, ctx.account.account_id, {
    // Days end in Guam before they do in UTC, and later elsewhere: `isStillExpected` goes by the address.
    today: addDays(now.toISOString().slice(0, 10), 1),
    limit: waitingMax + 1,
  });
  const groups = new Map<string, Parcel[]>();
  const money = { currency: ctx.account.currency, exchange: await ctx.exchange.fresh() };
  for (const parcel of found.slice(0, waitingMax)) {
    if (isStillExpected(parcel, now) || !isFetched(ctx, parcel, money)) continue;
    const { carrier, connection_id, from_address } = parcel;
    const key = `${carrier} ${connection_id} ${placeKey(from_address)}`;
    groups.set(key, [...(groups.get(key) ?? []), parcel]);
  }
  const data = await mapYielding([...groups.values()], (parcels) =>
    toWaiting(ctx, parcels, { now, money }),
  );
  return { data, meta: { capped: found.length > waitingMax } };
}

type Parcel = Awaited<ReturnType<typeof findWaiting>>[number];

/** In a pickup whose day is not over at its address. */
function isStillExpected({ part_status, pickup_date, pickup_address }: Parcel, now: Date): boolean {
  if (part_status === null || !isOpen(part_status)) return false;
  return !isOver({ date: pickup_date!, address: pickup_address! }, now);
}

function isFetched(
  { carriers }: AccountContext,
  { carrier, service }: Parcel,
  money: Money,
): boolean {
  const found = carriers.find(carrier ?? "");
  const fee = found && pickupFee(found.descriptor, money);
  return Boolean(fee) && carriers.findService(service ?? "")?.service.pickup_supported !== false;
}

async function toWaiting(
  ctx: AccountContext,
  parcels: Parcel[],
  { now, money }: { now: Date; money: Money },
): Promise<WaitingParcels> {
  const { carrier, from_address: address, connection_id } = parcels[0]!;
  const { descriptor } = ctx.carriers.find(carrier!)!;
  const { currency } = ctx.account;
  const times = descriptor.pickups!;
  const named = parcels.slice(0, shipmentsMax);
  const connection = await ctx.connections.find(ctx.account.account_id, connection_id);
  const fee = pickupFee(descriptor, money)!;
  const feeCents = connection?.origin === "account" ? 0 : fee.cents;
  const price = priceOf(feeCents, { address, currency, now });
  const { package_count, weight_grams } = sizeOf(named.flatMap(({ packages }) => packages));
  const here = localMoment(now, address);
  return {
    carrier: descriptor.code,
    carrier_name: descriptor.name,
    address,
    shipment_ids: named.map(({ id }) => id),
    shipment_count: parcels.length,
    package_count,
    total_weight: { value: weight_grams / 1000, unit: "kg" },
    fee: {
      subtotal: fromCents(price.subtotal_cents),
      tax: fromCents(price.tax_cents),
      total: fromCents(price.total_cents),
      currency,
    },
    today: todayOf(here, { times, address }),
    next_date: nextBusinessDay(here.day, address),
    window_minutes: times.window_minutes_min,
  };
}

/** When a pickup today is to be asked for, and until when its driver needs to be let in. */
function todayOf(
  here: Moment,
  { times, address }: { times: PickupTimes; address: Address },
): WaitingParcels["today"] {
  const close_time_min = closeTimeMin(here, times);
  const isOffered = isBusinessDay(here.day, address) && here.time < times.cutoff;
  if (!isOffered || close_time_min === null) return null;
  const cutoff = momentOf(`${here.day}T${times.cutoff}`, timeZoneOf(address));
  return { date: here.day, cutoff_at: cutoff.toISOString(), close_time_min };
}
