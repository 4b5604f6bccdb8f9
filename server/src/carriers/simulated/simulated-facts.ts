import type { ManifestFacts } from "../capabilities.ts";
import type { CarrierDescriptor } from "../carrier.ts";
import type { PickupFacts } from "../pickups.ts";

/** What holds of each carrier that the simulator plays, because it is the simulator that answers. */

/** It finds by reference what it has committed, within five seconds of the call. */
const lookUp = { by: "reference", absence: "proof", after_seconds: 5 } as const;

export const simulatedFacts = {
  lookUp,
  voids: { kind: "api", until: "scan" },
  confirms_price: "in_call",
  evidence: "simulated",
  listsLabels: true,
  purchaseTimeoutSeconds: 10,
} as const satisfies Partial<CarrierDescriptor>;

export const simulatedManifestFacts = { lookUp, takes: "named" } as const satisfies ManifestFacts;

export const simulatedPickupFacts = {
  lookUp,
  listsPickups: true,
} as const satisfies Partial<PickupFacts>;
