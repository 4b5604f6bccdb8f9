/** Shipments as a client would send them: complete, valid, and different only where a test says so. */

export interface AddressEntry {
  name: string;
  address1: string;
  address2?: string | null;
  city: string;
  province_code: string;
  postal_code: string;
  country_code: string;
  phone?: string;
}

export interface PackageEntry {
  weight: number;
  weight_unit: string;
  length?: number;
  width?: number;
  height?: number;
  size_unit?: string;
  package_type?: string;
  package_contents?: string;
  declared_value?: number;
  currency?: string;
}

export interface ItemEntry {
  title: string;
  quantity: number;
  value: number;
  currency: string;
  country_of_origin: string;
  hs_code: string;
}

export interface ShipmentEntry {
  type?: string;
  from_address?: AddressEntry;
  to_address: AddressEntry;
  packages: PackageEntry[];
  items?: ItemEntry[];
  reference?: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
  service?: string;
  add_ons?: string[];
  signature_confirmation?: string;
  is_return?: boolean;
  order_id?: string;
}

export const ottawa: AddressEntry = {
  name: "Rideau Paper Co",
  address1: "111 Wellington Street",
  city: "Ottawa",
  province_code: "ON",
  postal_code: "K1A 0A9",
  country_code: "CA",
  phone: "613-555-0142",
};

export const halifax: AddressEntry = {
  name: "Morag Ferguson",
  address1: "1675 Lower Water Street",
  city: "Halifax",
  province_code: "NS",
  postal_code: "B3J 1S3",
  country_code: "CA",
  phone: "902-555-0117",
};

export const boston: AddressEntry = {
  name: "Delia Novak",
  address1: "700 Boylston Street",
  city: "Boston",
  province_code: "MA",
  postal_code: "02116",
  country_code: "US",
  phone: "617-555-0163",
};

export const parcel: PackageEntry = {
  weight: 1.4,
  weight_unit: "kg",
  length: 30,
  width: 22,
  height: 12,
  size_unit: "cm",
  package_contents: "Notebooks",
};

/** A customs line, for what crosses a border. */
export const notebooks: ItemEntry = {
  title: "Notebook",
  quantity: 4,
  value: 12.5,
  currency: "CAD",
  country_of_origin: "CA",
  hs_code: "4820.10",
};

/** One entry of `POST /shipments`: a parcel from Ottawa to Halifax unless changed. */
export function aShipment(changes: Partial<ShipmentEntry> = {}): ShipmentEntry {
  return { from_address: ottawa, to_address: halifax, packages: [parcel], ...changes };
}

/** The same, with instructions to the simulated carriers (decision 24): `sim:refuse`. */
export function aSteeredShipment(
  steering: string,
  changes: Partial<ShipmentEntry> = {},
): ShipmentEntry {
  const { to_address, ...rest } = aShipment(changes);
  return { ...rest, to_address: { ...to_address, address2: steering } };
}
