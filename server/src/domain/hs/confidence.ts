import type { Nomenclature } from "./nomenclature.ts";
import type { Ranking } from "./rank.ts";
import type { GoodsRead } from "./read-goods.ts";
import type { TradeVocabulary } from "./trade-vocabulary.ts";
import { isTelling } from "./words.ts";

/**
 * The probability that the first of a ranking is right: a logistic function of the evidence. It was fitted,
 * by `bench/fit-hs-confidence.ts`, to products and terms whose code experts determined, and to terms that
 * customs call too vague to classify by.
 */
const intercept = -4.35;
const coefficients: Readonly<Evidence> = {
  score: 1.77,
  lead_over_heading: 1.47,
  lead_over_code: 0.24,
  is_cued: 0.38,
  names: 0.57,
  is_named: -1.98,
  known_words: 0.68,
  coverage: 0.95,
};

/** The evidence for a code, as numbers. */
export interface Evidence {
  /** Of the ranking; more than four adds nothing. */
  score: number;
  /** The share by which it leads over the next code of another heading, and over the next code at all. */
  lead_over_heading: number;
  lead_over_code: number;
  /** 1 when a cue chose it among the codes of its goods. */
  is_cued: number;
  /** How many kinds of goods that were named belong there, up to three. */
  names: number;
  /** 1 when goods were named at all, so that the score is a name's and not a text's. */
  is_named: number;
  /** How many of eight words of the title are known, and how many of all of them. */
  known_words: number;
  coverage: number;
}

/** A bare name leaves open what the subheadings distinguish: customs require more. */
const mostForBareNames = 0.49;

interface Assessment {
  evidence: Evidence;
  /** Too few words, and none of them about the goods' nature. */
  is_bare: boolean;
}

/** From 0 to 1, in hundredths. Zero without a ranking. */
export function confidenceOf(assessment: Assessment | null): number {
  if (!assessment) return 0;
  const sum = Object.entries(coefficients).reduce(
    (total, [name, coefficient]) =>
      total + coefficient * assessment.evidence[name as keyof Evidence],
    intercept,
  );
  const confidence = Math.round(100 / (1 + Math.exp(-sum))) / 100;
  return assessment.is_bare ? Math.min(confidence, mostForBareNames) : confidence;
}

/** The evidence for the first of a ranking; null when nothing was found at all. */
export function assess(
  { ranked, articles }: Ranking,
  goods: GoodsRead,
  known: { nomenclature: Nomenclature; trade: TradeVocabulary },
): Assessment | null {
  const [first, second] = ranked;
  if (!first) return null;
  const heading = first.code.slice(0, 4);
  const other = ranked.find(({ code }) => !code.startsWith(heading));
  const named = articles.filter(({ choices }) => choices[0]!.code === first.code);
  const best = named[0]?.choices[0];
  const words = [...new Set(goods.title_words)];
  const countKnown = words.filter((word) => isKnown(word, known)).length;
  return {
    evidence: {
      score: Math.min(4, first.score),
      lead_over_heading: leadOver(first.score, other?.score),
      lead_over_code: leadOver(first.score, second?.score),
      is_cued: Number(best !== undefined && best.fit > 0),
      names: Math.min(3, named.length),
      is_named: Number(named.length > 0),
      known_words: Math.min(1, countKnown / 8),
      coverage: words.length === 0 ? 0 : countKnown / words.length,
    },
    is_bare: !best?.is_by_nature && countTelling(goods) < tellingWords,
  };
}

function leadOver(score: number, next: number | undefined): number {
  return next === undefined ? 1 : 1 - next / score;
}

function isKnown(
  word: string,
  { nomenclature, trade }: { nomenclature: Nomenclature; trade: TradeVocabulary },
): boolean {
  return nomenclature.index.has(word) || trade.goods.has(word) || trade.cues.has(word);
}

/** From so many telling words on, a text is more than a bare name. */
const tellingWords = 5;

function countTelling({ words }: GoodsRead): number {
  return [...words.keys()].filter(isTelling).length;
}
