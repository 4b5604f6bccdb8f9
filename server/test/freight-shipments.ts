import { halifax, ottawa, type AddressEntry } from "./shipments.ts";

/** LTL shipments as a client would send them. */

export const unit = {
  type: "pallet",
  quantity: 2,
  length: 48,
  width: 40,
  height: 50,
  size_unit: "in",
  weight: 620,
  weight_unit: "lbs",
  description: "Printed books",
};

export interface FreightEntry {
  type: string;
  from_address?: AddressEntry & { company?: string; is_residential?: boolean };
  to_address: AddressEntry & { company?: string; is_residential?: boolean };
  handling_units?: object[];
  packages?: object[];
  pickup?: object;
  delivery?: object;
  reference?: string;
  [field: string]: unknown;
}

export const dock = { ...ottawa, company: "Rideau Paper Co" };
export const shop = { ...halifax, company: "Harbour Books" };

/** Two pallets from one dock to another, unless changed. */
export function aFreight(changes: Partial<FreightEntry> = {}): FreightEntry {
  return {
    type: "ltl",
    from_address: dock,
    to_address: shop,
    handling_units: [unit],
    ...changes,
  };
}
