/**
 * Two months of an invented shop in Toronto that sells kitchen goods: its recipients, goods, and the states
 * of its shipments. Streets are public buildings', names are made up.
 */

export const shop = {
  name: "Maple & Pine Goods",
  owner_email: "owner@mapleandpine.example",
  from_address: {
    name: "Maple & Pine Goods",
    company: "Maple & Pine Goods",
    address1: "100 King Street West",
    city: "Toronto",
    province_code: "ON",
    postal_code: "M5X 1A9",
    country_code: "CA",
    phone: "416-555-0134",
    email: "shipping@mapleandpine.example",
    is_residential: false,
  },
};

const recipients = [
  ["Amélie Tremblay", "275 Rue Notre-Dame Est", "Montréal", "QC", "H2Y 1C6", "CA"],
  ["Jordan Blake", "453 West 12th Avenue", "Vancouver", "BC", "V5Y 1V4", "CA"],
  ["Priya Raman", "800 Macleod Trail SE", "Calgary", "AB", "T2G 2M3", "CA"],
  ["Noah Sinclair", "1 Sir Winston Churchill Square", "Edmonton", "AB", "T5J 2R7", "CA"],
  ["Grace Okafor", "510 Main Street", "Winnipeg", "MB", "R3B 1B9", "CA"],
  ["Liam MacNeil", "1841 Argyle Street", "Halifax", "NS", "B3J 3A5", "CA"],
  ["Sofia Petrov", "110 Laurier Avenue West", "Ottawa", "ON", "K1P 1J1", "CA"],
  ["Étienne Roy", "2 Rue des Jardins", "Québec", "QC", "G1R 4S9", "CA"],
  ["Hannah Lee", "71 Main Street West", "Hamilton", "ON", "L8P 4Y5", "CA"],
  ["Omar Haddad", "2476 Victoria Avenue", "Regina", "SK", "S4P 3C8", "CA"],
  ["Chloe Martin", "8 City Hall Square", "New York", "NY", "10007", "US"],
  ["Ethan Walker", "200 North Spring Street", "Los Angeles", "CA", "90012", "US"],
  ["Mia Johansen", "121 North LaSalle Street", "Chicago", "IL", "60602", "US"],
  ["Lucas Reyes", "901 Bagby Street", "Houston", "TX", "77002", "US"],
] as const;

/** What the shop sells; weights in kilograms, sides in centimetres. */
export const goods = [
  {
    sku: "BOARD-MAPLE",
    title: "Maple cutting board",
    weight: 2.4,
    length: 45,
    width: 30,
    height: 6,
    value: 89,
    hs_code: "441911",
  },
  {
    sku: "SKILLET-26",
    title: "Cast iron skillet",
    weight: 3.1,
    length: 42,
    width: 28,
    height: 9,
    value: 64.5,
    hs_code: "732391",
  },
  {
    sku: "MUG-STONE-4",
    title: "Stoneware mug, set of four",
    weight: 1.8,
    length: 30,
    width: 24,
    height: 16,
    value: 52,
    hs_code: "691200",
  },
  {
    sku: "TOWEL-LINEN",
    title: "Linen tea towels",
    weight: 0.5,
    length: 28,
    width: 20,
    height: 4,
    value: 28,
    hs_code: "630292",
  },
  {
    sku: "KETTLE-COPPER",
    title: "Copper kettle",
    weight: 1.6,
    length: 28,
    width: 26,
    height: 27,
    value: 119,
    hs_code: "741810",
  },
  {
    sku: "CANDLE-WAX",
    title: "Beeswax candles",
    weight: 0.9,
    length: 22,
    width: 18,
    height: 12,
    value: 34,
    hs_code: "340600",
  },
] as const;

export interface DemoShipment {
  /** How many days before the seed it was created. */
  days_ago: number;
  entry: ReturnType<typeof entryOf>;
  /** Named, not the cheapest: asking one carrier takes a fraction of the time of asking all. */
  service: string;
  ends_as: "bought" | "voided" | "draft";
}

/** Of a parcel of two weeks ago, which has not come. */
const lateIndex = 30;

/** About one shipment every day and a half, oldest first; every ninth was voided, the last four wait. */
export function demoShipments(count = 42): DemoShipment[] {
  return Array.from({ length: count }, (_each, index) => {
    const isWaiting = index >= count - 4;
    const entry = entryOf(index);
    // The simulator's steering: it is scanned once, and its expected day passes.
    const to_address = {
      ...entry.to_address,
      address2: index === lateIndex ? "sim:track=stuck" : null,
    };
    return {
      days_ago: isWaiting ? 0 : 60 - Math.floor((index * 60) / count),
      entry: { ...entry, to_address },
      service: serviceOf(index),
      ends_as: isWaiting ? "draft" : index % 9 === 4 ? "voided" : "bought",
    };
  });
}

const services = {
  CA: [
    "canada_post.expedited_parcel",
    "purolator.ground",
    "ups.standard",
    "fedex.ground",
    "canada_post.xpresspost",
  ],
  US: ["canada_post.expedited_usa", "ups.standard", "purolator.ground_us"],
} as const;

function serviceOf(index: number): string {
  const [, , , , , country_code] = recipients[index % recipients.length]!;
  const some = services[country_code];
  return some[index % some.length]!;
}

function entryOf(index: number) {
  const [name, address1, city, province_code, postal_code, country_code] =
    recipients[index % recipients.length]!;
  const { sku, title, value, hs_code, ...parcel } = goods[index % goods.length]!;
  const quantity = 1 + (index % 3);
  return {
    type: "courier",
    reference: `MP-${2040 + index}`,
    to_address: {
      name,
      address1,
      city,
      province_code,
      postal_code,
      country_code,
      phone: "416-555-0188",
    },
    packages: [
      {
        ...parcel,
        weight: Number((parcel.weight * quantity).toFixed(2)),
        weight_unit: "kg",
        size_unit: "cm",
        package_contents: title,
        declared_value: value * quantity,
        currency: "CAD",
      },
    ],
    items: [{ sku, title, quantity, value, currency: "CAD", country_of_origin: "CA", hs_code }],
    tags: index % 5 === 0 ? ["gift"] : [],
  };
}
