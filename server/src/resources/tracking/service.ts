/** What other resources, and the worker, may use of tracking. */
export { startTracking } from "./start-tracking.ts";
export { trackingLoops } from "./poll.ts";
