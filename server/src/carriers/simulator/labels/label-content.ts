import type { Address } from "../../../domain/addresses/address.ts";

/** Everything that is printed on the labels of one shipment; one label a package. */
export interface LabelContent {
  carrier: { code: string; name: string };
  service: { code: string; name: string };
  from: Address;
  to: Address;
  packages: LabelPackage[];
  /** `YYYY-MM-DD`. */
  ship_date: string;
  ship_code: string;
  reference: string | null;
  is_return: boolean;
  crosses_border: boolean;
  add_ons: readonly string[];
  zone: string | null;
}

export interface LabelPackage {
  tracking_code: string;
  weight_grams: number;
}

export type LabelFormat = "pdf" | "zpl" | "png";
export type LabelSize = "4x6" | "letter";
