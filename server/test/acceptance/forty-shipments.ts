import type { AddressEntry, ItemEntry, PackageEntry, ShipmentEntry } from "../shipments.ts";

/**
 * Forty shipments as merchants in Canada and the United States send them: at home and across the
 * border both ways, near and to the far north, from an envelope to ten boxes. The places are public
 * libraries and halls; the people are invented.
 */

function place(
  name: string,
  [address1, city, province_code, postal_code]: [string, string, string, string],
): AddressEntry {
  const country_code = /^\d/.test(postal_code) ? "US" : "CA";
  return { name, address1, city, province_code, postal_code, country_code, phone: "416-555-0171" };
}

const places = {
  toronto: place("Harbour Tea Company", ["100 Queen Street West", "Toronto", "ON", "M5H 2N2"]),
  ottawa: place("Sofía Álvarez", ["120 Metcalfe Street", "Ottawa", "ON", "K1P 5M2"]),
  montreal: place("Geneviève Côté-Bélanger", [
    "475 boul. De Maisonneuve Est",
    "Montréal",
    "QC",
    "H2L 5C4",
  ]),
  quebec: place("François d’Amours", ["350 rue Saint-Joseph Est", "Québec", "QC", "G1K 3B2"]),
  vancouver: place("Wei Chen", ["350 West Georgia Street", "Vancouver", "BC", "V6B 6B1"]),
  calgary: place("Tara Whitehorse", ["800 3 Street SE", "Calgary", "AB", "T2G 2E7"]),
  regina: place("Olena Kovalenko", ["2311 12th Avenue", "Regina", "SK", "S4P 0N3"]),
  winnipeg: place("Prairie Wool & Yarn", ["251 Donald Street", "Winnipeg", "MB", "R3C 3P5"]),
  halifax: place("Morag Ferguson", ["5440 Spring Garden Road", "Halifax", "NS", "B3J 1E9"]),
  fredericton: place("Luc Thériault", ["12 Carleton Street", "Fredericton", "NB", "E3B 5P4"]),
  charlottetown: place("Anne Gallant", ["97 Queen Street", "Charlottetown", "PE", "C1A 4A9"]),
  st_johns: place("Dermot Power", ["125 Allandale Road", "St. John's", "NL", "A1B 3A3"]),
  whitehorse: place("Joan Taylor", ["1171 Front Street", "Whitehorse", "YT", "Y1A 0G9"]),
  yellowknife: place("Peter Nitah", ["5022 49 Street", "Yellowknife", "NT", "X1A 2N5"]),
  iqaluit: place("Leetia Akpalialuk", ["1088 Sivulliq Avenue", "Iqaluit", "NU", "X0A 0H0"]),
  new_york: place("Third Avenue Books", ["476 5th Avenue", "New York", "NY", "10018"]),
  boston: place("Delia Novak", ["700 Boylston Street", "Boston", "MA", "02116"]),
  buffalo: place("Marcus Bell", ["1 Lafayette Square", "Buffalo", "NY", "14203-1887"]),
  chicago: place("Agnieszka Wójcik", ["400 South State Street", "Chicago", "IL", "60605"]),
  minneapolis: place("Ingrid Sørensen", ["300 Nicollet Mall", "Minneapolis", "MN", "55401"]),
  denver: place("Ruben Ortiz", ["10 West 14th Avenue Parkway", "Denver", "CO", "80204"]),
  austin: place("Ha Nguyen", ["710 West Cesar Chavez Street", "Austin", "TX", "78701"]),
  miami: place("Yolanda Pérez", ["101 West Flagler Street", "Miami", "FL", "33130"]),
  seattle: place("Kenji Watanabe", ["1000 4th Avenue", "Seattle", "WA", "98104"]),
  anchorage: place("Nora Oldman", ["3600 Denali Street", "Anchorage", "AK", "99503"]),
  honolulu: place("Keola Kahale", ["478 South King Street", "Honolulu", "HI", "96813"]),
} satisfies Record<string, AddressEntry>;
type Place = keyof typeof places;

