import type { CallContext } from "../../carriers/carrier.ts";
import type { PickupContact } from "../../carriers/pickups.ts";
import type { Context } from "../../context.ts";
import type { Address } from "../../domain/addresses/address.ts";
import { nextBusinessDay } from "../../domain/time/business-days.ts";
import {
  addProblem,
  addRuleProblems,
  throwIfAny,
  type Problems,
} from "../../domain/errors/errors.ts";
import { newId } from "../../domain/values/ids.ts";
import { placeKey, windowProblems, type PickupWindow } from "../../domain/pickups/pickup-rules.ts";
import { cleanText } from "../../domain/text/text.ts";
import { localMoment } from "../../domain/time/time-zones.ts";
import { billedToMerchant, pickupFee, type PickupFee } from "./carrier-fee.ts";
import { priceOf } from "./fees.ts";
import { contextOn } from "../../shipping/connections/connection-book.ts";
import { sizeOf } from "../../shipping/pickups/membership.ts";
import type { PlannedBooking } from "./pickup-booking.ts";
import { refuseUnlessPickable, whyNot } from "./pickable.ts";
import { readPickup, type NamedShipment } from "./read-pickup.ts";
import type { NewPickup } from "../../shipping/pickups/schemas.ts";
import type { PickableShipment } from "../../shipping/pickups/shipment-store.ts";
import * as store from "../../shipping/pickups/store.ts";

/** A valid pickup, and the request to each of its carriers. */
export interface PickupPlan {
  row: store.WholePickup;
  bookings: PlannedBooking[];
}

/**
 * Validates a request for a pickup: its carriers, time and address. Throws 422 with every field that is
 * wrong, and 409 for shipments whose state forbids it (decision 10); then no carrier is asked.
 */
export async function planPickup(ctx: Context, given: unknown): Promise<PickupPlan> {
  const { problems, body, named, address } = await readPickup(ctx, given);
  const found = named.map(({ shipment }) => shipment);
  const isPickable = whyNot(found) === null;
  const carriers = isPickable ? await askedCarriers(ctx, named, problems) : [];
  const asked = await onConnections(ctx, carriers, { named, problems });
  if (isPickable) addOriginProblems(problems, named, address);
  const window = address && windowOf(ctx, body, address);
  if (address && window) {
    const now = localMoment(ctx.clock.now(), address);
    addRuleProblems(problems, windowProblems(window, asked, { now, place: address }));
  }
  throwIfAny(problems);
  refuseUnlessPickable(found);
  return planOf(ctx, { body: body as NewPickup, address: address!, window: window!, asked });
}

/** The requested window (decision 10). */
function windowOf(
  ctx: Context,
  { date, ready_time, close_time }: Partial<NewPickup>,
  address: Address,
): PickupWindow {
  const today = localMoment(ctx.clock.now(), address).day;
  return {
    date: date ?? nextBusinessDay(today, address),
    ready_time: ready_time ?? "09:00",
    close_time: close_time ?? "17:00",
  };
}

/** A driver stops at one address, and a carrier has priced each parcel from its origin. */
function addOriginProblems(
  problems: Problems,
  named: readonly NamedShipment[],
  address: Address | null,
): void {
  const first = named[0]?.shipment.from_address;
  if (!first) return;
  for (const { index, shipment } of named)
    if (placeKey(shipment.from_address) !== placeKey(first))
      addProblem(problems, `shipment_ids.${index}`, "starts elsewhere than the first shipment.");
  if (address && address.country_code !== first.country_code)
    addProblem(
      problems,
      "address.country_code",
      `must be ${first.country_code}, where the shipments start.`,
    );
}

interface AskedCarrier {
  code: string;
  name: string;
  times: { cutoff: string; window_minutes_min: number; days_ahead_max: number };
  fee: PickupFee;
  shipments: PickableShipment[];
  /** That the labels were bought on. */
  context: CallContext;
}

type FoundCarrier = Omit<AskedCarrier, "context">;

