import { aShipment, aSteeredShipment } from "../../server/test/shipments.ts";
import { anAccount, type AccountOptions, type World } from "../../server/test/world.ts";
import { createWaybill, type ShipmentEntry, type WaybillOptions } from "../src/index.ts";

/** An account of the world and a client with its token. */
export async function aClientOf(world: World, options?: WaybillOptions, account?: AccountOptions) {
  const own = await anAccount(world, account);
  const waybill = createWaybill({ token: own.token, baseUrl: world.url, ...options });
  return { account: own, waybill };
}

/** A shipment as a client writes it; the server's tests have wider types for it. */
export function anEntry(changes: Record<string, unknown> = {}): ShipmentEntry {
  return { ...aShipment(), ...changes } as unknown as ShipmentEntry;
}

export function aSteeredEntry(steering: string): ShipmentEntry {
  return aSteeredShipment(steering) as unknown as ShipmentEntry;
}
