/** The parts of pickups that the seed may use. */
export { schedulePickup } from "./schedule-pickup.ts";
