import type { Accessorial } from "../../../domain/goods/freight.ts";
import type { LaneTariff } from "./tariff.ts";

/**
 * The vocabulary that the three freight tariffs are written in, the one that the trade uses: a gross rate in
 * cents a hundredweight (100 lb) for class 100, by distance; a discount; a minimum charge; fuel on the net
 * charge; and a price list of everything beyond dock to dock. The figures are made up, of the size that the
 * carriers' published tariffs and quotes had in 2024 and 2025; a simulator owes plausible prices.
 */
export interface FreightTariff {
  carrier: string;
  name: string;
  /** Of everything but the lanes, which have currencies of their own. */
  currency: FreightCurrency;
  /** Heavier shipments pay less a hundredweight: percent of the rate from so many pounds on, lightest first. */
  weight_breaks: readonly { from_pounds: number; percent: number }[];
  /**
   * How far a class differs from class 100: at 100 class 50 pays half of it and class 200 twice, as
   * the classes were meant; a carrier that also charges for space needs less.
   */
  class_spread_percent: number;
  space: SpaceRules;
  lanes: readonly FreightLane[];
  services: readonly FreightServiceTariff[];
  area: ServiceArea;
  /** For crossing the border: documents, and the waiting truck. */
  border_cents: number;
  /** For a unit longer than a pallet rack. */
  over_length: { from_cm: number; amount_cents: number };
  accessorials: Readonly<Partial<Record<Accessorial, AccessorialPrice>>>;
  cancel_fees: CancelFees;
  /** The driver's sticker carries the PRO number, or the booking already does. */
  pro_assigned_at: "booking" | "pickup";
}

export type FreightCurrency = "CAD" | "USD";

/** The minimum rated weight of light freight, because it fills the trailer all the same. */
export interface SpaceRules {
  /** Pounds that a cubic foot counts as; null where the class alone pays for lightness. */
  pounds_per_cubic_foot: number | null;
  /** From so many feet of trailer on, each foot counts as so many pounds. */
  linear_feet: { from_feet: number; pounds_per_foot: number };
}

export interface FreightLane {
  from: "CA" | "US";
  to: "CA" | "US";
  currency: FreightCurrency;
  /** Gross, for 100 lb of class 100 below the first weight break: at no distance, and for each kilometre. */
  start_cents: number;
  km_cents: number;
  discount_percent: number;
  /** Net. */
  minimum_cents: number;
  fuel_percent: number;
  days: LaneTariff["days"];
}

export interface FreightServiceTariff {
  /** The carrier's own code, as on the wire. */
  code: string;
  reach: "domestic" | "cross_border" | "any";
  /**
   * The price of the service's guarantee in percent of the net charge, fuel on it included; null for
   * none.
   */
  premium: { code: string; name: string; percent: number } | null;
  /** Whether it serves places that only a partner reaches. */
  goes_beyond: boolean;
  /** The accessorials that it offers, of those in the price list. */
  accessorials: readonly Accessorial[];
  max_total_weight_grams: number;
}

/** Provinces and states: with terminals of its own, and by partners for a surcharge; others are not served. */
interface ServiceArea {
  direct: readonly string[];
  beyond: readonly string[];
  beyond_charge: { cwt_cents: number; minimum_cents: number };
}

/** A fixed price; so much a hundredweight; or a share of the net charge. */
export type AccessorialPrice =
  | number
  | { cwt_cents: number; minimum_cents: number; maximum_cents: number }
  | { percent: number; minimum_cents: number };

/** The fee that a carrier keeps of a cancelled booking; before the day of the pickup it keeps nothing. */
interface CancelFees {
  /** On the day, before the freight is ready. */
  on_the_day_cents: number;
  /** Once the truck has been sent. */
  truck_sent_cents: number;
}
