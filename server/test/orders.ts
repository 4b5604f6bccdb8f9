import type { Static } from "typebox";
import type { Order as OrderSchema } from "../src/resources/orders/schemas.ts";
import type { DataOf, Shipment } from "./client.ts";
import { halifax, parcel, type AddressEntry, type PackageEntry } from "./shipments.ts";
import { must, type TestAccount } from "./world.ts";

/** Orders as a client would send them: complete, valid, and different only where a test says so. */

export type Order = Static<typeof OrderSchema>;

interface OrderItemEntry {
  sku?: string;
  title: string;
  quantity: number;
  value: number;
}

interface OrderEntry {
  order_number: string;
  source?: string;
  status?: string;
  customer?: object;
  to_address: AddressEntry;
  from_address?: AddressEntry;
  items?: OrderItemEntry[];
  packages?: PackageEntry[];
  requested_service?: string;
  totals?: object;
  notes?: string;
  tags?: string[];
  placed_at?: string;
  metadata?: object;
}

export const cups: OrderItemEntry = { sku: "CUP", title: "Cup", quantity: 2, value: 12 };
export const bowl: OrderItemEntry = { sku: "BOWL", title: "Bowl", quantity: 1, value: 30 };

let made = 0;

export function anOrder(changes: Partial<OrderEntry> = {}): OrderEntry {
  made++;
  return {
    order_number: `T-${made}`,
    to_address: halifax,
    items: [cups, bowl],
    packages: [parcel],
    ...changes,
  };
}

export async function order(account: TestAccount, changes?: Partial<OrderEntry>): Promise<Order> {
  return must(await account.post<DataOf<Order>>("/orders", anOrder(changes)), 201).data;
}

export async function showOrder(account: TestAccount, id: string): Promise<Order> {
  return must(await account.get<DataOf<Order>>(`/orders/${id}`), 200).data;
}

/** A shipment of the order, made from it. */
export async function shipped(
  account: TestAccount,
  id: string,
  overrides: object = {},
): Promise<Shipment> {
  const path = `/orders/${id}/shipments`;
  return must(await account.post<DataOf<Shipment>>(path, overrides), 201).data;
}
