import type { CarrierTariff } from "../pricing/tariff.ts";
import { canadaPostTariff } from "./canada-post.ts";
import { fedexTariff } from "./fedex.ts";
import { purolatorTariff } from "./purolator.ts";
import { upsTariff } from "./ups.ts";
import { uspsTariff } from "./usps.ts";

/** Every simulated carrier, by the code that its addresses on the wire have. */
export const tariffs: ReadonlyMap<string, CarrierTariff> = new Map(
  [canadaPostTariff, purolatorTariff, upsTariff, fedexTariff, uspsTariff].map((tariff) => [
    tariff.carrier,
    tariff,
  ]),
);