function box(weight: number, [length, width, height]: [number, number, number]): PackageEntry {
  return { weight, weight_unit: "kg", length, width, height, size_unit: "cm" };
}

const parcels = {
  small: [box(0.4, [22, 16, 8])],
  middling: [box(2.2, [35, 25, 15])],
  heavy: [box(28.5, [45, 40, 35])],
  bulky: [box(3, [70, 55, 45])],
  ounces: [{ weight: 11, weight_unit: "oz", length: 9, width: 6, height: 3, size_unit: "in" }],
  pounds: [
    { weight: 48.5, weight_unit: "lbs", length: 20, width: 18, height: 14, size_unit: "in" },
  ],
  grams: [{ weight: 850, weight_unit: "g", length: 30, width: 20, height: 10, size_unit: "cm" }],
  unmeasured: [{ weight: 1.1, weight_unit: "kg" }],
  envelope: [{ weight: 0.2, weight_unit: "kg", package_type: "envelope" }],
  pak: [{ ...box(0.9, [33, 28, 4]), package_type: "pak" }],
  tube: [{ ...box(1.2, [95, 12, 12]), package_type: "tube" }],
  three: [box(1, [20, 20, 20]), box(6.5, [40, 30, 30]), box(2.5, [60, 20, 10])],
  ten: Array.from({ length: 10 }, (_each, index) => box(1 + index / 2, [30, 25, 20])),
} satisfies Record<string, PackageEntry[]>;
type Parcels = keyof typeof parcels;

const items: ItemEntry[] = [
  {
    title: "Wool blanket",
    quantity: 2,
    value: 64.5,
    currency: "CAD",
    country_of_origin: "CA",
    hs_code: "6301.20",
  },
];

const lanes: [Place, Place, Parcels][] = [
  ["toronto", "ottawa", "small"],
  ["toronto", "montreal", "middling"],
  ["toronto", "quebec", "heavy"],
  ["toronto", "vancouver", "bulky"],
  ["toronto", "calgary", "ounces"],
  ["toronto", "regina", "pounds"],
  ["toronto", "winnipeg", "grams"],
  ["toronto", "halifax", "unmeasured"],
  ["toronto", "fredericton", "envelope"],
  ["toronto", "charlottetown", "pak"],
  ["toronto", "st_johns", "tube"],
  ["toronto", "whitehorse", "small"],
  ["toronto", "yellowknife", "middling"],
  ["toronto", "iqaluit", "small"],
  ["vancouver", "halifax", "three"],
  ["winnipeg", "montreal", "ten"],
  ["montreal", "toronto", "envelope"],
  ["halifax", "vancouver", "heavy"],
  ["iqaluit", "toronto", "grams"],
  ["new_york", "boston", "small"],
  ["new_york", "buffalo", "middling"],
  ["new_york", "chicago", "heavy"],
  ["new_york", "denver", "bulky"],
  ["new_york", "austin", "ounces"],
  ["new_york", "miami", "pounds"],
  ["new_york", "seattle", "envelope"],
  ["new_york", "anchorage", "middling"],
  ["new_york", "honolulu", "small"],
  ["seattle", "minneapolis", "three"],
  ["chicago", "new_york", "ten"],
  ["toronto", "new_york", "small"],
  ["toronto", "miami", "middling"],
  ["vancouver", "seattle", "heavy"],
  ["montreal", "chicago", "three"],
  ["halifax", "honolulu", "grams"],
  ["new_york", "toronto", "middling"],
  ["seattle", "vancouver", "small"],
  ["chicago", "whitehorse", "pounds"],
  ["boston", "st_johns", "pak"],
  ["austin", "quebec", "unmeasured"],
];

/** The name of each in a test's name, and its body. */
export const fortyShipments: [name: string, entry: ShipmentEntry][] = lanes.map(
  ([from, to, parcel], index) => [
    `${from} to ${to}, ${parcel}`,
    {
      type: "courier",
      reference: `FORTY-${index + 1}`,
      from_address: places[from],
      to_address: places[to],
      packages: parcels[parcel],
      ...(places[from].country_code === places[to].country_code ? {} : { items }),
    },
  ],
);
