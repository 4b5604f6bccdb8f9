import { plainLetters } from "./plain-letters.ts";

/**
 * The Manufacturer Identification Code that United States Customs requires, built by CBP's instructions
 * (19 CFR part 102, appendix): country, three letters of each of the first two words of the name, up to
 * four digits of the street address, three letters of the city. CBP issues none: it is derived.
 */

/** The location of a manufacturer, as far as it is known. */
export interface ManufacturerAddress {
  address1: string | null;
  address2: string | null;
  city: string | null;
  province_code: string | null;
  postal_code: string | null;
  country_code: string | null;
}

/** Canada's provinces replace its country code. */
const canadianCodes: Record<string, string> = {
  AB: "XA",
  NB: "XB",
  BC: "XC",
  MB: "XM",
  NS: "XN",
  ON: "XO",
  PE: "XP",
  QC: "XQ",
  SK: "XS",
  NT: "XT",
  NU: "XV",
  NL: "XW",
  YT: "XY",
};

/** Null when the name, the city or the country (for Canada, the province) is not known. */
export function midCode(
  name: string,
  address: ManufacturerAddress,
  country: string,
): string | null {
  const place = placeCode(address, country);
  const words = namePart(name);
  const city = cityPart(address.city ?? "");
  if (place === null || words === "" || city === "") return null;
  const street = `${address.address1 ?? ""} ${address.address2 ?? ""}`;
  return place + words + numberPart(street) + city;
}

function placeCode(
  { province_code, country_code }: ManufacturerAddress,
  country: string,
): string | null {
  const code = (country_code ?? country).toUpperCase();
  if (code === "CA") return canadianCodes[province_code?.toUpperCase() ?? ""] ?? null;
  return /^[A-Z]{2}$/.test(code) ? code : null;
}

const ignoredWords = new Set(["A", "AN", "AND", "OF", "THE"]);

function namePart(name: string): string {
  // Parts joined by a hyphen are one word, and so are adjacent initials.
  const plain = lettersOf(name)
    .replace(/\s+/g, " ")
    .replace(/ ?- ?/g, "")
    .replace(/[.'’]/g, (mark) => (mark === "." ? " " : ""));
  const raw = plain.split(/[^A-Z0-9]+/).filter(Boolean);
  const words: string[] = [];
  let wasInitial = false;
  raw.forEach((word, place) => {
    const isInitial = word.length === 1 && (wasInitial || raw[place + 1]?.length === 1);
    if (isInitial && wasInitial) words.push(words.pop()! + word);
    else if (isInitial || !ignoredWords.has(word)) words.push(word);
    wasInitial = isInitial;
  });
  // Single characters are left out, unless there is nothing else.
  const telling = words.filter((word) => word.length > 1);
  return (telling.length > 0 ? telling : words)
    .slice(0, 2)
    .map((word) => word.slice(0, 3))
    .join("");
}

/** The first four digits of the largest number; commas and hyphens between digits are no gap. */
function numberPart(street: string): string {
  const numbers = street.replace(/(?<=\d)\s*[-,]\s*(?=\d)/g, "").match(/\d+/g) ?? [];
  const largest = numbers.reduce((a, b) => (Number(b) > Number(a) ? b : a), "");
  return largest.slice(0, 4);
}

/** Letters alone, without the article: 18-Mile High is MIL, The Hague is HAG. */
function cityPart(city: string): string {
  return lettersOf(city)
    .replace(/^THE\s+(?=\S)/, "")
    .replace(/[^A-Z]/g, "")
    .slice(0, 3);
}

function lettersOf(text: string): string {
  return plainLetters(text).toUpperCase();
}
