import type { Nomenclature } from "./nomenclature.ts";
import type { Ranking } from "./rank.ts";
import type { GoodsRead } from "./read-goods.ts";
import type { TradeWords } from "./trade-words.ts";

/**
 * How probable it is that the first of a ranking is right: a logistic function of what speaks for it, fitted by
 * `bench/fit-hs-confidence.ts` to products whose code experts know, and that nobody had read who wrote the trade
 * words, and to terms of which customs say that they are too vague to classify by.
 */
const intercept = -7.5;
const coefficients: Readonly<Evidence> = {
  score: 1.15,
  lead_over_heading: 0.85,
  lead_over_code: 0.65,
  is_decided: 0.2,
  names: 0.7,
  is_named: 0.75,
  known_words: 2.7,
};

/** What speaks for a code, each as a number. */
export interface Evidence {
  /** Of the ranking; more than four says nothing more. */
  score: number;
  /** By which part it leads over the next code of another heading, and over the next code at all. */
  lead_over_heading: number;
  lead_over_code: number;
  /** 1 when a cue chose it among the codes of its goods, or there was no choice. */
  is_decided: number;
  /** How many kinds of goods that were named belong there, up to three. */
  names: number;
  is_named: number;
  /** How much of eight words of the title we know. */
  known_words: number;
}

/** From 0 to 1, in hundredths. Zero without a ranking. */
export function confidenceOf(evidence: Evidence | null): number {
  if (!evidence) return 0;
  const sum = Object.entries(coefficients).reduce(
    (total, [name, coefficient]) => total + coefficient * evidence[name as keyof Evidence],
    intercept,
  );
  return Math.round(100 / (1 + Math.exp(-sum))) / 100;
}

/** The evidence for the first of a ranking; null when nothing was found at all. */
export function evidenceFor(
  { ranked, articles }: Ranking,
  goods: GoodsRead,
  known: { nomenclature: Nomenclature; trade: TradeWords },
): Evidence | null {
  const [first, second] = ranked;
  if (!first) return null;
  const heading = first.code.slice(0, 4);
  const other = ranked.find(({ code }) => !code.startsWith(heading));
  const named = articles.filter(({ choices }) => choices[0]!.code === first.code);
  const best = named[0]?.choices;
  return {
    score: Math.min(4, first.score),
    lead_over_heading: leadOver(first.score, other?.score),
    lead_over_code: leadOver(first.score, second?.score),
    is_decided: Number(best !== undefined && (best.length === 1 || best[0]!.fit > 0)),
    names: Math.min(3, named.length),
    is_named: Number(named.length > 0),
    known_words: Math.min(1, countKnown(goods.title_words, known) / 8),
  };
}

function leadOver(score: number, next: number | undefined): number {
  return next === undefined ? 1 : 1 - next / score;
}

function countKnown(
  words: readonly string[],
  { nomenclature, trade }: { nomenclature: Nomenclature; trade: TradeWords },
): number {
  const known = words.filter(
    (word) => nomenclature.index.has(word) || trade.goods.has(word) || trade.cues.has(word),
  );
  return new Set(known).size;
}
