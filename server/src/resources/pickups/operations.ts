/**
 * The operations of pickups for the worker and a reconciliation. Apart from `service.ts`, because it needs
 * shipments, which need that.
 */
export { emptyPickupLanes } from "./cancel-empty-pickups.ts";
export { recordPickupCancel } from "./cancel-pickup.ts";
export { pickupBooking } from "./pickup-booking.ts";
export { pickupCancel } from "./pickup-cancel.ts";
export {
  priceOfMissingPickup,
  restorePickup,
  shipmentsOfMissing,
  type MissingPickup,
} from "./restore-pickup.ts";
export { findPart, type PartRow } from "../../shipping/pickups/store.ts";
