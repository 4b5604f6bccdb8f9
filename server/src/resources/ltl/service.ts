/** What other resources, the worker and a reconciliation may use of LTL bookings. */
export { bookingCancel } from "./booking-cancel.ts";
export { bookCancel } from "./cancel-booking.ts";
