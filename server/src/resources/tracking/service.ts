/** What other resources may use of tracking. It needs nothing of theirs: shipments use it. */
export { startTracking } from "./start-tracking.ts";
export { cancelTracking, reviveTracking } from "./taken-back.ts";
