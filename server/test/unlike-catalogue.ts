import type { Carrier, CarrierDescriptor } from "../src/carriers/carrier.ts";

/**
 * Facts of real carriers for the catalogue's. Loads no module: the processes of crash tests start with it, and start
 * often.
 */

export const hint = { by: "reference", absence: "hint", after_seconds: 1 } as const;

/**
 * The carriers of crash tests: FedEx is asked in a way that proves nothing by not finding a label, and
 * Purolator voids none.
 */
export function unlikeCatalogue(all: readonly Carrier[]): Carrier[] {
  const facts: Record<string, Partial<CarrierDescriptor>> = {
    fedex: { lookUp: hint },
    purolator: { voids: { kind: "none" } },
  };
  return all.map((carrier) => {
    const { descriptor } = carrier;
    return { ...carrier, descriptor: { ...descriptor, ...facts[descriptor.code] } };
  });
}
