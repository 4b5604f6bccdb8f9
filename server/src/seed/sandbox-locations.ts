import type { Platform } from "../context.ts";
import { bySystem } from "../domain/accounts/principal.ts";
import type { NewLocation, OpeningHours } from "../domain/locations/location.ts";
import { coordinatesOf } from "../domain/postal/regions.ts";
import { catalogueVersion, importLocations, rowsOf } from "../resources/locations/service.ts";

/**
 * The sandbox's drop-off locations: in each of some fifty towns a few, of the simulated couriers, at the
 * town's postal code. They are invented, and the same at every installation.
 */

/** Fills the sandbox's catalogue where nothing was ever imported. */
export async function seedSandboxLocations(platform: Platform): Promise<void> {
  if ((await catalogueVersion(platform.db, "test")) > 0) return;
  const rows = rowsOf(sandboxLocations());
  const by = bySystem("seed");
  await importLocations(platform, { environment: "test", rows, retire_missing: false, by });
}

type Town = [city: string, province: string, postal_code: string, time_zone: string];

const canadian: readonly Town[] = [
  ["Toronto", "ON", "M5V 3L9", "America/Toronto"],
  ["Ottawa", "ON", "K1P 5M7", "America/Toronto"],
  ["Mississauga", "ON", "L5B 3C1", "America/Toronto"],
  ["Hamilton", "ON", "L8P 4X4", "America/Toronto"],
  ["London", "ON", "N6A 3N7", "America/Toronto"],
  ["Windsor", "ON", "N9A 6S3", "America/Toronto"],
  ["Sudbury", "ON", "P3E 5P9", "America/Toronto"],
  ["Thunder Bay", "ON", "P7B 6G3", "America/Thunder_Bay"],
  ["Montréal", "QC", "H3B 4W8", "America/Toronto"],
  ["Québec", "QC", "G1R 4S9", "America/Toronto"],
  ["Laval", "QC", "H7N 5X9", "America/Toronto"],
  ["Gatineau", "QC", "J8X 3Y1", "America/Toronto"],
  ["Sherbrooke", "QC", "J1H 5N8", "America/Toronto"],
  ["Vancouver", "BC", "V6B 4Y8", "America/Vancouver"],
  ["Victoria", "BC", "V8W 1P6", "America/Vancouver"],
  ["Kelowna", "BC", "V1Y 6N2", "America/Vancouver"],
  ["Prince George", "BC", "V2L 3P6", "America/Vancouver"],
  ["Calgary", "AB", "T2P 2M5", "America/Edmonton"],
  ["Edmonton", "AB", "T5J 2R7", "America/Edmonton"],
  ["Lethbridge", "AB", "T1J 0E4", "America/Edmonton"],
  ["Saskatoon", "SK", "S7K 1J5", "America/Regina"],
  ["Regina", "SK", "S4P 3Y2", "America/Regina"],
  ["Winnipeg", "MB", "R3C 0V8", "America/Winnipeg"],
  ["Halifax", "NS", "B3J 3R7", "America/Halifax"],
  ["Moncton", "NB", "E1C 4Z6", "America/Moncton"],
  ["Fredericton", "NB", "E3B 1B5", "America/Moncton"],
  ["Charlottetown", "PE", "C1A 7K2", "America/Halifax"],
  ["St. John's", "NL", "A1C 5W1", "America/St_Johns"],
  ["Whitehorse", "YT", "Y1A 1C4", "America/Whitehorse"],
  ["Yellowknife", "NT", "X1A 2N4", "America/Yellowknife"],
];

const american: readonly Town[] = [
  ["New York", "NY", "10001", "America/New_York"],
  ["Buffalo", "NY", "14202", "America/New_York"],
  ["Boston", "MA", "02110", "America/New_York"],
  ["Philadelphia", "PA", "19103", "America/New_York"],
  ["Washington", "DC", "20005", "America/New_York"],
  ["Atlanta", "GA", "30303", "America/New_York"],
  ["Miami", "FL", "33131", "America/New_York"],
  ["Detroit", "MI", "48226", "America/Detroit"],
  ["Chicago", "IL", "60601", "America/Chicago"],
  ["Minneapolis", "MN", "55401", "America/Chicago"],
  ["St. Louis", "MO", "63101", "America/Chicago"],
  ["New Orleans", "LA", "70112", "America/Chicago"],
  ["Dallas", "TX", "75201", "America/Chicago"],
  ["Houston", "TX", "77002", "America/Chicago"],
  ["Denver", "CO", "80202", "America/Denver"],
  ["Salt Lake City", "UT", "84101", "America/Denver"],
  ["Phoenix", "AZ", "85004", "America/Phoenix"],
  ["Las Vegas", "NV", "89101", "America/Los_Angeles"],
  ["Los Angeles", "CA", "90012", "America/Los_Angeles"],
  ["San Francisco", "CA", "94103", "America/Los_Angeles"],
  ["Portland", "OR", "97204", "America/Los_Angeles"],
  ["Seattle", "WA", "98101", "America/Los_Angeles"],
  ["Anchorage", "AK", "99501", "America/Anchorage"],
  ["Honolulu", "HI", "96813", "Pacific/Honolulu"],
];

