import { plainLetters } from "./plain-letters.ts";

/**
 * Screens names against a list of parties with whom trade is denied. Names are compared without
 * accents, punctuation, order of words and legal forms, and tolerant of typing errors; a match is for a
 * person to review.
 */
export interface DeniedParty {
  name: string;
  /** The list's publisher, e.g. `OFAC SDN`. */
  source: string;
}

interface DeniedMatch extends DeniedParty {
  /** From 0.85 to 1, which is the same name. */
  score: number;
}

/** Finds the listed party that a name is most like; null when none is like it. */
export type Screen = (name: string) => DeniedMatch | null;

/** Always screened against in the sandbox, and where no list was loaded; these names are fictitious. */
export const testParties: readonly DeniedParty[] = [
  { name: "Denied Party Test Trading Company", source: "test list" },
  { name: "Blocked Sample Industries", source: "test list" },
  { name: "Embargo Example Manufacturing", source: "test list" },
];

const scoreMin = 0.85;

/**
 * Indexes a list once; a screening then compares the few names that share most of their triples of
 * letters.
 */
export function screenOf(parties: readonly DeniedParty[]): Screen {
  const prepared = parties.map((party) => ({ party, triples: triplesOf(wordsOf(party.name)) }));
  const byTriple = new Map<string, number[]>();
  prepared.forEach(({ triples }, place) => {
    for (const triple of triples) {
      const places = byTriple.get(triple);
      if (places) places.push(place);
      else byTriple.set(triple, [place]);
    }
  });
  return (name) => {
    const triples = triplesOf(wordsOf(name));
    const shared = new Map<number, number>();
    for (const triple of triples) {
      for (const place of byTriple.get(triple) ?? [])
        shared.set(place, (shared.get(place) ?? 0) + 1);
    }
    let best: DeniedMatch | null = null;
    for (const [place, count] of shared) {
      const { party, triples: theirs } = prepared[place]!;
      const score = (2 * count) / (triples.size + theirs.size);
      if (score >= scoreMin && score > (best?.score ?? 0)) best = { ...party, score };
    }
    return best && { ...best, score: Math.round(best.score * 100) / 100 };
  };
}

const legalForms = new Set(
  "co company corp corporation inc incorporated llc llp lp ltd limited gmbh ag sa sas sarl srl spa bv nv ab as oy plc pte pty kg ooo oao zao pao jsc pjsc fze the and of".split(
    " ",
  ),
);

/** The significant words of a name; all of them when none is. */
function wordsOf(name: string): string[] {
  const words = plainLetters(name)
    .toLowerCase()
    .replace(/[.'’]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const telling = words.filter((word) => !legalForms.has(word));
  return telling.length > 0 ? telling : words;
}

/** Of each word by itself, so that the order of words does not count. */
function triplesOf(words: readonly string[]): Set<string> {
  const triples = new Set<string>();
  for (const word of words) {
    const padded = ` ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) triples.add(padded.slice(at, at + 3));
  }
  return triples;
}
