/**
 * CUSMA's preference criterion as far as country of origin and HS heading decide it (article 4.2). Goods
 * that are grown, caught or mined in their country of origin are wholly obtained there: criterion A. For
 * manufactured goods, the materials and the rule of their heading decide, which are not known here.
 */
interface Preference {
  is_party: boolean;
  criterion: "A" | null;
  message: string;
}

const parties = new Set(["CA", "US", "MX"]);

/** Chapters and headings whose goods are wholly obtained in their country of origin. */
const whollyObtained = [
  ...["01", "03", "06", "07", "08", "10", "25", "26"],
  ...[
    "0407",
    "0409",
    "1201",
    "1202",
    "1204",
    "1205",
    "1206",
    "1207",
    "1209",
    "1211",
    "1212",
    "1213",
  ],
  ...["2701", "2702", "2703", "2709", "4401", "4403"],
];

/** `hs_code` is bare digits. */
export function preferenceOf(country: string, hs_code: string | null): Preference {
  const is_party = parties.has(country);
  if (!is_party) return { is_party, criterion: null, message: "" };
  if (hs_code === null) {
    const message = "The preference criterion cannot be decided without an HS code.";
    return { is_party, criterion: null, message };
  }
  const heading = `${hs_code.slice(0, 2)}.${hs_code.slice(2, 4)}`;
  if (whollyObtained.some((prefix) => hs_code.startsWith(prefix))) {
    const message = `Goods of heading ${heading} from ${country} are wholly obtained there: criterion A.`;
    return { is_party, criterion: "A", message };
  }
  const message = `For heading ${heading} the materials decide the preference criterion: ask the manufacturer for a certification of origin.`;
  return { is_party, criterion: null, message };
}
