/** What the worker does for pickups. Apart from `service.ts`, because it needs shipments, which need that. */
export { callOffEmptied } from "./call-off-emptied.ts";
export { pickupBooking } from "./pickup-booking.ts";
export { pickupCancel } from "./pickup-cancel.ts";
