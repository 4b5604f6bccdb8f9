import type { DataOf, Headers, Manifest, Reply } from "./client.ts";
import {
  aShipment,
  boston,
  halifax,
  ottawa,
  type AddressEntry,
  type ShipmentEntry,
} from "./shipments.ts";
import { must, type TestAccount } from "./world.ts";

/** Labels that are to be handed over, and the calls for it. */

/** A service of each carrier that makes manifests. */
export const servicesHandedOver = {
  canada_post: "canada_post.expedited_parcel",
  purolator: "purolator.express",
  usps: "usps.ground_advantage",
};
export type HandingCarrier = keyof typeof servicesHandedOver;

export const newYork = {
  ...ottawa,
  address1: "350 5th Ave",
  city: "New York",
  province_code: "NY",
  postal_code: "10118",
  country_code: "US",
  phone: "212-555-0142",
};

/** A parcel that the carrier takes, with instructions to the simulator at its sender. */
export function parcelHandedTo(
  carrier: HandingCarrier,
  address2: string | null = null,
): ShipmentEntry {
  const from_address = { ...(carrier === "usps" ? newYork : ottawa), address2 };
  return aShipment({ from_address, to_address: carrier === "usps" ? boston : halifax });
}

/** A label of Canada Post's, from Ottawa unless stated otherwise. */
export async function aLabelOf(
  account: TestAccount,
  from_address: AddressEntry = ottawa,
  service = "canada_post.expedited_parcel",
): Promise<string> {
  const { id } = await account.create(aShipment({ from_address }));
  await account.bought(id, { service });
  return id;
}

export function handOver(
  account: TestAccount,
  shipment_ids: readonly string[],
  headers?: Headers,
): Promise<Reply<DataOf<Manifest>>> {
  return account.post("/manifests", { carrier: "canada_post", shipment_ids }, headers);
}

export async function showManifest(account: TestAccount, id: string): Promise<Manifest> {
  return must(await account.get<DataOf<Manifest>>(`/manifests/${id}`), 200).data;
}
