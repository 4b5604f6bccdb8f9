import type { SymbolKind } from "../../../drawing/marks.ts";
import type { FreightTariff } from "../pricing/freight-tariff.ts";
import type { CarrierTariff } from "../pricing/tariff.ts";

/** What the simulator knows of one carrier: all that tells it from the others. Each has a folder here. */

export interface Courier {
  tariff: CarrierTariff;
  tracking_codes: TrackingCodes;
  /** The number by which drivers and help desk know a pickup; `seed` are hexadecimal digits of the journal's own. */
  pickupNumber: (serial: string, seed: string) => string;
  label: LabelStyle;
  events: EventTexts;
}

export interface FreightCarrier {
  tariff: FreightTariff;
  numbers: BookingNumberForm;
  events: EventTexts;
}

/** A code is the prefix, which the check digit leaves out, the body, and the check digit. */
interface TrackingCodes {
  prefix: string;
  /** Of a package's serial number, by a permutation that starts at `seed`. */
  body: (seed: bigint, serial: bigint) => string;
  checkDigit: (body: string) => string;
}

/** How a carrier's numbers of a booking begin. */
interface BookingNumberForm {
  confirmation: string;
  bol: string;
  pro_prefix: string;
  pro_digits: number;
  /** The last digit of a PRO number, of those before it. */
  proCheckDigit: (body: string) => string;
  cancellation: string;
}

/** The parts that differ between carriers' labels. */
export interface LabelStyle {
  /** The typeset name at the top. */
  name: string;
  /** The letter in the block at the top left, by which sorters tell the class of service. */
  block: (service: string) => string;
  /** The banner across the label; two languages where the carrier prints two. */
  banner: (service: string) => string;
  to: string;
  from: string;
  tracking: string;
  symbol: { kind: SymbolKind; width: number; height: number };
}

/** The events of a package. */
export type Step =
  | "announced"
  | "voided"
  | "picked_up"
  | "departed"
  | "arrived"
  | "customs"
  | "out_for_delivery"
  | "delivered"
  | "attempted"
  | "held"
  | "delayed"
  | "return_started"
  | "returned";

/** The code and text of each event. A carrier without a text for a step does not report it. */
export type EventTexts = Readonly<Partial<Record<Step, readonly [code: string, text: string]>>>;
