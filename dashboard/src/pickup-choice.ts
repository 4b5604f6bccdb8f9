import { useLocation } from "@tanstack/react-router";
import type { Shipment } from "@waybill/sdk";

/** What the screen of pickups needs to know of a shipment that was chosen on another screen. */
export type PickupChoice = Pick<
  Shipment,
  "id" | "reference" | "status" | "type" | "pickup_id" | "to_address" | "ship_code"
>;

interface State {
  pickup_choice?: number;
}

/**
 * The latest choice in this tab. It is not in the history itself: that outlives a sign-out, and recipients are not
 * left behind for the next person.
 */
let latest: { id: number; shipments: readonly PickupChoice[] } | null = null;

/** Keeps the choice, and returns the state of the history's entry that opens the screen of pickups with it. */
export function choosePickup(shipments: readonly PickupChoice[]): State {
  latest = { id: Date.now(), shipments };
  return { pickup_choice: latest.id };
}

const none: readonly PickupChoice[] = [];

/** The shipments that were chosen for a pickup; none where the screen was opened by itself, and after a reload. */
export function usePickupChoice(): readonly PickupChoice[] {
  const state: unknown = useLocation({ select: (location) => location.state });
  const { pickup_choice } = state as State;
  return latest && latest.id === pickup_choice ? latest.shipments : none;
}