interface House {
  carrier: string;
  type: NewLocation["type"];
  names: readonly string[];
  hours: readonly OpeningHours[];
  accepts: readonly NonNullable<NewLocation["accepts"]>[number][];
  services: readonly NonNullable<NewLocation["services"]>[number][];
}

const workdays = ["monday", "tuesday", "wednesday", "thursday", "friday"] as const;
const onWorkdays = (opens: string, closes: string) =>
  workdays.map((day) => ({ day, opens, closes }));

const counter = {
  type: "branch",
  hours: [...onWorkdays("08:30", "17:30"), { day: "saturday", opens: "09:00", closes: "13:00" }],
  accepts: ["envelope", "parcel", "oversize"],
  services: ["drop_off", "pick_up", "packaging", "customs_help"],
} as const;
const shop = {
  type: "partner",
  hours: [
    ...onWorkdays("08:00", "21:00"),
    { day: "saturday", opens: "09:00", closes: "21:00" },
    { day: "sunday", opens: "10:00", closes: "18:00" },
  ],
  accepts: ["envelope", "parcel"],
  services: ["drop_off", "pick_up"],
} as const;
const depot = {
  type: "carrier",
  hours: [...onWorkdays("08:00", "12:00"), ...onWorkdays("13:00", "19:00")],
  accepts: ["envelope", "parcel", "oversize", "pallet"],
  services: ["drop_off", "pick_up"],
} as const;

const inCanada: readonly House[] = [
  { carrier: "canada_post", ...counter, names: ["Canada Post, Main Street"] },
  { carrier: "canada_post", ...shop, names: ["Maple Pharmacy", "Corner Books", "Harbour Market"] },
  { carrier: "purolator", ...depot, names: ["Purolator depot"] },
  { carrier: "ups", ...shop, names: ["Parcel Point", "Print & Post", "The Packing Room"] },
];
const inAmerica: readonly House[] = [
  { carrier: "usps", ...counter, names: ["Main Street Post Office"] },
  { carrier: "ups", ...shop, names: ["Corner Hardware", "Print & Post", "Liberty Books"] },
  { carrier: "fedex", ...depot, names: ["FedEx station"] },
];

const streets = ["Main Street", "Station Road", "Market Street", "Industrial Avenue"];

export function sandboxLocations(): NewLocation[] {
  return [
    ...canadian.flatMap((town, place) =>
      housesIn(town, { place, country: "CA", houses: inCanada }),
    ),
    ...american.flatMap((town, place) =>
      housesIn(town, { place, country: "US", houses: inAmerica }),
    ),
  ];
}

function housesIn(
  [city, province_code, postal_code, time_zone]: Town,
  { place, country, houses }: { place: number; country: string; houses: readonly House[] },
): NewLocation[] {
  const middle = coordinatesOf(country, postal_code);
  if (!middle) throw new Error(`${postal_code} has no coordinates`);
  return houses.map((house, index) => ({
    carrier: house.carrier,
    external_id: `${country}-${postal_code.replace(" ", "")}-${house.type}-${index + 1}`,
    name: house.names[place % house.names.length]!,
    type: house.type,
    address: {
      address1: `${100 + ((place * 37 + index * 211) % 880)} ${streets[index]!}`,
      city,
      province_code,
      postal_code,
      country_code: country,
      is_residential: false,
    },
    // Around the centre of the town, up to two kilometres from it.
    latitude: degrees(middle.latitude + (((place * 7 + index * 5) % 9) - 4) * 0.004),
    longitude: degrees(middle.longitude + (((place * 5 + index * 7) % 9) - 4) * 0.005),
    time_zone,
    phone: null,
    hours: [...house.hours],
    services: [...house.services],
    accepts: [...house.accepts],
  }));
}

const degrees = (value: number) => Math.round(value * 1e5) / 1e5;
