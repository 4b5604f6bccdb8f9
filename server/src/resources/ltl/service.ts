/** The parts of LTL bookings that other resources, the worker and a reconciliation may use. */
export { bookingCancel } from "./booking-cancel.ts";
export { bookCancel } from "./cancel-booking.ts";
