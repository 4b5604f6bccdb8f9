/**
 * The countries of ISO 3166-1 alpha-2 and how each writes its postal codes (decision 5). The facts
 * are those of the Universal Postal Union's and the posts' own publications. Formats are on the
 * lenient side: a code that is wrongly refused stops a parcel, one that is wrongly accepted does
 * not.
 */

interface PostalSystem {
  /** `optional`: codes exist, but the post delivers without and many addresses leave them out. */
  usage: "required" | "optional" | "none";
  /** `#` is a digit, `@` a letter, `*` either, `[…]` one of these; all else stands for itself. */
  formats: readonly string[];
}

// No Canadian code has the letters D F I O Q U, nor W or Z in the first position.
const canadian = "[ABCEGHJ-NPRSTVXY]#[ABCEGHJ-NPRSTV-Z] #[ABCEGHJ-NPRSTV-Z]#";
const british = ["@# #@@", "@## #@@", "@@# #@@", "@@## #@@", "@#@ #@@", "@@#@ #@@"];

const countriesByFormats: readonly (readonly [formats: string, countries: string])[] = [
  ["###", "FO GN IS LS MG OM PG"],
  [
    "####",
    "AF AL AM AT AU BE BG CC CH CK CV CX CY DK ET GE GW HM HU LR LU MK MZ NE NF NO NZ PA PH PY SI SJ TN ZA",
  ],
  [
    "#####",
    "BT CR CU DE DO DZ EE EG EH FI GT HR ID IQ IT JO KE KW LA LK LT LY MA MM MV MX MY SD SN TH TR TZ UA UY ZM",
  ],
  ["######", "CN CO KG NG RO RU SG TJ TM TT UZ"],
  [canadian, "CA"],
  ["#####|#####-####", "US"],
  ["969##|969##-####", "FM GU MH MP PW"],
  ["00###|00###-####", "PR VI"],
  ["96799|96799-####", "AS"],
  ["[0-8]####|9[0-57]###|98[4678]##", "FR"],
  ["97###|98###", "BL GF GP MF MQ PM RE YT"],
  ["98###", "MC NC PF WF"],
  ["[0-5]####", "ES"],
  ["22###", "AX"],
  ["39##", "GL"],
  ["94##", "LI"],
  ["4789#", "SM"],
  ["00120", "VA"],
  ["[78]####", "BA"],
  ["8####", "ME"],
  ["[1-7]####", "XK"],
  ["[1-5]####", "NP"],
  ["[1-9]###", "BD"],
  ["[1-9]####", "PK"],
  ["2#####", "BY"],
  ["[1-9]#####", "IN"],
  // Not SA, SD or SS. The brackets around S make it a letter, not a literal, in a message.
  ["[1-9]### [A-RT-Z]@|[1-9]### [S][BCE-RT-Z]", "NL"],
  ["AD###", "AD"],
  ["AZ ####|####", "AZ"],
  ["HT####|####", "HT"],
  ["LV-####|####", "LV"],
  ["MD-####|####", "MD"],
  ["BB#####|#####", "BB"],
  ["VC####|####", "VC"],
  ["VG####", "VG"],
  ["KY#-####", "KY"],
  ["LC## ###", "LC"],
  ["AI-2640|2640", "AI"],
  ["TKCA 1ZZ", "TC"],
  ["FIQQ 1ZZ", "FK"],
  ["SIQQ 1ZZ", "GS"],
  ["BBND 1ZZ", "IO"],
  ["PCRN 1ZZ", "PN"],
  ["STHL 1ZZ|ASCN 1ZZ|TDCU 1ZZ", "SH"],
  ["GX11 1AA", "GI"],
  [[...british, "GIR 0AA", "BFPO #", "BFPO ##", "BFPO ###", "BFPO ####"].join("|"), "GB"],
  ["GY# #@@|GY## #@@", "GG"],
  ["IM# #@@|IM## #@@", "IM"],
  ["JE# #@@|JE## #@@", "JE"],
  ["[AC-FHKNPRTV-Y]#[0-9W] ****", "IE"],
  ["### ##", "CZ GR SE SK"],
  ["##-###", "PL"],
  ["####-###", "PT"],
  ["#####-###", "BR"],
  ["###-####", "JP"],
  ["#####|###-###", "KR"],
  ["###|#####|######", "TW"],
  ["#####|#######", "IL"],
  ["##########", "IR"],
  ["[A-HJ-NP-Z]####@@@|####", "AR"],
  ["#######", "CL"],
  ["@@ ##|@@ @@", "BM"],
  ["@@####", "BN"],
  ["###|####", "BH"],
  ["#####|######", "EC KH MN NI RS VN"],
  ["######|@##@#@#", "KZ"],
  ["#### ####|####", "LB"],
  ["#####|#####-####", "SA"],
  ["@@@ ####|@@@ ##", "MT"],
  ["#####|###@@###", "MU"],
  ["#####|LIMA #|LIMA ##|CALLAO #|CALLAO ##", "PE"],
  ["####|####-@", "VE"],
  ["####|CP ####", "SV"],
  ["@###", "SZ"],
  ["#####|@@####", "HN"],
  ["@@ #####|#####", "SO"],
];

