import { localMoment } from "../src/domain/time/time-zones.ts";
import { addDays, nextBusinessDay } from "../src/domain/time/business-days.ts";
import type { DataOf, Headers, Pickup, Reply } from "./client.ts";
import { aShipment, ottawa, type AddressEntry } from "./shipments.ts";
import { must, type TestAccount } from "./world.ts";

/** Parcels that wait for a pickup, and the calls for one. */

export const serviceOf = {
  canada_post: "canada_post.expedited_parcel",
  purolator: "purolator.ground",
  ups: "ups.standard",
  fedex: "fedex.ground",
} as const;
export type FetchingCarrier = keyof typeof serviceOf;

/** A shipment with a label of this carrier, from Ottawa unless stated otherwise. */
export async function aLabelled(
  account: TestAccount,
  carrier: FetchingCarrier = "purolator",
  from_address: AddressEntry = ottawa,
): Promise<string> {
  const { id } = await account.create(aShipment({ from_address }));
  await account.bought(id, { service: serviceOf[carrier] });
  return id;
}

/** An address in Ottawa that steers the carriers: `sim:refuse`. */
export function steered(address2: string): AddressEntry {
  return { ...ottawa, address2 };
}

export function schedule(
  account: TestAccount,
  body: object,
  headers?: Headers,
): Promise<Reply<DataOf<Pickup>>> {
  return account.post("/pickups", body, headers);
}

/** The same, which must succeed. */
export async function scheduled(account: TestAccount, ...ids: string[]): Promise<Pickup> {
  return must(await schedule(account, { shipment_ids: ids }), 201).data;
}

export async function showPickup(account: TestAccount, id: string): Promise<Pickup> {
  return must(await account.get<DataOf<Pickup>>(`/pickups/${id}`), 200).data;
}

export function cancel(
  account: TestAccount,
  id: string,
  headers?: Headers,
): Promise<Reply<DataOf<Pickup>>> {
  return account.post(`/pickups/${id}/cancel`, undefined, headers);
}

/** Days by the present time in Ottawa. */
export function days() {
  const today = localMoment(new Date(), ottawa).day;
  return {
    today,
    yesterday: addDays(today, -1),
    next: nextBusinessDay(today, ottawa),
    /** The Saturday after the next business day. */
    saturday: nextSaturday(nextBusinessDay(today, ottawa)),
  };
}

function nextSaturday(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, 6 - weekday);
}
