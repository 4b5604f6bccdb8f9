import type { Shipment } from "@waybill/sdk";

/** What the actions on several shipments need to know of each: all that is read of those that are not on the page. */
export const chosenFields = [
  "id",
  "created_at",
  "status",
  "type",
  "on_hold",
  "label_status",
  "ship_code",
  "reference",
  "to_address",
  "carrier",
  "service_name",
  "tracking_code",
  "tags",
  "cost",
  "pickup_id",
] as const satisfies readonly (keyof Shipment)[];

export type Chosen = Pick<Shipment, (typeof chosenFields)[number]>;

/** Whether it can be put into a batch that is bought later. */
export function isDraft({ status }: Chosen): boolean {
  return status === "draft";
}

/** Whether its label can be bought now. */
export function isBuyable({ status, on_hold }: Chosen): boolean {
  return status === "draft" && !on_hold;
}

/** Whether there is a label to print. */
export function isPrintable({ label_status }: Chosen): boolean {
  return label_status === "ready";
}

/** Whether its label can be voided now. */
export function isVoidable({ status, type }: Chosen): boolean {
  return status === "purchased" && type === "courier";
}

/** Whether a carrier could be asked to fetch it; the screen of pickups says of the others why not. */
export function isFetchable({ status, type }: Chosen): boolean {
  return status === "purchased" && type === "courier";
}

/** By what a person knows it. */
export function nameOf({ to_address, ship_code }: Chosen): string {
  return to_address.name ?? to_address.company ?? ship_code;
}
