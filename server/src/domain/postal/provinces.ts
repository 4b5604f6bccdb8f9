/** The provinces of Canada and the states of the United States, as mail knows them (decision 5). */

const canadianProvinces: Record<string, string> = {
  AB: "Alberta",
  BC: "British Columbia",
  MB: "Manitoba",
  NB: "New Brunswick",
  NL: "Newfoundland and Labrador",
  NS: "Nova Scotia",
  NT: "Northwest Territories",
  NU: "Nunavut",
  ON: "Ontario",
  PE: "Prince Edward Island",
  QC: "Quebec",
  SK: "Saskatchewan",
  YT: "Yukon",
};

// With the district, the territories, the states in free association (one postal system with the
// United States) and the three "states" of military mail.
const americanStates: Record<string, string> = {
  AA: "Armed Forces Americas",
  AE: "Armed Forces Europe",
  AK: "Alaska",
  AL: "Alabama",
  AP: "Armed Forces Pacific",
  AR: "Arkansas",
  AS: "American Samoa",
  AZ: "Arizona",
  CA: "California",
  CO: "Colorado",
  CT: "Connecticut",
  DC: "District of Columbia",
  DE: "Delaware",
  FL: "Florida",
  FM: "Federated States of Micronesia",
  GA: "Georgia",
  GU: "Guam",
  HI: "Hawaii",
  IA: "Iowa",
  ID: "Idaho",
  IL: "Illinois",
  IN: "Indiana",
  KS: "Kansas",
  KY: "Kentucky",
  LA: "Louisiana",
  MA: "Massachusetts",
  MD: "Maryland",
  ME: "Maine",
  MH: "Marshall Islands",
  MI: "Michigan",
  MN: "Minnesota",
  MO: "Missouri",
  MP: "Northern Mariana Islands",
  MS: "Mississippi",
  MT: "Montana",
  NC: "North Carolina",
  ND: "North Dakota",
  NE: "Nebraska",
  NH: "New Hampshire",
  NJ: "New Jersey",
  NM: "New Mexico",
  NV: "Nevada",
  NY: "New York",
  OH: "Ohio",
  OK: "Oklahoma",
  OR: "Oregon",
  PA: "Pennsylvania",
  PR: "Puerto Rico",
  PW: "Palau",
  RI: "Rhode Island",
  SC: "South Carolina",
  SD: "South Dakota",
  TN: "Tennessee",
  TX: "Texas",
  UT: "Utah",
  VA: "Virginia",
  VI: "U.S. Virgin Islands",
  VT: "Vermont",
  WA: "Washington",
  WI: "Wisconsin",
  WV: "West Virginia",
  WY: "Wyoming",
};

/** Country → province code → name. Countries that are not here have free province codes. */
export const provinces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CA: canadianProvinces,
  US: americanStates,
};

// French names, and former codes and names that are still sent.
const otherNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CA: {
    "colombie britannique": "BC",
    "nouveau brunswick": "NB",
    "terre neuve et labrador": "NL",
    newfoundland: "NL",
    nf: "NL",
    "nouvelle ecosse": "NS",
    "territoires du nord ouest": "NT",
    "ile du prince edouard": "PE",
    pei: "PE",
    pq: "QC",
    "yukon territory": "YT",
  },
  US: {
    "washington dc": "DC",
    "virgin islands": "VI",
    micronesia: "FM",
  },
};

/** Whether the country's province codes are a fixed list that an address must use. */
export function hasProvinces(country: string): boolean {
  return Object.hasOwn(provinces, country);
}

export function isProvinceCode(country: string, code: string): boolean {
  return hasProvinces(country) && Object.hasOwn(provinces[country]!, code);
}

/** The code that a written-out, French or former name stands for: "Québec", "PQ" → "QC"; else null. */
export function provinceCodeFor(country: string, written: string): string | null {
  if (!hasProvinces(country)) return null;
  const name = plain(written);
  const known = Object.entries(provinces[country]!).find(([, known]) => plain(known) === name);
  if (known) return known[0];
  const others = otherNames[country]!;
  return Object.hasOwn(others, name) ? others[name]! : null;
}

/** Lower case, without accents and punctuation, so that spellings can be compared. */
function plain(text: string): string {
  const letters = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return letters
    .replace(/[.'’]/g, "")
    .replace(/[^a-z]+/g, " ")
    .trim();
}
