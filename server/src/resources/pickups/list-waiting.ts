import type { AccountContext } from "../../context.ts";
import { placeKey } from "../../domain/pickups/pickup-rules.ts";
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
  for (const parcel of found.slice(0, waitingMax)) {
    if (isStillExpected(parcel, now) || !isFetched(ctx, parcel)) continue;
    const key = `${parcel.carrier} ${placeKey(parcel.from_address)}`;
    groups.set(key, [...(groups.get(key) ?? []), parcel]);
  }
  const data = [...groups.values()].map((parcels) => toWaiting(ctx, parcels, now));
  return { data, meta: { capped: found.length > waitingMax } };
}

type Parcel = Awaited<ReturnType<typeof findWaiting>>[number];

/** In a pickup whose day is not over at its address. */
function isStillExpected({ part_status, pickup_date, pickup_address }: Parcel, now: Date): boolean {
  if (part_status === null || !isOpen(part_status)) return false;
  return !isOver({ date: pickup_date!, address: pickup_address! }, now);
}

function isFetched({ carriers, account }: AccountContext, { carrier, service }: Parcel): boolean {
  const facts = carriers.find(carrier ?? "")?.descriptor.pickups;
  const found = carriers.findService(service ?? "")?.service;
  return facts?.fee_cents[account.currency] !== undefined && found?.pickup_supported !== false;
}

function toWaiting(ctx: AccountContext, parcels: Parcel[], now: Date): WaitingParcels {
  const { carrier, from_address: address } = parcels[0]!;
  const { descriptor } = ctx.carriers.find(carrier!)!;
  const { currency } = ctx.account;
  const times = descriptor.pickups!;
  const named = parcels.slice(0, shipmentsMax);
  const price = priceOf(times.fee_cents[currency]!, { address, currency, now });
  const { package_count, weight_grams } = sizeOf(named.flatMap(({ packages }) => packages));
  const here = localMoment(now, address);
  const isToday = isBusinessDay(here.day, address) && here.time < times.cutoff;
  const cutoff = momentOf(`${here.day}T${times.cutoff}`, timeZoneOf(address));
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
    today: isToday ? { date: here.day, cutoff_at: cutoff.toISOString() } : null,
    next_date: nextBusinessDay(here.day, address),
    window_minutes: times.window_minutes_min,
  };
}