/** The carriers of the shipments, by code; a problem for each shipment whose carrier offers no pickups. */
async function askedCarriers(
  { carriers, account, exchange }: Context,
  named: readonly NamedShipment[],
  problems: Problems,
): Promise<FoundCarrier[]> {
  const asked = new Map<string, FoundCarrier>();
  const money = { currency: account.currency, exchange: await exchange.fresh() };
  for (const { index, shipment } of named) {
    const carrier = carriers.find(shipment.carrier ?? "");
    const service = carriers.findService(shipment.service ?? "")?.service;
    const facts = carrier?.descriptor.pickups;
    const fee = carrier && pickupFee(carrier.descriptor, money);
    if (!carrier || !facts || !fee || service?.pickup_supported === false) {
      const name = shipment.service_name ?? shipment.service ?? "its service";
      addProblem(problems, `shipment_ids.${index}`, `is not fetched by ${name}.`);
      continue;
    }
    const { code, name } = carrier.descriptor;
    const entry = asked.get(code) ?? { code, name, times: facts, fee, shipments: [] };
    asked.set(code, entry);
    entry.shipments.push(shipment);
  }
  return [...asked.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/**
 * The connection of each carrier's labels. A problem for a shipment on another one than the first: a driver
 * comes under one contract.
 */
async function onConnections(
  ctx: Context,
  asked: readonly FoundCarrier[],
  { named, problems }: { named: readonly NamedShipment[]; problems: Problems },
): Promise<AskedCarrier[]> {
  return Promise.all(
    asked.map(async (each) => {
      const connection_id = each.shipments[0]?.connection_id ?? null;
      for (const { index, shipment } of named)
        if (shipment.carrier === each.code && shipment.connection_id !== connection_id) {
          const path = `shipment_ids.${index}`;
          addProblem(
            problems,
            path,
            `was bought on another connection of ${each.name} than the first; it needs a pickup of its own.`,
          );
        }
      const context = await contextOn(ctx, { ...ctx.account, connection_id });
      const isOwn = context.connection?.origin === "account";
      const fee = isOwn ? billedToMerchant(each.fee) : each.fee;
      return { ...each, fee, context };
    }),
  );
}

function planOf(
  ctx: Context,
  {
    body,
    address,
    window,
    asked,
  }: {
    body: NewPickup;
    address: Address;
    window: PickupWindow;
    asked: readonly AskedCarrier[];
  },
): PickupPlan {
  const { account_id, currency } = ctx.account;
  const now = ctx.clock.now();
  const id = newId("pku", now);
  const contact = contactOf(body.contact ?? {}, address);
  const instructions = cleanText(body.instructions ?? "");
  const parts = asked.map(({ code, shipments, context }) => ({
    ...store.unanswered,
    account_id,
    pickup_id: id,
    carrier: code,
    connection_id: context.connection?.id ?? null,
    shipment_ids: shipments.map((shipment) => shipment.id),
    ...sizeOf(shipments.flatMap(({ packages }) => packages)),
  }));
  const stop = { address, contact, instructions, ...window };
  const idempotency_key = ctx.claim?.key ?? null;
  return {
    row: {
      account_id,
      id,
      status: "scheduled",
      shipment_ids: body.shipment_ids,
      ...stop,
      currency,
      created_at: now,
      updated_at: now,
      cancelled_at: null,
      parts,
    },
    bookings: asked.map(({ code, fee, shipments, context }, index) => ({
      carrier: code,
      expected_fee_cents: fee.charge.amount_cents,
      price: priceOf(fee.cents, { address, currency, now }),
      ...(fee.charge.currency === currency ? {} : { fee_currency: fee.charge.currency }),
      ...(fee.rate === undefined ? {} : { fee_rate: fee.rate }),
      message: {
        context,
        references: { account_id, pickup_id: id, idempotency_key },
        ...stop,
        tracking_codes: shipments.flatMap(({ tracking_code }) => tracking_code ?? []),
        package_count: parts[index]!.package_count,
        weight_grams: parts[index]!.weight_grams,
        expected_fee: fee.charge,
      },
    })),
  };
}

/** The contact for the driver: the one given, else the address's. */
function contactOf(given: NonNullable<NewPickup["contact"]>, address: Address): PickupContact {
  return {
    name: cleanText(given.name ?? "") ?? address.name ?? address.company,
    phone: cleanText(given.phone ?? "") ?? address.phone,
    email: cleanText(given.email ?? "") ?? address.email,
  };
}
