import { shop } from "./demo-shipments.ts";

/** Pallets of the invented shop: one with each freight carrier, the first long delivered. */

const unit = {
  type: "pallet",
  quantity: 2,
  length: 48,
  width: 40,
  height: 50,
  size_unit: "in",
  weight: 620,
  weight_unit: "lbs",
  description: "Kitchen goods",
};

const dealers = [
  ["Harbour Kitchen Supply", "1841 Argyle Street", "Halifax", "NS", "B3J 3A5"],
  ["Prairie Home Stores", "510 Main Street", "Winnipeg", "MB", "R3B 1B9"],
  ["Rideau Gifts", "110 Laurier Avenue West", "Ottawa", "ON", "K1P 1J1"],
] as const;

const bookings = [
  { days_ago: 24, service: "day_ross.domestic_standard" },
  { days_ago: 15, service: "manitoulin.ltl" },
  { days_ago: 0, service: "tforce_freight.ltl" },
];

export function demoFreight() {
  return bookings.map(({ days_ago, service }, index) => ({
    days_ago,
    service,
    entry: entryOf(index),
  }));
}

function entryOf(index: number) {
  const [company, address1, city, province_code, postal_code] = dealers[index]!;
  return {
    type: "ltl",
    reference: `MP-LTL-${index + 1}`,
    from_address: shop.from_address,
    to_address: {
      name: "Receiving",
      company,
      address1,
      city,
      province_code,
      postal_code,
      country_code: "CA",
      phone: "416-555-0177",
    },
    handling_units: [unit],
  };
}
