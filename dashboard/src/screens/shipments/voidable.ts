import type { Shipment } from "@waybill/sdk";

/** Whether its label can be voided now. */
export function isVoidable({ status, type }: Shipment): boolean {
  return status === "purchased" && type === "courier";
}
