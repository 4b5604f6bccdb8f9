/**
 * What the worker and a reconciliation do for pickups. Apart from `service.ts`, because it needs shipments,
 * which need that.
 */
export { callOffLanes } from "./call-off-emptied.ts";
export { bookCallOff } from "./cancel-pickup.ts";
export { pickupBooking } from "./pickup-booking.ts";
export { pickupCancel } from "./pickup-cancel.ts";
export {
  priceOfForgotten,
  rebookPickup,
  shipmentsOfForgotten,
  type ForgottenPickup,
} from "./rebook-pickup.ts";
export { findPart, type PartRow } from "../../shipping/pickups/store.ts";
