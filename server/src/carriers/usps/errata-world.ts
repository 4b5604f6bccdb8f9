import type { Erratum } from "../corpus/json-schema-world.ts";

/** Rules of USPS's documents that its own recorded or published messages disprove. */
export const uspsErrata: readonly Erratum[] = [
  {
    // Two forms of which each demands nothing: whatever is one is the other, too.
    at: /^\/pickupAddress\/contact\/\*$/,
    keyword: "oneOf",
    because: "pickup/request.readme-Carrier-Pickup---Create-1 has an e-mail address alone",
  },
];
