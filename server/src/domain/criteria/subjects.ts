import type { SizeUnit, WeightUnit } from "../goods/parcel.ts";

/** The parts of a shipment or an order that criteria read: of a stored row, or of one about to be stored. */

export interface ShipmentSubject extends Subject {
  type: string;
  from_address: Origin;
  handling_units: readonly unknown[];
  insured_value_cents: number | null;
  service: string | null;
  carrier: string | null;
}

export interface OrderSubject extends Subject {
  from_address: Origin | null;
  source: string;
  requested_service: string | null;
  total_cents: number | null;
  currency: string;
  placed_at: Date;
}

interface Subject {
  status: string;
  to_address: Destination;
  packages: readonly Parcel[];
  items: readonly Line[];
  tags: readonly string[];
  created_at: Date;
}

interface Origin {
  country_code: string;
}

interface Destination {
  country_code: string;
  province_code: string | null;
  postal_code: string | null;
  city: string;
  is_residential: boolean;
}

/** A thing with a weight: a package, some equal handling units, or a line of an order. */
export interface Weighed {
  weight: number | null;
  weight_unit: WeightUnit | null;
  quantity?: number;
}

/** A package, or some equal handling units. */
export interface Parcel extends Weighed {
  length: number | null;
  width: number | null;
  height: number | null;
  size_unit: SizeUnit | null;
  declared_value?: number | null;
  currency?: string | null;
}

export interface Line extends Weighed {
  sku: string | null;
  title: string;
  hs_code: string | null;
  country_of_origin: string | null;
  quantity: number;
  value: number;
  currency: string;
}
