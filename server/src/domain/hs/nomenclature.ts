import { isTelling, wordsOf } from "./words.ts";

/** The Harmonized System as a table: chapters (2 digits), headings (4) and subheadings (6), each with its wording. */

export interface HsEntry {
  /** Digits only. */
  code: string;
  wording: string;
}

export interface Nomenclature {
  /** By code, of two, four or six digits. */
  wordings: ReadonlyMap<string, string>;
  /** For each word, the subheadings that contain it, with its weight there. */
  index: ReadonlyMap<string, readonly Posting[]>;
}

export interface Posting {
  code: string;
  weight: number;
}

/** The table's file: a line for each code, `code<TAB>wording`. */
export function readTable(text: string): HsEntry[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [code = "", wording = ""] = line.split("\t");
      return { code, wording };
    });
}

/** Words of a wording that exclude goods must not be indexed. */
const exclusions = /\b(not|without|excluding|except|other than)\b[^,;:()]*/gi;
const headingShare = 0.5;
const averageWords = 9;
const saturation = 1.2;
const lengthShare = 0.6;

/** Makes the table searchable (BM25): a subheading by its own wording, and less by that of its heading. */
export function buildNomenclature(entries: readonly HsEntry[]): Nomenclature {
  const wordings = new Map(entries.map(({ code, wording }) => [code, wording]));
  const words = new Map(
    entries.map(({ code, wording }) => [
      code,
      wordsOf(wording.replace(exclusions, " ")).filter(isTelling),
    ]),
  );
  const documents = entries
    .filter(({ code }) => code.length === 6)
    .map(({ code }) => ({
      code,
      shares: sharesOf(words.get(code)!, words.get(code.slice(0, 4)) ?? []),
    }));
  const frequency = new Map<string, number>();
  for (const { shares } of documents) {
    for (const word of shares.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const index = new Map<string, Posting[]>();
  for (const { code, shares } of documents) {
    let length = 0;
    for (const share of shares.values()) length += share;
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / averageWords);
    for (const [word, share] of shares) {
      const among = frequency.get(word)!;
      const rarity = Math.log(1 + (documents.length - among + 0.5) / (among + 0.5));
      const weight = (rarity * share * (saturation + 1)) / (share + norm);
      const known = index.get(word);
      if (known) known.push({ code, weight });
      else index.set(word, [{ code, weight }]);
    }
  }
  return { wordings, index };
}

/** The weight of each word for a subheading. */
function sharesOf(own: readonly string[], heading: readonly string[]): Map<string, number> {
  const shares = new Map(heading.map((word) => [word, headingShare]));
  for (const word of own) shares.set(word, 1);
  return shares;
}
