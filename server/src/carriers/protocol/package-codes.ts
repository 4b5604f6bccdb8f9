import type { CarrierData } from "../carrier.ts";
import { codeIn, listIn } from "./json.ts";

/** A label's packages, in the data that its carrier's adapter keeps with it. */
export function dataOfPackages(codes: readonly string[]): CarrierData {
  return { packages: [...codes] };
}

/** The tracking codes of all packages of a label; the label's own where the data have none. */
export function packagesIn(carrier_data: CarrierData | null, tracking_code: string): string[] {
  const codes = listIn(carrier_data, "packages").flatMap((code) => codeIn(code) ?? []);
  return codes.length > 0 ? codes : [tracking_code];
}
