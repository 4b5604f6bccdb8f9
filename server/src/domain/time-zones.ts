/** What time it is at an address: lorries and couriers keep local hours, and a day is a local day. */

export interface Place {
  country_code: string;
  province_code: string | null;
}

// Where a province or state has several zones, the one in which most of its people live.
const zones: Record<string, Record<string, readonly string[]>> = {
  CA: {
    "America/St_Johns": ["NL"],
    "America/Halifax": ["NB", "NS", "PE"],
    "America/Toronto": ["NU", "ON", "QC"],
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

const zoneOfProvince = new Map(
  Object.entries(zones).flatMap(([country, byZone]) =>
    Object.entries(byZone).flatMap(([zone, provinces]) =>
      provinces.map((province) => [`${country} ${province}`, zone] as const),
    ),
  ),
);

/** The IANA zone of a place in Canada or the United States; Toronto's of any other (decision 1: the default account's). */
export function timeZoneOf({ country_code, province_code }: Place): string {
  return zoneOfProvince.get(`${country_code} ${province_code}`) ?? "America/Toronto";
}

/** The day, `YYYY-MM-DD`, and the time, `HH:MM`, that it is there. */
export function localMoment(now: Date, place: Place): { day: string; time: string } {
  const text = formatOf(timeZoneOf(place)).format(now);
  // "2026-10-05, 14:03"
  return { day: text.slice(0, 10), time: text.slice(-5) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one is slow; there are as many as zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      dateStyle: "short",
      timeStyle: "short",
      hourCycle: "h23",
    });
    formats.set(timeZone, format);
  }
  return format;
}
