import type { Scope } from "@waybill/sdk";

/** The scopes that the workflows of the specification need (its table of tokens). */
export const scopePresets: Record<"ship" | "orders" | "warehouse", Scope[]> = {
  ship: [
    "shipments:read",
    "shipments:write",
    "shipments:void",
    "rates:read",
    "labels:create",
    "tracking:read",
  ],
  orders: [
    "orders:read",
    "orders:write",
    "shipments:read",
    "shipments:write",
    "batches:read",
    "batches:write",
    "labels:create",
  ],
  warehouse: ["shipments:read", "pickups:read", "pickups:write", "tracking:read"],
};
