import type { FreightTariff } from "../tariff.ts";
import { dayRossTariff } from "./day-ross.ts";
import { manitoulinTariff } from "./manitoulin.ts";
import { tforceFreightTariff } from "./tforce-freight.ts";

/** Every simulated freight carrier, by the code that its addresses on the wire have. */
export const freightTariffs: ReadonlyMap<string, FreightTariff> = new Map(
  [tforceFreightTariff, dayRossTariff, manitoulinTariff].map((tariff) => [tariff.carrier, tariff]),
);
