import type { DataOf, Headers, Manifest, Reply } from "./client.ts";
import { aShipment, ottawa, type AddressEntry } from "./shipments.ts";
import { must, type TestAccount } from "./world.ts";

/** Labels that are to be handed over, and the calls for it. */

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