const withoutCodes =
  "AE AG AO AQ AW BF BI BJ BO BQ BS BV BW BZ CD CF CG CI CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP " +
  "ML MO MR MS MW NA NR NU PS QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TV UG UM VU WS YE ZW";

const optionalCodes = new Set(
  "AI BB BH BT CU EC HN IE LB LC LY MU NG PA SD SO TT TZ VC".split(" "),
);

const systems = new Map<string, PostalSystem>([
  ...countriesByFormats.flatMap(([formats, countries]) =>
    countries.split(" ").map((country): [string, PostalSystem] => {
      const usage = optionalCodes.has(country) ? "optional" : "required";
      return [country, { usage, formats: formats.split("|") }];
    }),
  ),
  ...withoutCodes
    .split(" ")
    .map((country): [string, PostalSystem] => [country, { usage: "none", formats: [] }]),
]);

/** Every accepted code: ISO 3166-1 alpha-2, and XK, which the carriers use for Kosovo. */
export const countryCodes: readonly string[] = [...systems.keys()].sort();

/** Whether this is a country's code, in upper case. */
export function isCountryCode(code: string): boolean {
  return systems.has(code);
}

/** How a country writes its postal codes; an unknown country has none. */
export function postalSystemOf(country: string): PostalSystem {
  return systems.get(country) ?? { usage: "none", formats: [] };
}

const names = new Intl.DisplayNames("en", { type: "region" });

/** The English name of a known country: "CA" → "Canada". */
export function countryName(code: string): string {
  return names.of(code) ?? code;
}

// Alternatives to the two letters, in addition to the names in English and French: the three letters of the most
// usual destinations, and common names of the United States and the United Kingdom.
const otherNames: Record<string, string> = Object.fromEntries(
  (
    "CAN CA USA US MEX MX GBR GB IRL IE FRA FR DEU DE ESP ES PRT PT ITA IT NLD NL BEL BE LUX LU CHE CH AUT AT DNK DK " +
    "SWE SE NOR NO FIN FI ISL IS POL PL CZE CZ GRC GR AUS AU NZL NZ JPN JP KOR KR CHN CN HKG HK TWN TW SGP SG IND IN " +
    "BRA BR ARG AR CHL CL COL CO PER PE ISR IL ZAF ZA ARE AE TUR TR UKR UA PHL PH VNM VN THA TH MYS MY IDN ID " +
    "UK GB ENGLAND GB SCOTLAND GB WALES GB BRITAIN GB GREATBRITAIN GB AMERICA US UNITEDSTATESOFAMERICA US"
  )
    .match(/\b\w+ \w+/g)!
    .map((pair) => pair.toLowerCase().split(" ") as [string, string]),
);

let written: Map<string, string> | undefined;

/** The code that a written-out country or its three letters stand for: "Canada", "can" → "CA"; else null. */
export function countryCodeFor(text: string): string | null {
  if (text.length > 60) return null;
  if (!written) {
    const named = ["en", "fr"].flatMap((language) => {
      const regions = new Intl.DisplayNames(language, { type: "region" });
      return countryCodes.map((code): [string, string] => [plain(regions.of(code) ?? code), code]);
    });
    const others = Object.entries(otherNames).map(([name, code]) => [name, code.toUpperCase()]);
    written = new Map([...named, ...(others as [string, string][])]);
  }
  return written.get(plain(text)) ?? null;
}

/** Small letters without accents, spaces and punctuation, so that spellings can be compared. */
function plain(text: string): string {
  const letters = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return letters.replace(/[^a-z]+/g, "");
}
