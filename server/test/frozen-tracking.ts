import type { Pace } from "../src/carriers/simulator/itineraries/itineraries.ts";

/**
 * Simulated itineraries that take days: nothing moves during a test, however long it takes. Tests that need
 * scans advance the simulator's clock.
 */
export const frozenTracking: Pace = {
  first_scan_seconds: 86_400,
  delivery_seconds: 5 * 86_400,
  steered: { first_scan_seconds: 600, delivery_seconds: 630 },
};

/** The same for a simulator in a process of its own. */
export const frozenTrackingSettings = {
  WAYBILL_SIMULATOR_FIRST_SCAN_SECONDS: String(frozenTracking.first_scan_seconds),
  WAYBILL_SIMULATOR_DELIVERY_SECONDS: String(frozenTracking.delivery_seconds),
};
