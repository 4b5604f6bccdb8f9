import { wallClock } from "./wall-clock.ts";

/** The local time at an address: trucks and couriers keep local hours, and a day is a local day. */

export interface Place {
  country_code: string;
  province_code: string | null;
  /** Decides the zone where a province or state has several. */
  postal_code?: string | null;
}

// Where a province or state has several zones, the one in which most of its people live.
const zones: Record<string, Record<string, readonly string[]>> = {
  CA: {
    "America/St_Johns": ["NL"],
    "America/Halifax": ["NB", "NS", "PE"],
    "America/Toronto": ["ON", "QC"],
    "America/Iqaluit": ["NU"],
    "America/Winnipeg": ["MB"],
    "America/Regina": ["SK"],
    "America/Edmonton": ["AB", "NT"],
    "America/Vancouver": ["BC"],
    "America/Whitehorse": ["YT"],
  },
  US: {
    "America/Puerto_Rico": ["PR", "VI"],
    "America/New_York":
      "CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV AA AE".split(" "),
    "America/Chicago": "AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI".split(" "),
    "America/Denver": ["CO", "ID", "MT", "NM", "UT", "WY"],
    "America/Phoenix": ["AZ"],
    "America/Los_Angeles": ["CA", "NV", "OR", "WA", "AP"],
    "America/Anchorage": ["AK"],
    "Pacific/Honolulu": ["HI"],
    "Pacific/Pago_Pago": ["AS"],
    "Pacific/Guam": ["FM", "GU", "MH", "MP", "PW"],
  },
};

// Codes with these prefixes have another time than most of their province. A place so small that it
// shares the first three characters with its neighbours has its neighbours' time.
const exceptions: Record<string, Record<string, string>> = {
  CA: {
    // The Magdalen Islands, and Labrador.
    "America/Halifax": "G4T",
    "America/Goose_Bay": "A0P A0R A2V",
    // Ontario west of 90°, and the middle of Nunavut.
    "America/Winnipeg": "P0V P0W P0X P8N P8T P9A P9N",
    "America/Rankin_Inlet": "X0C",
    // The east of British Columbia, Lloydminster, and the west of Nunavut.
    "America/Edmonton": "S9V V0A V0B V1A V1C",
    "America/Cambridge_Bay": "X0B",
    // The Peace River country, which does not change its clocks.
    "America/Dawson_Creek": "V0C V1G V1J",
  },
  US: {
    // The east of Tennessee, and Port St. Joe in the west of Florida.
    "America/New_York": "373 374 376 377 378 379 32456 32457",
    // The west of Florida and of Kentucky, Indiana around Chicago and Evansville, Michigan along Wisconsin.
    "America/Chicago":
      "324 325 420 421 422 423 424 463 464 46534 476 477 " +
      "49801 49802 49815 49831 49834 49847 49848 49852 49858 49863 49870 49874 49876 49877 49881 49887 " +
      "49892 49893 49896 49902 49903 49911 49915 49920 49927 49935 49938 49947 49959 49964 49968 49969",
    // The west of the Dakotas, of Nebraska and of Kansas, El Paso, West Wendover, the east of Oregon.
    "America/Denver":
      "577 586 693 69153 67735 67758 67878 67879 89883 979 " +
      "799 885 79821 79835 79836 79837 79838 79839 79847 79849 79851 79853",
    // The north of Idaho.
    "America/Los_Angeles": "835 838",
    "America/Adak": "99546",
  },
};

const zoneOfProvince = new Map(
  Object.entries(zones).flatMap(([country, byZone]) =>
    Object.entries(byZone).flatMap(([zone, provinces]) =>
      provinces.map((province) => [`${country} ${province}`, zone] as const),
    ),
  ),
);
const zoneOfTerritory = new Map(
  ["AS", "FM", "GU", "MH", "MP", "PR", "PW", "VI"].map((code) => [
    code,
    zoneOfProvince.get(`US ${code}`),
  ]),
);
const zoneOfCode = new Map(
  Object.entries(exceptions).flatMap(([country, byZone]) =>
    Object.entries(byZone).flatMap(([zone, codes]) =>
      codes.split(" ").map((code) => [`${country} ${code}`, zone] as const),
    ),
  ),
);

/**
 * The IANA zone of a place in Canada or the United States, with its territories, which may be written as
 * countries; Toronto's of any other (decision 1: the default account's).
 */
export function timeZoneOf({ country_code, province_code, postal_code }: Place): string {
  const code = (postal_code ?? "").replaceAll(" ", "");
  return (
    zoneOfCode.get(`${country_code} ${code.slice(0, 5)}`) ??
    zoneOfCode.get(`${country_code} ${code.slice(0, 3)}`) ??
    zoneOfProvince.get(`${country_code} ${province_code}`) ??
    zoneOfTerritory.get(country_code) ??
    "America/Toronto"
  );
}

/** The local day, `YYYY-MM-DD`, and time, `HH:MM`. */
export function localMoment(now: Date, place: Place): { day: string; time: string } {
  const [day = "", time = ""] = wallClock(now, timeZoneOf(place)).split("T");
  return { day, time: time.slice(0, 5) };
}
