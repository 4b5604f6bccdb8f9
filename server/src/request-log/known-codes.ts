import type { Carrier } from "../carriers/carrier.ts";
import { currencies } from "../domain/values/currencies.ts";

/** What a text that a log may only show when it is `known` can be: codes of carriers and services, currencies. */
export function knownCodes(carriers: { all: readonly Carrier[] }): ReadonlySet<string> {
  const codes = carriers.all.flatMap(({ descriptor: { code, services } }) => [
    code,
    ...services.map((service) => service.code),
  ]);
  return new Set([...codes, ...currencies, "cheapest", "fastest", "cheapest_tracked"]);
}
